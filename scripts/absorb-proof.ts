/**
 * Edits generated files at random, absorbs, compiles, and counts what was moved into the sources: `npm run absorb-proof [edits] [seed]`.
 *
 * - `--out <file>` adds a line of JSON for each edit, and goes on behind the last one of the seed that stands there;
 *   `--total <file>…` counts such files.
 * - `--corpus <folder>` lets the projects in it take part; `--split` tries what stays with `prs absorb --split`, too.
 * - `--number <n>` shows one edit of a seed, `-v` all that stay. Ctrl-C ends a run with the counts so far.
 *
 * An edit is `home` when the next compile gives the edited file exactly, `refused` when it stays with a reason, `part`
 * when some of it is, `same` when the file says nothing new with it (not counted). `wrong` is what must never be:
 * a reason that is missing, sources that are broken, a comment, an edit or a source that is lost, a file of another
 * tool that changed beyond the edit.
 *
 * Edits that no source can say are a class of their own. What they are is told from the edit and the texts of the sources
 * before anything is absorbed (`test/support/absorb/sayable.ts`), never from the reason of a refusal: `broken` data, an
 * `emptied` item, words of the `layout`, lines at a `place` between parts that are laid out from names and fields. A
 * tenth of the edits is taken as it comes; of the others one is looked for that a source could say, as people edit
 * what a project says and not the words of a template. Both are counted: of all, and of those that can be said.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { kinds } from '../test/support/absorb/edits.ts';
import { originOf, origins } from '../test/support/absorb/projects.ts';
import { Trials, type Tried } from '../test/support/absorb/run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    number: { type: 'string' },
    corpus: { type: 'string' },
    out: { type: 'string' },
    total: { type: 'string', multiple: true },
    split: { type: 'boolean' },
    verbose: { type: 'boolean', short: 'v' },
  },
});
const [count = 200, seed = 1] = positionals.map(Number);

const changedLines = (before: string, after: string | null): string =>
  after === null
    ? '  (the file is gone)'
    : createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 1 })
        .split('\n')
        .slice(4)
        .map(line => `  ${line}`)
        .join('\n');

function describe({
  seed: of,
  number,
  project,
  kind,
  edit,
  lab,
  wrong,
  reasons,
  outcome,
  unsayable,
}: Tried): string {
  const edits = [...edit.changes].map(([path, text]) => changedLines(lab.files.get(path) ?? '', text));
  const again = `npm run absorb-proof -- 1 ${of} --number ${number}${values.corpus === undefined ? '' : ' --corpus …'}`;
  const head = `${wrong.length > 0 ? 'WRONG' : outcome} ${kind}: ${project}: ${edit.path}   (${unsayable ?? 'sayable'}) [${again}]`;
  return [head, ...wrong.map(one => `  ! ${one}`), ...reasons.map(reason => `  ${reason}`), ...edits].join(
    '\n',
  );
}

/** What is kept of an edit. */
interface Line extends Pick<Tried, 'seed' | 'number' | 'project' | 'kind' | 'outcome' | 'reasons' | 'wrong'> {
  readonly path: string;
  readonly unsayable?: Tried['unsayable'];
  readonly apart?: boolean;
}

const lineOf = (tried: Tried): Line => ({
  seed: tried.seed,
  number: tried.number,
  project: tried.project,
  kind: tried.kind,
  path: tried.edit.path,
  outcome: tried.outcome,
  ...(tried.unsayable && { unsayable: tried.unsayable }),
  ...(tried.isHomeApart && { apart: true }),
  reasons: tried.reasons,
  wrong: tried.wrong,
});

const linesIn = (file: string): Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    : [];

if (values.number !== undefined) {
  const tried = await new Trials(seed, values).try(Number(values.number));
  console.log(tried ? describe(tried) : 'nothing to be edited');
  for (const { path, before = '', after = '' } of tried?.result.absorbed.sources ?? [])
    console.log(createTwoFilesPatch(path, path, before, after));
} else if (values.total) process.exitCode = report(values.total.flatMap(linesIn));
else process.exitCode = report(await run());

