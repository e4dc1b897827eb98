import type { FileSpec } from '../generated/types/target.ts';
import { document } from './document/document.ts';
import type { Draft } from './draft.ts';
import { entries } from './entries/entries.ts';
import { items } from './items/items.ts';
import type { FileOf, Kind } from './kind.ts';
import { scripts } from './scripts/scripts.ts';
import { settings } from './settings/settings.ts';

/** The kinds of entries of `files`: each that the schema knows has its line. */
const table: { readonly [K in FileSpec['kind']]: Kind<FileOf<K>> } = {
  document,
  items,
  entries,
  settings,
  scripts,
};

const kinds: Readonly<Record<FileSpec['kind'], Kind>> = table;

/** What kinds are called in specs. */
export const kindNames: readonly string[] = Object.keys(table);

/** The kind of an entry of `files`. */
export const kindOf = (file: FileSpec): Kind => kinds[file.kind];

/** The kind that makes one file of all these drafts; `undefined` when they are of different forms. */
export function kindOfDrafts(drafts: readonly Draft[]): Kind | undefined {
  return all.find(kind => drafts.every(kind.makes));
}

const all = Object.values(kinds);
