import { duplicateItemName, headerOnItem, itemNameUnusable } from '../generated/diagnostics.ts';
import { fieldsReferring, findBlock, portableName } from '../resolve/catalogue.ts';
import { fieldIn, itemsOf } from '../resolve/draft.ts';
import type { Entry, Node, Program, ResolvedBlock } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { describeCollection, fieldsWithoutText } from './collections.ts';
import { scalarText } from './data.ts';
import { fieldsOf, makeItem, pathOf, takeAudience } from './make-item.ts';
import type { Collection, Data, Fields, Item, ItemOrigins, Unplaced } from './model.ts';
import { blockOrigin, itemOrigins, nameOrigin, pathSegment } from './origin.ts';
import { type Overlay, overlaidOrigins, type SplitEntry, splitOverlays } from './overlays.ts';
import type { TextBuilder } from './text-builder.ts';
import { fieldData, shapedFields } from './typed.ts';
import { fileNameOf } from './written-item.ts';

interface TakeContext {
  readonly program: Program;
  readonly block: ResolvedBlock;
  readonly collection: Collection;
  readonly words: TextBuilder;
  readonly unplaced: Unplaced[];
  readonly report: Report;
}

interface ItemsOfBlock {
  readonly items: readonly Item[];
  readonly rest: readonly Entry[];
}

/**
 * Converts the named entries of a block to items. Reports names that are not valid file names, and duplicate
 * names.
 */
export function takeItems(context: TakeContext): ItemsOfBlock {
  const { block, collection, words, unplaced } = context;
  if (describeCollection(collection).of === 'lists') return listedItems(context);
  const rest: Entry[] = [];
  const names = new Map<string, string>();
  const { titles } = sectionTitles(block);
  const own = collection === 'guards' ? ownGuard(block, unplaced, words.traced) : undefined;
  const items: Item[] = own ? [own] : [];
  for (const entry of block.entries) {
    if (own && isOwn(block, entry)) continue;
    const split = splitOverlays(block.name, entry.node);
    const isItem = entry.kind === 'field' && switchOf(collection, split.base) === undefined;
    const fields = isItem ? fieldsOf(collection, block.name, entry.key, split.base, unplaced) : undefined;
    if (entry.kind !== 'field' || !fields) {
      rest.push(entry.kind === 'field' ? { ...entry, node: withoutSwitch(collection, entry.node) } : entry);
      continue;
    }
    const name = usableName(entry, names, context);
    if (name === undefined) continue;
    const title = titles.get(entry.key);
    if (title)
      context.report(headerOnItem({ entry: entry.key, block: block.name }, { span: title.steps[0]!.span }));
    names.set(name.toLowerCase(), entry.key);
    items.push(itemOf(entry, name, fields, split, context));
  }
  return { items: withDistinctFiles(items), rest };
}

/** The name of the item of an entry; `undefined`, with a finding, when it cannot be used. */
function usableName(
  { key, node }: Extract<Entry, { kind: 'field' }>,
  names: ReadonlyMap<string, string>,
  { block, collection, report }: TakeContext,
): string | undefined {
  const name = nameOf(collection, key);
  const other = names.get(name.toLowerCase());
  const { span } = node.steps[0]!;
  if (name === '') report(itemNameUnusable({ name: key, block: block.name }, { span }));
  else if (other !== undefined) report(duplicateItemName({ name: key, other, block: block.name }, { span }));
  else return name;
  return undefined;
}

