import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Node, Program } from '../resolve/program.ts';
import type { Changing } from '../text/changing.ts';
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
  const origin = collection === 'skills' ? program.skills.get(key) : undefined;
  const extra = new Map(origin?.extra) as Map<string, Data>;
  const own = new Map<string, Data>([['name', name]]);
  fields.forEach((value, field) => void own.set(field, value));
  if (collection === 'skills') own.set('name', name);
  const audience = takeAudience(own);
  const stands = mayStand.has(collection) ? takePlaces(own) : [];
  const written = writtenItem(key, node, block, stands.length > 0);
  const order = [...own.keys(), ...extra.keys()];
  if (inMarkdown.has(collection)) moveUnknown(own, extra, block);
  if (collection === 'agents') own.set('id', name);
  if (isShown(collection)) setShown(own, name);
  const item: Changing<Item> = {
    name,
    path: pathOf(block, key),
    fields: own,
    computed: steeringFields(collection),
    resources: origin?.resources ?? [],
    order,
  };
  if (audience) item.audience = audience;
  if (stands.length > 0) item.stands = stands;
  if (origin?.into !== undefined) item.into = origin.into;
  if (origin?.source && isOnlyFrom(origin.source.name, node)) item.origin = origin.source.name;
  if (written) item.written = written;
  if (extra.size > 0) item.extra = extra;
  return item;
}

/** Collections whose items are files with front matter: what the catalogue does not know may be known to a tool. */
const inMarkdown: ReadonlySet<Collection> = new Set(['guards', 'commands', 'agents', 'skills', 'checks']);

/** Collections whose items can stand in a file as they are written. */
const mayStand: ReadonlySet<Collection> = new Set([...inMarkdown, 'mcpServers', 'hooks']);

/** What an item is called where people see it, and what stands where tools want a description. */
function setShown(fields: Map<string, Data>, name: string): void {
  const title = fields.get('title');
  fields.set('shown', title ?? name);
  fields.set('about', fields.get('description') ?? title ?? titleOf(name));
}

function takePlaces(fields: Map<string, Data>): string[] {
  const places = strings(fields.get('into'));
  fields.delete('into');
  return [...new Set(places)];
}

function moveUnknown(fields: Map<string, Data>, extra: Map<string, Data>, block: string): void {
  fields.forEach((value, field) => {
    const isList = field === 'tools' && block === 'guards';
    if (field === 'name' || (isPortable(block, field) && !isList)) return;
    extra.set(field, value);
    fields.delete(field);
  });
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
  if (node.kind === 'scalar') {
    if (!takesText(block) || (!described && typeof node.value !== 'string')) return undefined;
    const content = scalarText(node);
    return new Map([
      ['content', content],
      ...(described ? [['description', firstLine(content)] as const] : []),
    ]);
  }
  if (node.kind !== 'object') return undefined;
  const written = new Map<string, Data>();
  node.fields.forEach((value, field) => {
    written.set(portableName(block, field), fieldData(block, field, value));
  });
  // The language has no list of tools for rules; it is passed on to tools that read one.
  const list = block === 'guards' ? written.get('tools') : undefined;
  if (list !== undefined) written.delete('tools');
  const fields = shapedFields(block, written, pathOf(block, key), unplaced);
  if (list !== undefined) fields.set('tools', list);
  if (collection === 'hooks') return hookFields(key, fields);
  if (collection === 'mcpServers') return serverFields(fields);
  if (collection === 'plugins') return pluginFields(key, fields);
  if (described && !fields.has('content') && fields.has('description'))
    fields.set('content', fields.get('description')!);
  return fields;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!;
