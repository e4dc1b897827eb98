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

/** The text of a source: references, then blocks that have content. `from` is its folder below `.instr/`. */
export const entryText = (
  id: string,
  references: readonly SourceReference[],
  blocks: readonly BlockDeclaration[],
  from = '',
): string =>
  printDocument(documentOf([metaBlock(id), ...references.map(one => useOf(one, from)), ...blocks]));

/** The reference to a file from a source in a folder below `.instr/`; the default is that of the entry. */
export function useOf({ path, targets }: SourceReference, from = ''): UseDeclaration {
  const below = path.replace(/^\.instr\//, '');
  const written =
    from === '' ? `./${below}` : below.startsWith(from) ? `./${below.slice(from.length)}` : `../${below}`;
  return use(written, targets ? { targets } : {});
}
