/**
 * Edits generated files at random, absorbs, compiles, and counts what came home: `npm run absorb-proof [edits] [seed]`.
 * `--number <n>` shows one edit of a seed, `-v` all that stay; Ctrl-C ends it with the counts so far.
 */
import { parseArgs } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { kinds } from '../test/support/absorb/edits.ts';
import { Trials, type Tried } from '../test/support/absorb/run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { number: { type: 'string' }, verbose: { type: 'boolean', short: 'v' } },
});
const [count = 200, seed = 1] = positionals.map(Number);
const trials = new Trials(seed);

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
  const head = `${wrong.length > 0 ? 'WRONG' : outcome} ${kind}: ${project}: ${edit.path}   [npm run absorb-proof -- 1 ${of} --number ${number}]`;
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
  refused: number;
  part: number;
  wrong: number;
}
const rows = new Map<string, Row>(kinds.map(kind => [kind, { home: 0, refused: 0, part: 0, wrong: 0 }]));
const reasons = new Map<string, number>();
const started = Date.now();
let [edits, same, unsayable, number] = [0, 0, 0, 0];
/** A reason without what is different in each case. */
const general = (reason: string) =>
  reason
    .replace(/`[^`]*`|"[^"]*"/g, '…')
    .replace(/\S+\/\S+/g, '…')
    .replace(/\d+/g, 'n');
let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
});
for (; edits < count && !stopped; number++) {
  const tried = await trials.try(number);
  if (!tried) continue;
  if (tried.wrong.length > 0 || (values.verbose && (tried.outcome === 'refused' || tried.outcome === 'part')))
    console.log(describe(tried));
  if (tried.outcome === 'same' && tried.wrong.length === 0) {
    same++;
    continue;
  }
  edits++;
  const row = rows.get(tried.kind)!;
  if (tried.wrong.length > 0) row.wrong++;
  else row[tried.outcome as 'home']++;
  if (tried.wrong.length === 0 && tried.outcome !== 'home' && tried.reasons.every(isUnsayable)) unsayable++;
  for (const reason of new Set(tried.reasons.map(general)))
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

const share = (some: number, of: number) => `${((100 * some) / Math.max(1, of)).toFixed(1)} %`;
const total: Row = { home: 0, refused: 0, part: 0, wrong: 0 };
console.log(`\n${'kind'.padEnd(22)}   home refused in part WRONG`);
for (const [kind, row] of [...rows, ['all', total] as const]) {
  const sum = row.home + row.refused + row.part + row.wrong;
  if (row !== total) for (const key of Object.keys(total) as (keyof Row)[]) total[key] += row[key];
  const cells = [row.home, row.refused, row.part, row.wrong].map(cell => String(cell).padStart(7)).join('');
  console.log(`${kind.padEnd(22)}${cells}  ${share(row.home, sum)}`);
}
console.log(`of those that sources can say: ${share(total.home, edits - unsayable)}`);
console.log('\nreasons:');
for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1]))
  console.log(`${String(times).padStart(6)}  ${reason}`);
console.log(
  `\n${edits} edits of seed ${seed} in ${Math.round((Date.now() - started) / 1000)} s; ${same} more say nothing new`,
);
process.exitCode = total.wrong > 0 ? 1 : 0;