function itemOf(
  { key }: Extract<Entry, { kind: 'field' }>,
  name: string,
  fields: Fields,
  { base, overlays, leftOut }: SplitEntry,
  { program, block, collection, words, unplaced }: TakeContext,
): Item {
  // The folder of a skill has its name, and tools reject a skill whose front matter has another name.
  const other = collection === 'skills' ? fields.get('name') : undefined;
  if (other !== undefined && other !== name)
    unplaced.push({ path: `${pathOf(block.name, key)}.name`, text: String(other), advice: skillName });
  const make = (node: Node, data: Fields): Item => ({
    ...makeItem(program, collection, block.name, { key, node }, name, withAgentNames(program, block, data)),
    ...(words.traced && { origins: itemOrigins(program, block, { key, node }, collection) }),
  });
  const item = make(base, fields);
  const variants = overlays.flatMap(overlay => {
    const data = fieldsOf(collection, block.name, key, overlay.node, unplaced);
    return data ? [[overlay.at[1], overlaid(make(overlay.node, data), overlay, item)] as const] : [];
  });
  const except = [...(item.audience?.except ?? []), ...leftOut];
  return {
    ...item,
    ...(leftOut.length > 0 && { audience: { ...item.audience, except } }),
    ...(variants.length > 0 && { variants: new Map(variants) }),
  };
}

/** The fields of an entry with agents by the names of their files: `team.reviewer` is `team-reviewer`. */
function withAgentNames({ blocks }: Program, block: ResolvedBlock, fields: Fields): Fields {
  const named = new Map(fields);
  for (const field of fieldsReferring(block.name, 'agents')) {
    const agent = fields.get(field);
    const isAgent = (entry: Entry) => entry.kind === 'field' && entry.key === agent;
    if (typeof agent === 'string' && blocks.get('agents')?.entries.some(isAgent))
      named.set(field, nameOf('agents', agent));
  }
  return named;
}

/** The item that one tool gets instead of the common one. */
function overlaid({ origin: _, written: __, ...item }: Item, overlay: Overlay, { written }: Item): Item {
  return {
    ...item,
    ...(written && { written }),
    ...(item.origins && { origins: overlaidOrigins(item.origins, item, overlay) }),
    ...(overlay.native.size > 0 && { native: overlay.native }),
    ...(overlay.fields.size > 0 && { own: overlay.fields }),
  };
}

const skillName = 'A skill has the name of its entry, which is the name of its folder: rename the entry.';

/** Items from two folders with the same file name get files named after their entries. */
function withDistinctFiles(items: readonly Item[]): readonly Item[] {
  const fileOf = ({ name, written }: Item) => (written?.file ?? name).toLowerCase();
  const count = groupBy(items, fileOf);
  return items.map(item =>
    item.written && count.get(fileOf(item))!.length > 1
      ? { ...item, written: { ...item.written, file: item.name } }
      : item,
  );
}

/** The field by which an entry is switched off, so that it stays in the main document and gets no file. */
function switchOf(collection: Collection, node: Node): string | undefined {
  const { switch: name } = describeCollection(collection);
  const value = name === undefined ? undefined : fieldIn(node, name);
  return value?.kind === 'scalar' && value.value === false ? name : undefined;
}

/** A switched-off entry without its switch. What remains is a text, or several fields. */
function withoutSwitch(collection: Collection, node: Node): Node {
  const name = switchOf(collection, node);
  if (name === undefined || node.kind !== 'object') return node;
  const fields = new Map([...node.fields].filter(([key]) => key !== name));
  const [only] = fields.values();
  return fields.size === 1 && only ? only : { ...node, fields };
}

/** The item name for a key: `/test` is the command `test`; `a.reviewer` is the agent `a-reviewer`. */
function nameOf(collection: Collection, key: string): string {
  const { prefix, qualified } = describeCollection(collection);
  let name = key;
  while (prefix !== undefined && name.startsWith(prefix)) name = name.slice(prefix.length);
  return fileNameOf(qualified ? name.replaceAll('.', '-') : name);
}

const guardFields: ReadonlySet<string> = new Set([
  'globs',
  'description',
  'content',
  'requires',
  ...(findBlock('guards')?.fields ?? []).map(({ name }) => name),
]);

/** Whether a field of a block belongs to the block's own rule when its value is not an object. */
export const isOwnField = (block: string, key: string): boolean =>
  block === 'guards' && guardFields.has(portableName(block, key));

