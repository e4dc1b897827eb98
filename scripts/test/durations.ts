import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startsPrograms } from './find.ts';
import type { FileResult } from './run-file.ts';

export type Durations = Readonly<Record<string, number>>;

/** Milliseconds that each file took when it ran last; nothing when that is not known. */
export function readDurations(path: string): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** Remembers the durations of a run beside those of files that it left out. */
export function keepDurations(path: string, results: readonly FileResult[]): void {
  const found = Object.fromEntries(results.map(({ name, milliseconds }) => [name, Math.round(milliseconds)]));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...readDurations(path), ...found }, null, 2)}\n`);
}

/**
 * A file that takes long and starts last keeps one core waiting for the other. Of files that never ran here, those that
 * start the program come first, and long ones before short ones.
 */
export function longestFirst(
  files: readonly string[],
  durationOf: (file: string) => number | undefined,
): string[] {
  const weigh = (file: string) => durationOf(file) ?? statSync(file).size * (startsPrograms(file) ? 4 : 0.5);
  return files
    .map(file => ({ file, weight: weigh(file) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ file }) => file);
}
