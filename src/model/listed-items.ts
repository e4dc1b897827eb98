import type { Node, ResolvedBlock } from '../resolve/program.ts';
import { takeAudience } from './audience.ts';
import { scalarText } from './data.ts';
import { blockOrigin } from './item-origins.ts';
import type { Data, Item } from './model.ts';
import { nameOrigin } from './sourced.ts';
import { fieldData } from './typed.ts';

/** What the texts of a block become, and what is left of the block. */
export interface Listed {
  readonly items: readonly Item[];
  readonly rest: ResolvedBlock['entries'];
}

/**
 * The texts of the lists of a block as items: `list` is the field that has them, empty for loose items. One that is an object has
 * its text in `subject`, and says for whom it is.
 */
export function listedItems(
  block: ResolvedBlock,
  lists: ReadonlySet<string>,
  computed: ReadonlySet<string>,
  isTraced: boolean,
): Listed {
  const items: Item[] = [];
  const rest: ResolvedBlock['entries'][number][] = [];
  let loose = 0;
  for (const entry of block.entries) {
    const list = entry.kind === 'field' && lists.has(entry.key) ? entry.key : '';
    if (entry.kind === 'item' || (entry.kind === 'field' && list !== '' && entry.node.kind !== 'object')) {
      const nodes = entry.node.kind === 'list' ? entry.node.items : [entry.node];
      for (const [index, node] of nodes.entries()) {
        const at =
          entry.kind === 'item'
            ? `[${loose++}]`
            : `.${list}${entry.node.kind === 'list' ? `[${index}]` : ''}`;
        const item = listedItem(block, list, `${block.name}${at}`, node, computed, isTraced);
        if (item) items.push(item);
      }
    } else rest.push(entry);
  }
  return { items, rest };
}

function listedItem(
  block: ResolvedBlock,
  list: string,
  path: string,
  node: Node,
  computed: ReadonlySet<string>,
  isTraced: boolean,
): Item | undefined {
  const own = new Map<string, Data>();
  if (node.kind === 'object')
    for (const [field, value] of node.fields) own.set(field, fieldData(block.name, field, value));
  const text = node.kind === 'object' ? node.fields.get('subject') : node;
  if (text?.kind !== 'scalar') return undefined;
  const audience = takeAudience(own);
  own.delete('subject');
  return {
    name: path,
    path,
    fields: new Map<string, Data>([['name', path], ['list', list], ['text', scalarText(text)], ...own]),
    computed,
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
