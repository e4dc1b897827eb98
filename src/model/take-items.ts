import type { Report } from '../diagnostics/diagnostic.ts';
import { type Fix, removing } from '../diagnostics/fixes.ts';
import { duplicateItemName, headerOnItem, itemNameUnusable } from '../generated/diagnostics.ts';
import { findBlock } from '../resolve/catalogue.ts';
import type { Entry, Node, Program, ResolvedBlock } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import type { Changing } from '../text/changing.ts';
import type { Span } from '../text/source.ts';
import { describeCollection, steeringFields } from './collections.ts';
import { itemOrigins, ownGuardOrigins } from './item-origins.ts';
import { listedItems } from './listed-items.ts';
import { fieldsOf, makeItem, pathOf } from './make-item.ts';
import type { Collection, Fields, Item, Unplaced } from './model.ts';
import { fileNameOf } from './names.ts';
import { type Overlay, overlaidOrigins, splitOverlays } from './overlays.ts';
import { isOwn, ownGuard } from './own-guard.ts';
import type { Wording } from './wording.ts';

/** Turns the named entries of a block into items and gives back the entries that are none. */
export function takeItems(
  program: Program,
  block: ResolvedBlock,
  collection: Collection,
  items: Item[],
  words: Wording,
  unplaced: Unplaced[],
  report: Report,
): readonly Entry[] {
  if (describeCollection(collection).of === 'lists') {
    const lists = new Set((findBlock(block.name)?.fields ?? []).map(({ name }) => name));
    const listed = listedItems(block, lists, steeringFields(collection), words.traced);
    items.push(...listed.items);
    return listed.rest;
  }
  const rest: Entry[] = [];
  const taken = new Map<string, string>();
  const { titles } = sectionTitles(block);
  const own = collection === 'guards' ? ownGuard(block, unplaced) : undefined;
  if (own)
    items.push(
      words.traced ? { ...own, origins: ownGuardOrigins(block, entry => isOwn(block, entry)) } : own,
    );
  for (const entry of block.entries) {
    if (own && isOwn(block, entry)) continue;
    const { base, overlays, leftOut } = splitOverlays(block.name, entry.node);
    const fields =
      entry.kind === 'field' && !isListed(collection, base)
        ? fieldsOf(collection, block.name, entry.key, base, unplaced)
        : undefined;
    if (entry.kind !== 'field' || !fields) {
      rest.push(entry.kind === 'field' ? { ...entry, node: listed(collection, entry.node) } : entry);
      continue;
    }
    const name = nameOf(collection, entry.key);
    const span = entry.node.steps[0]?.span;
    const clash = taken.get(name.toLowerCase());
    if (name === '') report(itemNameUnusable({ name: entry.key, block: block.name }, { span }));
    else if (clash !== undefined)
      report(duplicateItemName({ name: entry.key, other: clash, block: block.name }, { span }));
    else {
      const title = titles.get(entry.key)?.steps[0]?.span;
      if (title) {
        const holes = { entry: entry.key, block: block.name };
        report(headerOnItem(holes, { span: title, fixes: withoutHeader(title) }));
      }
      taken.set(name.toLowerCase(), entry.key);
      // The folder of a skill has its name, and tools refuse a skill whose front matter has another name.
      const other = collection === 'skills' ? fields.get('name') : undefined;
      if (other !== undefined && other !== name)
        unplaced.push({
          path: `${pathOf(block.name, entry.key)}.name`,
          text: String(other),
          advice: skillName,
        });
      const make = (node: Node, said: Fields): Item => {
        const item = makeItem(program, collection, block.name, { key: entry.key, node }, name, said);
        if (!words.traced) return item;
        return { ...item, origins: itemOrigins(program, block, { key: entry.key, node }, collection) };
      };
      const whole = make(base, fields);
      const variants = overlays.flatMap(overlay => {
        const said = fieldsOf(collection, block.name, entry.key, overlay.node, unplaced);
        return said ? [[overlay.at[1], overlaid(make(overlay.node, said), overlay, whole)] as const] : [];
      });
      const item: Changing<Item> = overlays.length + leftOut.length === 0 ? whole : { ...whole };
      if (leftOut.length > 0)
        item.audience = { ...whole.audience, except: [...(whole.audience?.except ?? []), ...leftOut] };
      if (variants.length > 0) item.variants = new Map(variants);
      items.push(item);
    }
  }
  keepFileNames(items);
  return rest;
}

/** The item that one tool gets in the place of the others. */
function overlaid({ origin: _, written: __, ...item }: Item, overlay: Overlay, { written }: Item): Item {
  return {
    ...item,
    ...(written && { written }),
    ...(item.origins && { origins: overlaidOrigins(item.origins, item, overlay) }),
    ...(overlay.native.size > 0 && { native: overlay.native }),
    ...(overlay.fields.size > 0 && { own: overlay.fields }),
  };
}

/** Removes the `@header` that a title belongs to. */
function withoutHeader(title: Span): readonly Fix[] {
  const { source, start, end } = title;
  const header = /@header[ \t]+\S+\s+$/.exec(source.text.slice(0, start));
  return header ? [removing('Remove `@header`', { source, start: header.index, end })] : [];
}

const skillName = 'A skill has the name of its entry, which is the name of its folder: rename the entry.';

/** Two items from two folders with the same file name get files by the names of their entries. */
function keepFileNames(items: Item[]): void {
  const files = items.map(({ name, written }) => (written?.file ?? name).toLowerCase());
  const seen = new Set<string>();
  const twice = new Set(files.filter(file => seen.has(file) || !seen.add(file)));
  if (twice.size === 0) return;
  for (const [index, item] of items.entries()) {
    if (!item.written || !twice.has(files[index]!)) continue;
    items[index] = { ...item, written: { ...item.written, file: item.name } };
  }
}

/** Whether the switch of an entry is off, so that it stays in the list of the main document and gets no file. */
function isListed(collection: Collection, node: Node): boolean {
  const name = describeCollection(collection).switch;
  if (name === undefined || node.kind !== 'object') return false;
  const value = node.fields.get(name);
  return value?.kind === 'scalar' && value.value === false;
}

/** A listed entry without its switch; what is left of it is a text, or fields when there are several. */
function listed(collection: Collection, node: Node): Node {
  if (!isListed(collection, node) || node.kind !== 'object') return node;
  const off = describeCollection(collection).switch;
  const fields = new Map([...node.fields].filter(([key]) => key !== off));
  const [only] = fields.values();
  return fields.size === 1 && only ? only : { ...node, fields };
}

/** `/test` is the command `test`; `a.reviewer` is the agent `a-reviewer`. */
export function nameOf(collection: Collection, key: string): string {
  const { prefix, qualified } = describeCollection(collection);
  let name = key;
  while (prefix !== undefined && name.startsWith(prefix)) name = name.slice(prefix.length);
  return fileNameOf(qualified ? name.replaceAll('.', '-') : name);
}
