import type { Entry, Node, ResolvedBlock } from '../resolve/program.ts';
import { takeAudience } from './audience.ts';
import { scalarText } from './data.ts';
import { blockOrigin } from './item-origins.ts';
import type { Data, Item } from './model.ts';
import { nameOrigin } from './sourced.ts';
import { fieldData } from './typed.ts';

/**
 * The texts of the lists of a block as items, and the entries that are no lists. Fields in `lists` have lists; loose items
 * are in the list ``. A text that is an object has its text in `subject`, and can name its tools.
 */
export function listedItems(
  block: ResolvedBlock,
  lists: ReadonlySet<string>,
  computed: ReadonlySet<string>,
  isTraced: boolean,
): { readonly items: readonly Item[]; readonly rest: readonly Entry[] } {
  const items: Item[] = [];
  const rest: Entry[] = [];
  let loose = 0;
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
      list === '' ? `${block.name}[${loose++}]` : `${block.name}.${list}[${index}]`;
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