/** Whether an entry of `@guards` belongs to the block's own rule rather than being a named one. */
const isOwn = (block: ResolvedBlock, entry: Entry): boolean =>
  entry.kind === 'text' ||
  (entry.kind === 'field' && entry.node.kind !== 'object' && isOwnField(block.name, entry.key));

function ownGuard(block: ResolvedBlock, unplaced: Unplaced[], isTraced: boolean): Item | undefined {
  const written = new Map<string, Data>([['name', 'guards']]);
  const texts: string[] = [];
  for (const entry of block.entries.filter(one => isOwn(block, one))) {
    if (entry.kind !== 'field' || (entry.key === 'content' && entry.node.kind === 'scalar')) {
      if (entry.node.kind === 'scalar') texts.push(scalarText(entry.node));
    } else written.set(portableName(block.name, entry.key), fieldData(block.name, entry.key, entry.node));
  }
  const fields = shapedFields(block.name, written, block.name, unplaced);
  if (!fields.has('globs')) return undefined;
  if (texts.length > 0) fields.set('content', texts.join('\n\n'));
  const audience = takeAudience(fields);
  return {
    name: 'guards',
    path: 'guards',
    fields,
    computed: fieldsWithoutText('guards'),
    ...(audience && { audience }),
    resources: [],
    ...(isTraced && { origins: ownGuardOrigins(block) }),
  };
}

function ownGuardOrigins(block: ResolvedBlock): ItemOrigins {
  let texts = 0;
  const sources = block.entries
    .filter(entry => isOwn(block, entry))
    .map(entry => {
      const isField = entry.kind === 'field';
      const path = isField ? `${block.name}.${pathSegment(entry.key)}` : `${block.name}[${texts++}]`;
      return {
        field: isField ? portableName(block.name, entry.key) : 'content',
        path,
        node: entry.node,
      };
    });
  const name = blockOrigin(block);
  return { block: name, name, fields: groupBy(sources, ({ field }) => field) };
}

/** Converts the texts in the lists of a block to items; texts without a key belong to the list ``. */
function listedItems({ block, collection, words }: TakeContext): ItemsOfBlock {
  const lists = new Set((findBlock(block.name)?.fields ?? []).map(({ name }) => name));
  const items: Item[] = [];
  const rest: Entry[] = [];
  let unkeyed = 0;
  for (const entry of block.entries) {
    const { kind, node } = entry;
    const isList = kind === 'field' && lists.has(entry.key) && node.kind !== 'object';
    if (kind !== 'item' && !isList) {
      rest.push(entry);
      continue;
    }
    const list = kind === 'field' ? entry.key : '';
    for (const [index, item] of itemsOf(node).entries()) {
      const keyed = node.kind === 'list' ? `${block.name}.${list}[${index}]` : `${block.name}.${list}`;
      const path = list === '' ? `${block.name}[${unkeyed++}]` : keyed;
      const listed = listedItem(block, list, path, item, words.traced);
      if (listed) items.push({ ...listed, computed: fieldsWithoutText(collection) });
    }
  }
  return { items, rest };
}

function listedItem(
  block: ResolvedBlock,
  list: string,
  path: string,
  node: Node,
  isTraced: boolean,
): Omit<Item, 'computed'> | undefined {
  const text = node.kind === 'object' ? node.fields.get('subject') : node;
  if (text?.kind !== 'scalar') return undefined;
  const more = new Map<string, Data>();
  if (node.kind === 'object')
    for (const [field, value] of node.fields) more.set(field, fieldData(block.name, field, value));
  const audience = takeAudience(more);
  more.delete('subject');
  return {
    name: path,
    path,
    fields: new Map<string, Data>([['name', path], ['list', list], ['text', scalarText(text)], ...more]),
    resources: [],
    ...(audience && { audience }),
    ...(isTraced && {
      origins: {
        block: blockOrigin(block),
        name: nameOrigin(path, scalarText(text), text),
        fields: new Map([['text', [{ path, node: text }]]]),
      },
    }),
  };
}