/** Tries edits until there are enough of the seed. */
async function run(): Promise<Line[]> {
  const { out } = values;
  const lines = out === undefined ? [] : linesIn(out).filter(line => line.seed === seed);
  const trials = new Trials(seed, values);
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopped = true;
    });
  let edits = lines.filter(isCounted).length;
  const stops: Error[] = [];
  const before = edits;
  const started = process.cpuUsage();
  for (let number = (lines.at(-1)?.number ?? -1) + 1; edits < count && !stopped; number++) {
    const tried = await trials.try(number).catch((error: Error) => {
      stops.push(error);
      console.log('WRONG', error, error.cause);
    });
    // Signals are heard between two edits.
    await new Promise(setImmediate);
    if (!tried) continue;
    const stays = tried.outcome === 'refused' || tried.outcome === 'part';
    if (tried.wrong.length > 0 || (values.verbose && stays)) console.log(describe(tried));
    const line = lineOf(tried);
    lines.push(line);
    if (isCounted(line)) edits++;
    if (out !== undefined) appendFileSync(out, `${JSON.stringify(line)}\n`);
  }
  const { user, system } = process.cpuUsage(started);
  const each = (user + system) / 1000 / Math.max(1, edits - before);
  console.log(`${edits - before} edits of seed ${seed}, ${Math.round(each)} ms of CPU each`);
  if (stops.length > 0) throw new AggregateError(stops, `${stops.length} edits stopped the program`);
  return lines;
}

function isCounted({ outcome, wrong }: Line): boolean {
  return outcome !== 'same' || wrong.length > 0;
}

interface Row {
  home: number;
  refused: number;
  part: number;
  wrong: number;
  unsayable: number;
  unsayableHome: number;
  apart: number;
}

/** Prints what became of edits; 1 when something was wrong. */
function report(all: readonly Line[]): number {
  const lines = all.filter(isCounted);
  const heads = ['home', 'refused', 'in part', 'WRONG', 'of all', 'unsayable', 'of sayable'];
  if (values.split) heads.push('--split');
  console.log(`\n${'kind'.padEnd(22)}${heads.map(head => head.padStart(11)).join('')}`);
  const print = (name: string, some: readonly Line[]) => some.length > 0 && console.log(rowText(name, some));
  for (const kind of kinds)
    print(
      kind,
      lines.filter(line => line.kind === kind),
    );
  print('all', lines);
  console.log('');
  for (const origin of origins)
    print(
      origin,
      lines.filter(({ project }) => originOf(project) === origin),
    );
  console.log('');
  for (const why of ['broken', 'emptied', 'layout', 'place'] as const)
    print(
      `unsayable: ${why}`,
      lines.filter(line => line.unsayable === why),
    );
  for (const isSayable of [true, false]) printReasons(isSayable, lines);
  console.log(`\n${lines.length} edits; ${all.length - lines.length} more say nothing new`);
  return lines.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}

function rowText(name: string, lines: readonly Line[]): string {
  const row: Row = { home: 0, refused: 0, part: 0, wrong: 0, unsayable: 0, unsayableHome: 0, apart: 0 };
  for (const { outcome, wrong, unsayable, apart } of lines) {
    if (wrong.length > 0) row.wrong++;
    else row[outcome as 'home']++;
    if (apart) row.apart++;
    if (unsayable === undefined) continue;
    row.unsayable++;
    if (outcome === 'home' && wrong.length === 0) row.unsayableHome++;
  }
  const share = (some: number, of: number) => (of === 0 ? '-' : `${((100 * some) / of).toFixed(1)} %`);
  const sum = lines.length;
  const cells = [
    ...[row.home, row.refused, row.part, row.wrong].map(String),
    share(row.home, sum),
    String(row.unsayable),
    share(row.home - row.unsayableHome, sum - row.unsayable),
    ...(values.split ? [share(row.home + row.apart, sum)] : []),
  ];
  return name.padEnd(22) + cells.map(cell => cell.padStart(11)).join('');
}

function printReasons(isSayable: boolean, lines: readonly Line[]): void {
  const reasons = new Map<string, number>();
  /** A reason without what is different in each case. */
  const general = (reason: string) =>
    reason
      .replace(/`[^`]*`|"[^"]*"/g, '…')
      .replace(/\S+\/\S+/g, '…')
      .replace(/\d+/g, 'n');
  for (const line of lines)
    if ((line.unsayable === undefined) === isSayable)
      for (const reason of new Set(line.reasons.map(general)))
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  console.log(`\nreasons, of edits that ${isSayable ? 'a source' : 'no source'} can say:`);
  for (const [reason, times] of [...reasons].sort((a, b) => b[1] - a[1]))
    console.log(`${String(times).padStart(6)}  ${reason}`);
}
