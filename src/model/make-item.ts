import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Node, Program } from '../resolve/program.ts';
import { titleOf } from '../text/title.ts';
import { takeAudience } from './audience.ts';
import { describeCollection, isShown, steeringFields, takesText } from './collections.ts';
import { scalarText, strings } from './data.ts';
import { hookFields } from './hooks.ts';
import type { Collection, Data, Fields, Item, Unplaced } from './model.ts';
import { pluginFields } from './plugins.ts';
import { serverFields } from './servers.ts';
import { shapedFields } from './shapes.ts';
import { pathSegment } from './sourced.ts';
import { fieldData } from './typed.ts';
import { isOnlyFrom, writtenItem } from './written-item.ts';

/** The item of an entry: its fields in the words of the model, and what its file brings along. */
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
  if (isShown(collection)) setShown(own, name);
  return {
    name,
    path: pathOf(block, key),
    fields: own,
    computed: steeringFields(collection),
    resources: skill?.resources ?? [],
    order,
    ...(audience && { audience }),
    ...(keptAt.length > 0 && { keptAt }),
    ...(skill?.into !== undefined && { into: skill.into }),
    ...(skill?.source && isOnlyFrom(skill.source.name, node) && { origin: skill.source.name }),
    ...(written && { written }),
    ...(extra.size > 0 && { extra }),
  };
}

/** Collections whose items are files with front matter: what the catalogue does not know may be known to a tool. */
const inMarkdown: ReadonlySet<Collection> = new Set(['guards', 'commands', 'agents', 'skills', 'checks']);

/** Collections whose items can be kept in files that they name. */
const canBeKept: ReadonlySet<Collection> = new Set([...inMarkdown, 'mcpServers', 'hooks']);

/** The language has no list of tools for rules; it is passed on to tools that read one. */
const isToolList = (block: string, field: string): boolean => block === 'guards' && field === 'tools';

/** Sets the name that people see, and the description for tools that want one. */
function setShown(fields: Map<string, Data>, name: string): void {
  const title = fields.get('title');
  fields.set('shown', title ?? name);
  fields.set('about', fields.get('description') ?? title ?? titleOf(name));
}

/** The path of an entry in the program: `skills.review`. */
export const pathOf = (block: string, key: string): string => `${block}.${pathSegment(key)}`;

/** The fields of an entry, or nothing when the entry has no shape of this collection. */
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
    if (!takesText(block) || (!described && typeof node.value !== 'string')) return undefined;
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
