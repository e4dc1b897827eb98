import { duplicateItemName, headerOnItem, itemNameUnusable } from '../generated/diagnostics.ts';
import { findBlock, portableName } from '../resolve/catalogue.ts';
import type { Entry, Node, Program, ResolvedBlock } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import type { Span } from '../text/source.ts';
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
  if (describeCollection(collection).of === 'lists') {
    const lists = new Set((findBlock(block.name)?.fields ?? []).map(({ name }) => name));
    return listedItems(block, lists, fieldsWithoutText(collection), words.traced);
  }
  const rest: Entry[] = [];
  const names = new Map<string, string>();
  const { titles } = sectionTitles(block);
  const own = collection === 'guards' ? ownGuard(block, unplaced, words.traced) : undefined;
  const items: Item[] = own ? [own] : [];
  for (const entry of block.entries) {
    if (own && isOwn(block, entry)) continue;
    const split = splitOverlays(block.name, entry.node);
    const isItem = entry.kind === 'field' && !isSwitchedOff(collection, split.base);
    const fields = isItem ? fieldsOf(collection, block.name, entry.key, split.base, unplaced) : undefined;
    if (entry.kind !== 'field' || !fields) {
      rest.push(entry.kind === 'field' ? { ...entry, node: withoutSwitch(collection, entry.node) } : entry);
      continue;
    }
    const name = nameOf(collection, entry.key);
    if (!isUsable(name, entry, names, context)) continue;
    reportHeader(entry.key, titles.get(entry.key)?.steps[0]?.span, context);
    names.set(name.toLowerCase(), entry.key);
    items.push(itemOf(entry, name, fields, split, context));
  }
  return { items: withDistinctFiles(items), rest };
}

function isUsable(
  name: string,
  { key, node }: Extract<Entry, { kind: 'field' }>,
  names: ReadonlyMap<string, string>,
  { block, report }: TakeContext,
): boolean {
  const where = { span: node.steps[0]?.span };
  const other = names.get(name.toLowerCase());
  if (name === '') report(itemNameUnusable({ name: key, block: block.name }, where));
  else if (other !== undefined) report(duplicateItemName({ name: key, other, block: block.name }, where));
  return name !== '' && other === undefined;
}

function reportHeader(entry: string, title: Span | undefined, { block, report }: TakeContext): void {
  if (title) report(headerOnItem({ entry, block: block.name }, { span: title }));
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
    ...makeItem(program, collection, block.name, { key, node }, name, data),
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

/** Whether an entry is switched off, so that it stays in the list of the main document and gets no file. */
function isSwitchedOff(collection: Collection, node: Node): boolean {
  const name = describeCollection(collection).switch;
  const value = name !== undefined && node.kind === 'object' ? node.fields.get(name) : undefined;
  return value?.kind === 'scalar' && value.value === false;
}

/** A switched-off entry without its switch. What remains is a text, or several fields. */
function withoutSwitch(collection: Collection, node: Node): Node {
  if (!isSwitchedOff(collection, node) || node.kind !== 'object') return node;
  const name = describeCollection(collection).switch;
  const fields = new Map([...node.fields].filter(([key]) => key !== name));
  const [only] = fields.values();
  return fields.size === 1 && only ? only : { ...node, fields };
}

/** The item name for a key: `/test` is the command `test`; `a.reviewer` is the agent `a-reviewer`. */
export function nameOf(collection: Collection, key: string): string {
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

/**
 * Converts the texts in the lists of a block to items (texts without a key belong to the list ``), and
 * returns the other entries.
 */
function listedItems(
  block: ResolvedBlock,
  lists: ReadonlySet<string>,
  computed: ReadonlySet<string>,
  isTraced: boolean,
): { readonly items: readonly Item[]; readonly rest: readonly Entry[] } {
  const items: Item[] = [];
  const rest: Entry[] = [];
  let unkeyed = 0;
  const add = (list: string, path: string, node: Node) => {
    const item = listedItem(block, list, path, node, isTraced);
    if (item) items.push({ ...item, computed });
  };
  for (const entry of block.entries) {
    const { node } = entry;
    const isList = entry.kind === 'field' && lists.has(entry.key) && node.kind !== 'object';
    if (entry.kind !== 'item' && !isList) {
      rest.push(entry);
      continue;
    }
    const list = entry.kind === 'field' ? entry.key : '';
    const path = (index: number) =>
      list === '' ? `${block.name}[${unkeyed++}]` : `${block.name}.${list}[${index}]`;
    if (node.kind === 'list') node.items.forEach((item, index) => void add(list, path(index), item));
    else add(list, list === '' ? path(0) : `${block.name}.${list}`, node);
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
  const own = new Map<string, Data>();
  if (node.kind === 'object')
    for (const [field, value] of node.fields) own.set(field, fieldData(block.name, field, value));
  const audience = takeAudience(own);
  own.delete('subject');
  return {
    name: path,
    path,
    fields: new Map<string, Data>([['name', path], ['list', list], ['text', scalarText(text)], ...own]),
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
