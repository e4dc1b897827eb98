import { docs, examples } from '../generated/block-docs.ts';
import { type Block, catalogue, type Field } from '../generated/blocks.ts';
import { describedIn } from '../resolve/described.ts';
import { once } from '../text/memo.ts';

const docsByNode = once(
  () =>
    new Map<Block | Field, string>(
      [...describedIn<Field, Block>(catalogue.blocks)].map((one, at) => [one, docs[at]!]),
    ),
);

/** A description of a block or field of the catalogue, in one or two sentences. */
export const docOf = (one: Block | Field): string => docsByNode().get(one)!;

/** An example of a block in a source. */
export const exampleOf = ({ name }: Block): string => examples[name]!;
