import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startsPrograms } from './find.ts';
import type { FileResult } from './run-file.ts';

export type Durations = Readonly<Record<string, number>>;

/** Milliseconds that each file took in its last run; empty if unknown. */
export function readDurations(path: string): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** Stores the durations of a run. Durations of files that did not run are kept. */
export function keepDurations(path: string, results: readonly FileResult[]): void {
  const found = Object.fromEntries(results.map(({ name, milliseconds }) => [name, Math.round(milliseconds)]));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...readDurations(path), ...found }, null, 2)}\n`);
}

/**
 * Sorts the longest files first: a long file that starts last would leave other cores idle. Files without a known duration
 * are ordered by size; files that start programs weigh more.
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
