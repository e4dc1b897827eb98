import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Node, Program } from '../resolve/program.ts';
import { isObject } from '../text/data.ts';
import { commandWords, posixCommand } from '../text/shell.ts';
import { splitList } from '../text/split-list.ts';
import { titleOf } from '../text/title.ts';
import { allowsTextEntry, describeCollection, fieldsWithoutText, hasDisplayName } from './collections.ts';
import { scalarText, strings } from './data.ts';
import type { Audience, Collection, Data, Fields, Item, Unplaced } from './model.ts';
import { pathSegment } from './origin.ts';
import { fieldData, shapedFields } from './typed.ts';
import { isDeclaredOnlyIn, writtenItem } from './written-item.ts';

/** Creates the item of an entry: its fields in portable names, and facts about its file. */
export function makeItem(
  program: Program,
  collection: Collection,
  block: string,
  { key, node }: { readonly key: string; readonly node: Node },
  name: string,
  fields: Fields,
): Item {
  const skill = collection === 'skills' ? program.skills.get(key) : undefined;
  const own = new Map<string, Data>([['name', name], ...fields]);
  if (collection === 'skills') own.set('name', name);
  const audience = takeAudience(own);
  const keptAt = canBeKept.has(collection) ? [...new Set(strings(own.get('into')))] : [];
  if (canBeKept.has(collection)) own.delete('into');
  const written = writtenItem(key, node, block, keptAt.length > 0);
  const isUnknown = (field: string) =>
    inMarkdown.has(collection) && field !== 'name' && (!isPortable(block, field) || isToolList(block, field));
  const order = [...own.keys(), ...(skill?.extra.keys() ?? [])];
  const extra = new Map([
    ...((skill?.extra ?? []) as Iterable<[string, Data]>),
    ...[...own].filter(([field]) => isUnknown(field)),
  ]);
  for (const field of [...own.keys()].filter(isUnknown)) own.delete(field);
  if (collection === 'agents') own.set('id', name);
  if (hasDisplayName(collection)) setShown(own, name);
  return {
    name,
    path: pathOf(block, key),
    fields: own,
    computed: fieldsWithoutText(collection),
    resources: skill?.resources ?? [],
    order,
    ...(audience && { audience }),
    ...(keptAt.length > 0 && { keptAt }),
    ...(skill?.into !== undefined && { into: skill.into }),
    ...(skill?.source && isDeclaredOnlyIn(skill.source.name, node) && { origin: skill.source.name }),
    ...(written && { written }),
    ...(extra.size > 0 && { extra }),
  };
}

/**
 * Collections whose items are files with front matter. Keys outside the catalogue are kept, because a tool
 * may know them.
 */
const inMarkdown: ReadonlySet<Collection> = new Set(['guards', 'commands', 'agents', 'skills', 'checks']);

/** Collections whose items can name their output files (`into`). */
const canBeKept: ReadonlySet<Collection> = new Set([...inMarkdown, 'mcpServers', 'hooks']);

/** The language has no `tools` for rules; the list is passed on to tools that have it. */
const isToolList = (block: string, field: string): boolean => block === 'guards' && field === 'tools';

function setShown(fields: Map<string, Data>, name: string): void {
  const title = fields.get('title');
  fields.set('shown', title ?? name);
  fields.set('about', fields.get('description') ?? title ?? titleOf(name));
}

/** The path of an entry in the program: `skills.review`. */
export const pathOf = (block: string, key: string): string => `${block}.${pathSegment(key)}`;

