import { stringify } from 'yaml';
import type { TargetSpec } from '../../generated/types/target.ts';
import { activationIn, readWholeItem } from '../../kinds/items/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { importFile } from '../../migrate/import/import.ts';
import { type ToolFields, uniteFields } from '../../migrate/import/unite-fields.ts';
import { blockOf } from '../../model/collections.ts';
import type { Activation } from '../../model/guards.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { agentsPath, checksPath, commandsPath, isMarkdownPath, rulesPath } from '../../text/places.ts';
import { type AdoptedParts, audienceOf, type Constraints, newParts } from './adoption.ts';
import type { ItemRole } from './roles.ts';

export interface ItemFile {
  readonly path: string;
  readonly roles: readonly ItemRole[];
  readonly text: string;
}

/** The folder for sources of a kind with one folder; skills have a folder each. */
const sourceFolders: Readonly<Record<string, string>> = {
  guards: rulesPath,
  topics: rulesPath,
  agents: agentsPath,
  commands: commandsPath,
  workflows: commandsPath,
  checks: checksPath,
};

interface ItemSource {
  readonly text: string;
  readonly activation: Activation | undefined;
}

interface Group extends ItemSource {
  /** Rebuilt when a file with different fields is added. */
  text: string;
  isUnited: boolean;
  readonly isPinned: boolean;
  readonly files: ItemFile[];
}

/**
 * Rules, agents and commands as sources with all their front matter. Equal files of several tools become one source.
 * Originals in `pinned` were not written to their paths by name alone, so their sources have `into`. Files with the
 * same name and text but different fields become one source with the fields of each tool, unless they are in
 * `separate`, because a compile changed them.
 */
export async function itemSources(
  files: readonly ItemFile[],
  specs: readonly TargetSpec[],
  { excluded, pinned, separate, planned }: Constraints,
  parts: AdoptedParts = newParts(),
): Promise<AdoptedParts> {
  const groups = new Map<string, Group>();
  const mayUnite = ({ path }: ItemFile) => !separate.has(path) && !pinned.has(path);
  for (const file of [...files].sort((a, b) => Number(separate.has(a.path)) - Number(separate.has(b.path)))) {
    const found = excluded.get(file.path) ?? (await sourceOf(file, planned.get(file.path)));
    if (typeof found === 'string') {
      parts.left.push({ path: file.path, specs: readersOf(file), reason: found });
      continue;
    }
    const { file: place, name, spec } = file.roles[0]!;
    const folder = sourceFolders[place?.of ?? 'guards'] ?? rulesPath;
    const stem = folder === rulesPath ? name : name.replaceAll('/', '-');
    const fits = async (path: string, alone: boolean) => {
      const other = groups.get(path);
      if (!other) return true;
      if (other.isPinned !== alone) return false;
      if (!other.isUnited && other.text === found.text && other.activation === found.activation) return true;
      if (alone || ![file, ...other.files].every(mayUnite)) return false;
      const text = await unitedText([...other.files, file], specs);
      if (text === undefined) return false;
      Object.assign(other, { text, isUnited: true });
      return true;
    };
    let source = `${folder}/${stem}.md`;
    let isPinned = pinned.has(file.path) || name.includes('/');
    for (let count = 1; !(await fits(source, isPinned)); count++) {
      // A different text with a name that another tool has, too.
      source = `${folder}/${stem}-${spec.id}${count > 1 ? `-${count}` : ''}.md`;
      isPinned = true;
    }
    const group = groups.get(source) ?? { ...found, isUnited: false, isPinned, files: [] };
    groups.set(source, group);
    group.files.push(file);
  }
  for (const [source, group] of groups) addGroup(source, group, specs, parts);
  return parts;
}

const readersOf = ({ roles }: ItemFile): TargetSpec[] => roles.map(({ spec }) => spec);

function addGroup(source: string, group: Group, specs: readonly TargetSpec[], parts: AdoptedParts): void {
  const { text, activation, isPinned, isUnited, files } = group;
  const lines = [
    ...placeLines(specs, files.flatMap(readersOf), isPinned ? files.map(({ path }) => path) : []),
    ...(activation === undefined || isUnited ? [] : [`activation: ${activation}`]),
  ];
  parts.sources.push({ path: source, text: withLines(text, lines) });
  for (const file of files) {
    const unitedFor = isUnited ? new Set(readersOf(file).map(({ id }) => id)) : undefined;
    parts.adopted.push({ path: file.path, source, mayPin: !isPinned, unitedFor });
  }
}

async function sourceOf(file: ItemFile, planned: string | undefined): Promise<ItemSource | string> {
  const { file: place } = file.roles[0]!;
  if (!isMarkdownPath(file.path)) {
    if (place) return portableItem(file, planned);
    // Plain text may start with what looks like front matter, so the source gets front matter before it.
    const end = endOf(file.text);
    const isLike = readFrontMatter(file.text).lines > 0;
    return { text: isLike ? `---${end}---${end}${end}${file.text}` : file.text, activation: undefined };
  }
  const { fields } = readFrontMatter(file.text);
  const own = ['targets', 'except', 'into', 'activation', 'placement'].find(key => fields.has(key));
  if (own !== undefined) return `its front matter says \`${own}\` in a meaning of its own`;
  const activation = place?.of === 'guards' ? activationIn(place, fields) : undefined;
  // A rule with globs is read with its files and one without is always read. Neither needs a field for that.
  const isSaid = activation === 'description' || activation === 'manual';
  return { text: file.text, activation: isSaid ? activation : undefined };
}

