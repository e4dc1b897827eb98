import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders of test data. */
const data = new Set(['golden', 'projects', 'cases', 'fixtures', 'node_modules']);

/** All `*.test.ts` below a folder, sorted; folders of test data are not entered. */
export function findTests(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return data.has(entry.name) ? [] : findTests(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
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
