import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../files.ts';

/** Folders of test data. */
const data = new Set(['golden', 'projects', 'cases', 'fixtures', 'node_modules']);

/** All `*.test.ts` below a folder, sorted; folders of test data are not entered. */
export function findTests(folder: string): string[] {
  return filesBelow(folder)
    .filter(path => path.endsWith('.test.ts') && !path.split('/').some(part => data.has(part)))
    .map(path => join(folder, path));
}

/** Whether a test, or a file that it imports from its own tree, starts programs or speaks of what only a build makes, as the package itself. */
export function startsPrograms(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (/\bdist\/|'node:child_process'|'instr'/.test(text)) return true;
  // What tests import from the sources is compiled as it is loaded.
  return [...text.matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, target]) => join(dirname(file), target!))
    .filter(path => !/[\\/]src[\\/]/.test(path) && existsSync(path))
    .some(path => startsPrograms(path, seen));
}
