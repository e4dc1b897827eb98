import type { Data } from '../../model/model.ts';
import type { BlockDeclaration, Field, UseDeclaration } from '../../syntax/ast.ts';
import { documentOf, field, use, value } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { isObject } from '../../text/data.ts';
import { entryField, metaBlock } from '../import/document.ts';

/** A reference of an entry to a file below `.instr/`. */
export interface SourceReference {
  readonly path: string;
  readonly targets?: readonly string[];
}

/** An item of a block with its name. */
export const itemField = ([key, data]: readonly [string, Data]): Field =>
  isObject(data) ? entryField(key, Object.entries(data)) : field(key, value(data));

/** The text of an entry: references, then blocks that have content. */
export const entryText = (
  id: string,
  references: readonly SourceReference[],
  blocks: readonly BlockDeclaration[],
): string => printDocument(documentOf([metaBlock(id), ...references.map(useOf), ...blocks]));

/** The reference of an entry to a file below `.instr/`. */
export const useOf = ({ path, targets }: SourceReference): UseDeclaration =>
  use(path.replace(/^\.instr\//, './'), targets ? { targets } : {});
