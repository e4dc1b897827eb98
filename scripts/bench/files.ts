import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How many files stand below a folder: what a run wrote, so that equal work is compared. */
export function countFiles(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isDirectory() ? countFiles(join(folder, entry.name)) : 1),
    0,
  );
}
