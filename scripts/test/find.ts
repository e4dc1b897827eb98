import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../files.ts';

/** Names of folders with test data. */
const data = new Set(['golden', 'projects', 'cases', 'fixtures', 'node_modules']);

/** All `*.test.ts` files below a folder, sorted, without those in folders of test data. */
export function findTests(folder: string): string[] {
  return filesBelow(folder)
    .filter(path => path.endsWith('.test.ts') && !path.split('/').some(part => data.has(part)))
    .map(path => join(folder, path));
}

/** Whether a test, or a file that it imports outside `src/`, starts programs or uses the build output or the package. */
export function startsPrograms(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (/\bdist\/|'node:child_process'|'instr'/.test(text)) return true;
  // Sources need no build: they are compiled when they are loaded.
  return [...text.matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, target]) => join(dirname(file), target!))
    .filter(path => !/[\\/]src[\\/]/.test(path) && existsSync(path))
    .some(path => startsPrograms(path, seen));
}