/**
 * The fields of an item that a tool stores as data, as a Markdown source; or the reason why that is not possible.
 * Where `planned`, the file that a compile would write, differs, the values are written for the tools of the file
 * only.
 */
export async function portableItem(
  file: ItemFile,
  planned: string | undefined,
): Promise<ItemSource | string> {
  const fields = await importedFields(file, file.roles[0]!.spec);
  if (typeof fields === 'string') return fields;
  const own = planned === undefined ? {} : await changesIn(file, planned);
  const known = new Map([...fields].filter(([key]) => !Object.hasOwn(own, key)));
  const exact = uniteFields(
    file.roles.map(({ spec: { id: tool } }) => ({
      tool,
      fields: new Map([...known, ['targets', { [tool]: own }] as const]),
    })),
  );
  return { text: markdownOf(exact ?? fields), activation: undefined };
}

/** Keys of a structured file that a compile would write differently; `null` for missing ones. */
async function changesIn({ text, roles }: ItemFile, planned: string): Promise<DataObject> {
  const { format = 'markdown', of } = roles[0]!.file!;
  if (format === 'markdown') return {};
  const [there, ours] = await Promise.all([text, planned].map(one => parseData(one, format)));
  if ('problem' in there! || 'problem' in ours!) return {};
  const [a, b] = [there!.data, ours!.data];
  if (!isObject(a) || !isObject(b)) return {};
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    key => !isPortable(blockOf(of), key) && !equalUnordered(a[key], b[key]),
  );
  return Object.fromEntries(keys.map(key => [key, a[key] ?? null]));
}

/** The fields of an item that a tool stores as data; or the reason why there are none. */
async function importedFields(
  { path, text }: ItemFile,
  spec: TargetSpec,
): Promise<ReadonlyMap<string, Data> | string> {
  const problems: string[] = [];
  const imported = await importFile(
    { path, bytes: new TextEncoder().encode(text), specs: [spec] },
    ({ severity, message }) => {
      if (severity === 'error') problems.push(message);
    },
  );
  const [part, ...more] = imported?.parts ?? [];
  if (part?.content.kind !== 'fields' || more.length > 0)
    return problems[0] ?? 'what it says has no place in Markdown, and stays there';
  return part.content.fields;
}

function markdownOf(fields: ReadonlyMap<string, Data>): string {
  const { content, ...head } = Object.fromEntries(fields);
  const body = typeof content === 'string' ? content : '';
  const isBare = Object.keys(head).length === 0;
  return `${isBare ? '' : `---\n${stringify(head, { lineWidth: 0 })}---\n\n`}${body.trimEnd()}\n`;
}

/**
 * Files of several tools that are one item with different fields, as one source: what only some tools have is written
 * below their names. `undefined` when the texts differ, or a tool has two of the files. `specs` are the tools in use.
 */
export async function unitedText(
  files: readonly ItemFile[],
  specs: readonly TargetSpec[],
): Promise<string | undefined> {
  const roles = files.flatMap(file => file.roles.map(role => ({ file, role })));
  if (new Set(roles.map(({ role }) => role.spec)).size < roles.length) return undefined;
  // The first words of a text may be the description that other files have.
  for (const plain of [false, true]) {
    const versions: ToolFields[] = [];
    for (const { file, role } of roles) {
      const fields = await fieldsFor(file, role, plain);
      if (!fields) return undefined;
      versions.push({ tool: role.spec.id, fields });
    }
    const united = uniteFields(versions, versions.length === specs.length);
    if (united) return markdownOf(united);
  }
  return undefined;
}

/** The fields of an item as the tool of a role reads them; `plain`: all of its text is content. */
async function fieldsFor(
  file: ItemFile,
  { spec, name, file: place }: ItemRole,
  plain: boolean,
): Promise<ReadonlyMap<string, Data> | undefined> {
  if (!place) return undefined;
  if (!isMarkdownPath(file.path)) {
    const read = await importedFields(file, spec);
    return typeof read === 'string' ? undefined : read;
  }
  const source = { name: file.path, text: file.text.replace(/^\ufeff/, '') };
  const reading = { name, scope: '', spec, specs: [spec], report: () => {} };
  const form = plain ? ({ ...place, body: 'content' } as const) : place;
  const { fields, unknown } = await readWholeItem(source, form, reading);
  return new Map([...fields, ...unknown]);
}

/** Lines of front matter that name the tools of a source, unless it is for all, and the paths that it is written to. */
export function placeLines(
  specs: readonly TargetSpec[],
  readers: Iterable<TargetSpec>,
  into: readonly string[] = [],
): string[] {
  const targets = audienceOf(specs, readers);
  const paths = into.map(path => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)));
  return [
    ...(targets ? [`targets: [${targets.join(', ')}]`] : []),
    ...(paths.length > 1 ? [`into: [${paths.join(', ')}]`] : paths.map(path => `into: ${path}`)),
  ];
}

const endOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** A text with additional lines in its front matter; the rest is unchanged. */
export function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = endOf(text);
  const block = lines.map(line => line + end).join('');
  const head = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (!head || readFrontMatter(text).lines === 0) return `---${end}${block}---${end}${end}${text}`;
  return head[0] + block + text.slice(head[0].length);
}
