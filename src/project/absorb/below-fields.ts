import { isPortable } from '../../resolve/catalogue.ts';
import { blankEndsOff, type Surroundings } from './candidates.ts';
import { entryOf, waysForAll } from './fields.ts';
import type { Hunk } from './hunks.ts';
import type { Candidate } from './trial.ts';

/**
 * The way to put lines at the end of the file of an item, below what is made of its fields: the entry has a field for
 * what stands there.
 */
export async function belowFields({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const lines = blankEndsOff(added);
  const isBlank = (line: string) => line.trim() === '';
  const isLast = around.lines.slice(at + removed.length).every(isBlank);
  if (lines.length === 0 || !removed.every(isBlank) || !isLast) return [];
  const entry = await entryOf(around);
  if (!entry || !isPortable(entry.block, 'closing')) return [];
  return waysForAll(entry, [{ path: ['closing'], value: lines.join('\n') }], around);
}
