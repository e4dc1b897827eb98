import { records } from '../generated/collections.ts';
import type { ItemFiles } from '../generated/types/target.ts';

/** The files of a collection in the universal directory, as a spec would describe them; `undefined` when it has none there. */
export function universalFiles(collection: string): ItemFiles | undefined {
  const universal = records.find(({ name }) => name === collection)?.universal;
  // The schema of specs may not know a collection that no spec has places for.
  if (!universal) return undefined;
  return { kind: 'items', of: collection, ...universal } as unknown as ItemFiles;
}

/** Those of all collections, as import meets them. */
export const allUniversalFiles = (): readonly ItemFiles[] =>
  records.flatMap(({ name, universal }) =>
    universal ? [{ kind: 'items', of: name, ...universal } as unknown as ItemFiles] : [],
  );
