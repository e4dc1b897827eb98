import type { FileSpec } from '../generated/types/target.ts';
import { reader as document } from './document/read.ts';
import { reader as entries } from './entries/read.ts';
import { reader as items } from './items/read.ts';
import type { FileOf, Reader } from './kind.ts';
import { reader as scripts } from './scripts/read.ts';

/** The kinds of `table.ts` as they are read; a settings file holds nothing of a program. */
const table: { readonly [K in FileSpec['kind']]: Reader<FileOf<K>> | undefined } = {
  document,
  items,
  entries,
  settings: undefined,
  scripts,
};

const readers: Readonly<Record<FileSpec['kind'], Reader | undefined>> = table;

/** The reader of an entry; `undefined` for one whose files hold nothing of a program. */
export const readerOf = (file: FileSpec): Reader | undefined => readers[file.kind];
