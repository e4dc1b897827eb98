/**
 * Measures what moving in by keeping promises, on repositories that people have: every main file adopted, no conflict,
 * nothing more that is always loaded, and nothing for Git outside of `.instr/` and `instr.yaml`.
 * `npm run moving-in [folder] [-v] [--only=part-of-a-name]`; the folder holds `repositories/` and `corpus/`, or else its
 * folders are the repositories. With
 * `--static` it measures the sorting migration instead: every main file in its order, everything below its heading, and
 * no error.
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
  console.log(`There is no ${folder}; name a folder with \`repositories/\` and \`corpus/\`.`);
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
  const still = conflicts + outside + restless === 0;
  return problem === undefined && mains === adopted && still && loaded <= 1;
}

function show(row: Measured): void {
  const { name, mains, adopted, items, keptItems, conflicts, loaded, outside, restless, problem, left } = row;
  const numbers = `main files ${adopted}/${mains}  others ${keptItems}/${items}  conflicts ${conflicts}  loaded ×${loaded.toFixed(2)}  outside ${outside}${restless > 0 ? `  restless ${restless}` : ''}`;
  console.log(`${isGood(row) ? ' ' : '!'} ${name.padEnd(44)} ${problem ?? numbers}`);
  if (verbose) for (const line of left) console.log(`      ${line}`);
}

const sum = (pick: (row: Measured) => number) => rows.reduce((total, row) => total + pick(row), 0);
const good = rows.filter(isGood).length;
console.log(
  `\n${good} of ${rows.length} repositories as promised · main files adopted ${sum(({ adopted }) => adopted)} of ${sum(({ mains }) => mains)} · other files taken ${sum(({ keptItems }) => keptItems)} of ${sum(({ items }) => items)} · conflicts ${sum(({ conflicts }) => conflicts)} · lines outside ${sum(({ outside }) => outside)}`,
);
process.exitCode = good === rows.length ? 0 : 1;
