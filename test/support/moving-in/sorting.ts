/**
 * Measures how much of the order and of the headings of main files is kept when a migration sorts texts into blocks.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HeadedBlock, headedBlocks } from '../../../scripts/corpus/compare.ts';
import { contextFor } from '../../../scripts/corpus/projects.ts';
import { compileProject } from '../../../src/project/compile.ts';
import { migrateProject } from '../../../src/project/move-in/migrate.ts';
import { builtinSpec } from '../../../src/spec/load.ts';
import { loadTexts } from '../../../src/spec/loading/load.ts';
import type { Diagnostic } from '../../../src/text/diagnostics/diagnostic.ts';
import { readFrontMatter } from '../../../src/text/front-matter.ts';
import { type Texts, textsBelow } from './measure.ts';
import { listRepositories, type Repository } from './repositories.ts';

export interface Sorted {
  readonly name: string;
  /**
   * Main files that tools load, and how many of them keep their order, and how many keep all text below its heading.
   */
  readonly mains: number;
  readonly ordered: number;
  readonly headed: number;
  readonly problems: readonly string[];
}

/** Measures and prints. Returns whether everything was kept. */
export async function measureSorting(
  folder: string,
  verbose: boolean,
  only: string | undefined,
): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'prs-sorting-'));
  const rows: Sorted[] = [];
  try {
    for (const repository of [...listRepositories(folder), ...bodies(join(folder, 'corpus'))]) {
      if (only !== undefined && !repository.name.includes(only)) continue;
      const row = await sortRepository(repository, join(scratch, 'repository'));
      rows.push(row);
      const good = row.problems.length === 0 && row.ordered === row.mains && row.headed === row.mains;
      if (!good || (verbose && !repository.single))
        console.log(
          `${good ? ' ' : '!'} ${row.name.padEnd(60)} in order ${row.ordered}/${row.mains}  below their headings ${row.headed}/${row.mains}`,
        );
      for (const problem of row.problems.slice(0, verbose ? 100 : 3)) console.log(`      ${problem}`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const sum = (pick: (row: Sorted) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const mains = sum(row => row.mains);
  const failed = rows.filter(({ problems }) => problems.length > 0).length;
  const [ordered, headed] = [sum(row => row.ordered), sum(row => row.headed)];
  console.log(
    `\n${rows.length} repositories, ${rows.length - failed} without a problem · main files in their order ${ordered} of ${mains} · everything below its heading ${headed} of ${mains}`,
  );
  return failed === 0 && ordered === mains && headed === mains;
}

/** The body of every Markdown file of the corpus as the main file of a repository. */
function bodies(folder: string): Repository[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.mdc?$/.test(path) && path !== 'README.md' && !path.startsWith('prs/'))
    .sort()
    .map(path => ({
      name: `as a main file: ${path}`,
      single: true,
      make: root => {
        const text = readFileSync(join(folder, path), 'utf8');
        mkdirSync(root, { recursive: true });
        const body = text
          .split(/(?<=\n)/)
          .slice(readFrontMatter(text).lines)
          .join('');
        writeFileSync(join(root, 'AGENTS.md'), body);
      },
    }));
}

export async function sortRepository(repository: Repository, root: string): Promise<Sorted> {
  rmSync(root, { recursive: true, force: true });
  repository.make(root);
  const problems: string[] = [];
  const context = contextFor(
    root,
    ({ code, severity, message, file, line }: Diagnostic & { line?: number }) => {
      if (severity === 'error' && code !== 'PRS9410')
        problems.push(`${code} ${file ?? ''}:${line ?? ''} ${message}`);
    },
  );
  const before = textsBelow(root);
  const nothing = { name: repository.name, mains: 0, ordered: 0, headed: 0 };
  const moved = await migrateProject({ dryRun: false, files: [] }, context);
  if (!moved) return { ...nothing, problems: problems.filter(line => !/PRS94(?:00|03|30)/.test(line)) };
  const compiled = await compileProject({ mode: 'write', force: true }, context);
  if (typeof compiled === 'string') return { ...nothing, problems: [...problems, compiled] };
  const after = textsBelow(root);
  const known = new Set(compiled.entries.map(({ path }) => path));
  // Files that are not adopted are excluded: files that a main file imports with an `@` line, and samples.
  const adopted = new Set(
    moved.found.map(({ path }) => path).filter(path => !moved.migration.keptFiles.includes(path)),
  );
  const done = new Set<string>();
  let [mains, ordered, headed] = [0, 0, 0];
  for (const id of moved.targets) {
    const { spec } = builtinSpec(id)!;
    const read = [...new Set([...before.keys()].map(path => path.replace(/[^/]*$/, 'file')))];
    const load = (texts: Texts) => loadTexts(spec, texts, { at: '', read }).parts;
    const actual = (await Promise.all(load(after).map(({ text }) => headedBlocks(text)))).flat();
    const stale = load(after).filter(
      ({ path }) => !known.has(path) && adopted.has(path) && !isLink(join(root, path)),
    );
    for (const { path, text } of stale)
      if (!moved.migration.pointers.includes(path) && text.trim() !== '')
        problems.push(`${id} still reads ${path}, which nothing replaces`);
    for (const { path, text } of load(before)) {
      if (done.has(`${id} ${path}`) || text.trim() === '' || moved.migration.pointers.includes(path))
        continue;
      done.add(`${id} ${path}`);
      mains++;
      const expected = await headedBlocks(text);
      const gone = firstWithout(expected, actual, () => true);
      const under = firstWithout(expected, actual, isBelow);
      if (gone === undefined) ordered++;
      else problems.push(`${id} ${path}: not in order: ${JSON.stringify(gone.block.slice(0, 100))}`);
      if (under === undefined) headed++;
      else if (!gone)
        problems.push(`${id} ${path}: not below its heading: ${JSON.stringify(under.block.slice(0, 100))}`);
    }
  }
  return { name: repository.name, mains, ordered, headed, problems };
}

const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();

/** The first block that does not follow the block before it. */
function firstWithout(
  expected: readonly HeadedBlock[],
  actual: readonly HeadedBlock[],
  fits: (one: HeadedBlock, other: HeadedBlock) => boolean,
): HeadedBlock | undefined {
  let at = 0;
  return expected.find(one => {
    const found = actual.findIndex(
      (other, index) => index >= at && other.block === one.block && fits(one, other),
    );
    at = found + 1;
    return found === -1;
  });
}

/** Whether all headings above the first block are also above the other block, in the same order. */
const isBelow = ({ headings }: HeadedBlock, other: HeadedBlock): boolean => {
  let at = 0;
  return headings.every(heading => {
    at = other.headings.indexOf(heading, at) + 1;
    return at > 0;
  });
};
