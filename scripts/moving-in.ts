/**
 * Measures on real repositories whether a migration that keeps files satisfies its promises: every main file is adopted,
 * there are no conflicts, no more text is always loaded, and Git shows no changes outside of `.instr/` and `instr.yaml`.
 * `npm run moving-in [folder] [-v] [--only=part-of-a-name]`. The folder contains `repositories/` and `corpus/`, or its
 * subfolders are the repositories. `--static` measures the sorting migration instead: every main file keeps its order, all
 * text stays below its heading, and there are no errors.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, measure } from '../test/support/moving-in/measure.ts';
import { listRepositories } from '../test/support/moving-in/repositories.ts';
import { measureSorting } from '../test/support/moving-in/sorting.ts';

const root = join(fileURLToPath(import.meta.url), '../..');
const verbose = process.argv.includes('-v');
const only = process.argv.find(word => word.startsWith('--only='))?.slice('--only='.length);
const folder = resolve(process.argv.slice(2).find(word => !word.startsWith('-')) ?? join(root, '../shared'));

if (!existsSync(folder)) {
  console.log(`There is no folder ${folder}. Pass a folder with \`repositories/\` and \`corpus/\`.`);
  process.exit(0);
}

if (process.argv.includes('--static')) {
  process.exitCode = (await measureSorting(folder, verbose, only)) ? 0 : 1;
  process.exit();
}

const scratch = mkdtempSync(join(tmpdir(), 'prs-moving-in-'));
const rows: Measured[] = [];
try {
  for (const repository of listRepositories(folder)) {
    if (only !== undefined && !repository.name.includes(only)) continue;
    const row = await measure(repository, scratch);
    rows.push(row);
    if (!repository.single || !isGood(row) || verbose) show(row);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function isGood({ mains, adopted, conflicts, loaded, outside, restless, problem }: Measured): boolean {
  const isStable = conflicts + outside + restless === 0;
  return problem === undefined && mains === adopted && isStable && loaded <= 1;
}

function show(row: Measured): void {
  const { name, mains, adopted, items, keptItems, conflicts, loaded, outside, restless, problem, left } = row;
  const numbers = `main files ${adopted}/${mains}  others ${keptItems}/${items}  conflicts ${conflicts}  loaded ×${loaded.toFixed(2)}  outside ${outside}${restless > 0 ? `  unstable ${restless}` : ''}`;
  console.log(`${isGood(row) ? ' ' : '!'} ${name.padEnd(44)} ${problem ?? numbers}`);
  if (verbose) for (const line of left) console.log(`      ${line}`);
}

const sum = (pick: (row: Measured) => number) => rows.reduce((total, row) => total + pick(row), 0);
const good = rows.filter(isGood).length;
console.log(
  `\n${good} of ${rows.length} repositories keep all promises · main files adopted ${sum(({ adopted }) => adopted)} of ${sum(({ mains }) => mains)} · other files adopted ${sum(({ keptItems }) => keptItems)} of ${sum(({ items }) => items)} · conflicts ${sum(({ conflicts }) => conflicts)} · lines outside ${sum(({ outside }) => outside)}`,
);
process.exitCode = good === rows.length ? 0 : 1;
