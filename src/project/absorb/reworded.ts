import type { Surroundings } from './candidates.ts';
import { type Entry, linesOfEntry } from './source-values.ts';
import { transferEdit } from './transfer.ts';
import type { Candidate } from './trial.ts';

/** So many ways are tried for one value. */
const mostWays = 16;

/**
 * Ways to change words of an entry that a value of a file is put together from, such as the line of a command with the
 * quotes and the folder that its tool needs.
 */
export function reworded(
  entry: Entry,
  values: readonly { readonly was: unknown; readonly is: unknown }[],
  around: Surroundings,
): Candidate[] {
  const words = values.length === 1 ? changedWords(values[0]!.was, values[0]!.is) : undefined;
  if (!words) return [];
  const lines = around.sourceLines(entry.file);
  const [from, to] = (lines && linesOfEntry(lines.join('\n'), entry)) ?? [0, -1];
  const found: Candidate[] = [];
  for (let at = from; at <= to; at++)
    for (const text of transferEdit(lines![at]!.replace(/\r$/, ''), ...words))
      found.push({ edits: [{ file: entry.file, at, remove: 1, insert: [text] }] });
  return found.slice(0, mostWays);
}

/** The one text within a value that is another one now; `undefined`: there are several, or none. */
function changedWords(was: unknown, is: unknown): readonly [string, string] | undefined {
  if (typeof was === 'string' && typeof is === 'string') return [was, is];
  const [had, has] = [was, is].map(value =>
    typeof value === 'object' && value ? Object.entries(value) : [],
  );
  if (had!.length !== has!.length || had!.some(([key], at) => has![at]![0] !== key)) return undefined;
  const changed = had!.flatMap(([, value], at) => {
    const next: unknown = has![at]![1];
    return JSON.stringify(value) === JSON.stringify(next) ? [] : [[value, next] as const];
  });
  return changed.length === 1 ? changedWords(...changed[0]!) : undefined;
}
