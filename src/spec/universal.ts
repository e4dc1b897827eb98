import { records } from '../generated/collections.ts';
import type { ItemFiles } from '../generated/types/target.ts';

/** The files of a collection in the universal directory, as a spec would describe them; `undefined` when it has none there. */
export function universalFiles(collection: string): ItemFiles | undefined {
  const universal = records.find(({ name }) => name === collection)?.universal;
  // The types of specs name the collections that specs have places for; the catalogue may have more.
  return universal && ({ kind: 'items', of: collection, ...universal } as unknown as ItemFiles);
}

/** Those of all collections, as import meets them. */
export const allUniversalFiles = (): readonly ItemFiles[] =>
  records.flatMap(({ name }) => universalFiles(name) ?? []);
