import type { LockEntry } from './lock.ts';

/**
 * Combines the entries of both sides of a merge conflict. If they pin a source differently, ours is kept and
 * `onDifference` is called, because a merge must not change the version of a source.
 */
export function joinSides(
  ours: readonly LockEntry[],
  theirs: readonly LockEntry[],
  onDifference: (ours: LockEntry, theirs: LockEntry) => void,
): LockEntry[] {
  const joined = new Map(ours.map(entry => [entry.source, entry]));
  for (const entry of theirs) {
    const own = joined.get(entry.source);
    if (!own) joined.set(entry.source, entry);
    else if (own.commit === entry.commit && own.url === entry.url) {
      const differs = [...entry.files].some(([path, hash]) => (own.files.get(path) ?? hash) !== hash);
      if (differs) onDifference(own, entry);
      joined.set(entry.source, { ...own, files: new Map([...entry.files, ...own.files]) });
    } else onDifference(own, entry);
  }
  return [...joined.values()];
}