/** The fields of an entry, or `undefined` when its value does not fit the collection. */
export function fieldsOf(
  collection: Collection,
  block: string,
  key: string,
  node: Node,
  unplaced: Unplaced[],
): Fields | undefined {
  const { described } = describeCollection(collection);
  if (node.kind === 'list') return undefined;
  if (node.kind === 'scalar') {
    if (!allowsTextEntry(block) || (!described && typeof node.value !== 'string')) return undefined;
    const content = scalarText(node);
    const description = content.trim().split('\n', 1)[0]!;
    return new Map([['content', content], ...(described ? [['description', description] as const] : [])]);
  }
  const written = new Map<string, Data>();
  for (const [field, value] of node.fields)
    written.set(portableName(block, field), fieldData(block, field, value));
  const tools = isToolList(block, 'tools') ? written.get('tools') : undefined;
  if (tools !== undefined) written.delete('tools');
  const fields = shapedFields(block, written, pathOf(block, key), unplaced);
  if (tools !== undefined) fields.set('tools', tools);
  if (collection === 'hooks') return hookFields(key, fields);
  if (collection === 'mcpServers') return serverFields(fields);
  if (collection === 'plugins') return pluginFields(key, fields);
  if (described && !fields.has('content') && fields.has('description'))
    fields.set('content', fields.get('description')!);
  return fields;
}

/** A portable hook. Its command, or the parts of `script`, become an argument list in `argv`. */
export function hookFields(name: string, fields: Map<string, Data>): Fields {
  const script = fields.get('script');
  const argv = isObject(script)
    ? [...strings(script.interpreter), ...strings(script.path), ...strings(script.args)]
    : [...commandWords(strings(fields.get('command')))];
  fields.set('argv', argv);
  fields.set('id', name);
  return fields;
}

/**
 * A portable MCP server. `program` and `arguments` are the two parts of the command line, `argv` is the
 * whole, and `commandLine` is the same as a POSIX shell command. A missing `transport` is derived from the
 * other fields, and `disabled` is set when the server is switched off.
 */
export function serverFields(fields: Map<string, Data>): Fields {
  const argv = [...commandWords(strings(fields.get('command'))), ...strings(fields.get('args'))];
  if (argv.length > 0) {
    fields.set('argv', argv);
    fields.set('program', argv[0]!);
    if (argv.length > 1) fields.set('arguments', argv.slice(1));
    fields.set('commandLine', posixCommand(argv));
  }
  // `disabled: true` is the form of other tools. A server that is switched off in either form must not be
  // started.
  if (
    fields.get('enabled') === false ||
    fields.get('disabled') === true ||
    fields.get('disabled') === 'true'
  ) {
    fields.set('enabled', false);
    fields.set('disabled', true);
  } else fields.delete('disabled');
  if (!fields.has('transport')) fields.set('transport', fields.has('url') ? 'http' : 'stdio');
  return fields;
}

const isFolder = (source: string): boolean => /^\.{0,2}\/|^\.{1,2}$/.test(source);

/**
 * A bundle. An external one has a `marketplace`, a `reference` in the form that tools use, and the kind of
 * `hosting`.
 */
function pluginFields(name: string, fields: Map<string, Data>): Fields {
  const marketplace = fields.get('marketplace');
  const isForeign = typeof marketplace === 'string' && marketplace !== '';
  fields.set('origin', isForeign ? 'foreign' : 'own');
  if (!isForeign) return fields;
  fields.set('reference', `${name}@${marketplace}`);
  const source = fields.get('source');
  if (typeof source === 'string' && source !== '') fields.set('hosting', hostingOf(source));
  return fields;
}

function hostingOf(source: string): 'folder' | 'github' | 'git' {
  if (isFolder(source)) return 'folder';
  return /^[\w.-]+\/[\w.-]+$/.test(source) ? 'github' : 'git';
}

/** Stands for all tools in `targets`; other compilers write it into files that are imported here. */
export const anyTool = '*';

/**
 * Removes the audience of an entry from its fields and returns it. An empty list means no tool, `*` every
 * tool.
 */
export function takeAudience(fields: Map<string, Data>): Audience | undefined {
  const [targets, except] = ['targets', 'except'].map(key => {
    const value = fields.get(key);
    // `targets` of hooks may also contain overlays for single tools.
    if (value === undefined || value === null || isObject(value)) return undefined;
    fields.delete(key);
    return typeof value === 'string' ? splitList(value) : strings(value);
  });
  const named = targets?.includes(anyTool) ? undefined : targets;
  if (named === undefined && except === undefined) return undefined;
  return { ...(named && { targets: named }), ...(except && { except }) };
}
