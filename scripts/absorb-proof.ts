/**
 * Edits generated files at random, absorbs, compiles, and counts what came home: `npm run absorb-proof [edits] [seed]`.
 * `--number <n>` shows one edit of a seed, `-v` all that stay, `--corpus <folder>` lets the projects in it take part;
 * Ctrl-C ends it with the counts so far.
 */
import { parseArgs } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { kinds } from '../test/support/absorb/edits.ts';
import { Trials, type Tried } from '../test/support/absorb/run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    number: { type: 'string' },
    corpus: { type: 'string' },
    verbose: { type: 'boolean', short: 'v' },
  },
});
const [count = 200, seed = 1] = positionals.map(Number);
const trials = new Trials(seed, 12, values.corpus);

const changedLines = (before: string, after: string | null): string =>
  after === null
    ? '  (the file is gone)'
    : createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 1 })
        .split('\n')
        .slice(4)
        .map(line => `  ${line}`)
        .join('\n');

function describe({ seed: of, number, project, kind, edit, lab, wrong, reasons, outcome }: Tried): string {
  const edits = [...edit.changes].map(([path, text]) => changedLines(lab.files.get(path) ?? '', text));
  const head = `${wrong.length > 0 ? 'WRONG' : outcome} ${kind}: ${project}: ${edit.path}   [npm run absorb-proof -- 1 ${of} --number ${number}${values.corpus === undefined ? '' : ' --corpus …'}]`;
  return [head, ...wrong.map(one => `  ! ${one}`), ...reasons.map(reason => `  ${reason}`), ...edits].join(
    '\n',
  );
}

if (values.number !== undefined) {
  const tried = await trials.try(Number(values.number));
  console.log(tried ? describe(tried) : 'nothing to be edited');
  for (const { path, before = '', after = '' } of tried?.result.absorbed.sources ?? []) {
    console.log(createTwoFilesPatch(path, path, before, after));
  }
  process.exit(0);
}

/**
 * What no valid source can say: words, names and an order that templates and specs give, an item without any text, and
 * files that are not valid themselves.
 */
const isUnsayable = (reason: string) =>
  /its words are those of|it is all that the text says|whatever the sources say|the layout|cannot be read with it|ends there no more|that say so would be wrong/.test(
    reason,
  );

interface Row {
  home: number;
  apart: number;
  refused: number;
  part: number;
  unsayable: number;
  wrong: number;
}
const emptyRow = (): Row => ({ home: 0, apart: 0, refused: 0, part: 0, unsayable: 0, wrong: 0 });
const rows = new Map<string, Row>(kinds.map(kind => [kind, emptyRow()]));
const places = new Map<string, Row>();
const reasons = new Map<string, number>();
const started = Date.now();
let [edits, same, number] = [0, 0, 0];
/** A reason without what is different in each case. */
const general = (reason: string) =>
  reason
    .replace(/`[^`]*`|"[^"]*"/g, '…')
    .replace(/\S+\/\S+/g, '…')
    .replace(/\d+/g, 'n');
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopped = true;
  });
for (; edits < count && !stopped; number++) {
  const tried = await trials.try(number);
  // Signals are heard between two edits.
  await new Promise(setImmediate);
  if (!tried) continue;
  if (tried.wrong.length > 0 || (values.verbose && (tried.outcome === 'refused' || tried.outcome === 'part')))
    console.log(describe(tried));
  if (tried.outcome === 'same' && tried.wrong.length === 0) {
    same++;
    continue;
  }
  edits++;
  const place = tried.project.split(/[-/ ](?!sink)/, 1)[0]!;
  if (!places.has(place)) places.set(place, emptyRow());
  for (const row of [rows.get(tried.kind)!, places.get(place)!]) {
    if (tried.wrong.length > 0) row.wrong++;
    else row[tried.outcome as 'home']++;
    if (tried.wrong.length > 0 || tried.outcome === 'home') continue;
    if (tried.isHomeApart) row.apart++;
    if (tried.reasons.every(isUnsayable)) row.unsayable++;
  }
  for (const reason of new Set(tried.reasons.map(general)))
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

const share = (some: number, of: number) => `${((100 * some) / Math.max(1, of)).toFixed(1)} %`.padStart(8);
const sumOf = (all: Iterable<Row>): Row => {
  const total = emptyRow();
  for (const row of all) for (const key of Object.keys(total) as (keyof Row)[]) total[key] += row[key];
  return total;
};
const total = sumOf(rows.values());
const heads = ['home', 'refused', 'in part', 'WRONG', 'of all', 'sayable', '--apart'];
console.log(`\n${'kind'.padEnd(22)}${heads.map(head => head.padStart(8)).join('')}`);
for (const [kind, row] of [...rows, ['all', total] as const, ...places]) {
  const { home, apart, refused, part, unsayable, wrong } = row;
  const sum = home + refused + part + wrong;
  const cells = [home, refused, part, wrong].map(cell => String(cell).padStart(8)).join('');
  console.log(
    `${kind.padEnd(22)}${cells}${share(home, sum)}${share(home, sum - unsayable)}${share(home + apart, sum)}`,
  );
}
console.log('\nreasons:');
for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1]))
  console.log(`${String(times).padStart(6)}  ${reason}`);
console.log(
  `\n${edits} edits of seed ${seed} in ${Math.round((Date.now() - started) / 1000)} s; ${same} more say nothing new`,
);
process.exitCode = total.wrong > 0 ? 1 : 0;
