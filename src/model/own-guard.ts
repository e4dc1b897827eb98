import { findBlock, portableName } from '../resolve/catalogue.ts';
import type { Entry, ResolvedBlock } from '../resolve/program.ts';
import { groupBy } from '../text/group.ts';
import { takeAudience } from './audience.ts';
import { steeringFields } from './collections.ts';
import { scalarText } from './data.ts';
import { blockOrigin } from './item-origins.ts';
import type { Data, Item, Unplaced } from './model.ts';
import type { ItemOrigins } from './origin.ts';
import { shapedFields } from './shapes.ts';
import { pathSegment } from './sourced.ts';
import { fieldData } from './typed.ts';

/** The fields that the block's own rule can have. */
const guardFields: ReadonlySet<string> = new Set([
  'globs',
  'description',
  'content',
  'requires',
  ...(findBlock('guards')?.fields ?? []).map(({ name }) => name),
]);

/** Whether a field of a block is one of the block's own rule when it holds no fields itself. */
export const isOwnField = (block: string, key: string): boolean =>
  block === 'guards' && guardFields.has(portableName(block, key));

/** Whether an entry of `@guards` is part of the block's own rule, and no named one. */
export const isOwn = (block: ResolvedBlock, entry: Entry): boolean =>
  entry.kind === 'text' ||
  (entry.kind === 'field' && entry.node.kind !== 'object' && isOwnField(block.name, entry.key));

/** The block's own rule, if it has globs: the fields and texts directly in `@guards`. */
export function ownGuard(block: ResolvedBlock, unplaced: Unplaced[], isTraced: boolean): Item | undefined {
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
    computed: steeringFields('guards'),
    ...(audience && { audience }),
    resources: [],
    ...(isTraced && { origins: ownGuardOrigins(block) }),
  };
}

/** The origins of the block's own rule: its texts are the content. */
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
