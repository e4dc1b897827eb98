/**
 * Test cases as folders of files, with the expected output next to the input. `npm run cases` writes the expected files
 * of all areas, or of the areas given by name. Review the difference.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { filesBelow } from '../../scripts/files.ts';

/** Texts by path, relative to the folder of the case. */
export type CaseFiles = Readonly<Record<string, string>>;

export interface Cases {
  readonly folder: string;
  readonly names: readonly string[];
  /** Whether a file of a case is expected output. */
  readonly isExpected: (path: string) => boolean;
  /** Computes the actual output of a case. */
  readonly run: (directory: string) => CaseFiles | Promise<CaseFiles>;
}

/**
 * The cases next to a module. `expected` names files of a case, or a folder (`out/`) that contains only expected files.
 */
export function casesBeside(module: string, expected: readonly string[], run: Cases['run']): Cases {
  // Paths of project folders are passed with slashes on every system.
  const folder = join(dirname(fileURLToPath(module)), 'cases').split(sep).join('/');
  const isExpected = (path: string) =>
    expected.some(name => (name.endsWith('/') ? path.startsWith(name) : path === name));
  return { folder, names: readdirSync(folder).sort(), isExpected, run };
}

const expectedIn = ({ isExpected }: Cases, directory: string): string[] => filesBelow(directory).filter(isExpected);

/** Adds one test for each case. */
export function addCases(test: Test, cases: Cases): void {
  for (const name of cases.names) {
    test(name, async () => {
      const directory = `${cases.folder}/${name}`;
      const found = await cases.run(directory);
      const there = expectedIn(cases, directory);
      assert.equal(there, Object.keys(found).sort(), 'unexpected set of files: run `npm run cases`');
      for (const path of there) assert.fixture(found[path]!, readFileSync(join(directory, path), 'utf8'), path);
    });
  }
}

/** Writes the expected output of every case. Returns the changed paths. */
export async function writeCases(cases: Cases): Promise<string[]> {
  const changed: string[] = [];
  for (const name of cases.names) {
    const directory = `${cases.folder}/${name}`;
    const found = await cases.run(directory);
    for (const path of expectedIn(cases, directory).filter(path => !(path in found))) {
      rmSync(join(directory, path));
      changed.push(join(directory, path));
    }
    for (const [path, text] of Object.entries(found)) {
      const file = join(directory, path);
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      changed.push(file);
    }
  }
  return changed;
}
