/**
 * Cases as folders of real files: what a case leads to stands beside what it starts from. `npm run cases` writes the
 * former, for all areas or for those whose names are given; the difference is the review.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';

/** Texts by path in the folder of the case. */
export type CaseFiles = Readonly<Record<string, string>>;

export interface Cases {
  readonly folder: string;
  readonly names: readonly string[];
  /** Which files of a case are expectations. */
  readonly isExpected: (path: string) => boolean;
  /** What a case leads to now. */
  readonly run: (directory: string) => CaseFiles | Promise<CaseFiles>;
}

/** The cases beside a module; `expected` names files of a case, or a folder (`out/`) that holds nothing else. */
export function casesBeside(module: string, expected: readonly string[], run: Cases['run']): Cases {
  // Folders of projects come to the program with slashes, whatever the system has.
  const folder = join(dirname(fileURLToPath(module)), 'cases').split(sep).join('/');
  const isExpected = (path: string) =>
    expected.some(name => (name.endsWith('/') ? path.startsWith(name) : path === name));
  return { folder, names: readdirSync(folder).sort(), isExpected, run };
}

/** Paths of all files below a directory, sorted, with `/`. */
export const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

const expectedIn = ({ isExpected }: Cases, directory: string): string[] => filesBelow(directory).filter(isExpected);

/** One test for each case. */
export function addCases(test: Test, cases: Cases): void {
  for (const name of cases.names) {
    test(name, async () => {
      const directory = `${cases.folder}/${name}`;
      const found = await cases.run(directory);
      const there = expectedIn(cases, directory);
      assert.equal(there, Object.keys(found).sort(), 'other files than expected: run `npm run cases`');
      for (const path of there) assert.fixture(found[path]!, readFileSync(join(directory, path), 'utf8'), path);
    });
  }
}

/** Writes what every case leads to; returns what changed. */
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
