import { docs, examples } from '../generated/block-docs.ts';
import { type Block, catalogue, type Field } from '../generated/blocks.ts';
import { describedIn } from '../resolve/described.ts';
import { once } from '../text/memo.ts';

const known = once(
  () =>
    new Map<Block | Field, string>(
      [...describedIn<Field, Block>(catalogue.blocks)].map((one, at) => [one, docs[at]!]),
    ),
);

/** What a block or a field of the catalogue is for, in a sentence or two. */
export const docOf = (one: Block | Field): string => known().get(one)!;

/** How a block looks in a source. */
export const exampleOf = ({ name }: Block): string => examples[name]!;
