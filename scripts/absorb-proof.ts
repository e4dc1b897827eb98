/**
 * Edits generated files at random, absorbs, compiles, and counts what was moved into the sources:
 * `npm run absorb-proof [edits] [seed]`. `--corpus <folder>` lets the projects in it take part, `--number <n>` shows one
 * edit of a seed, `-v` all that were refused.
 *
 * An edit is `home` when the next compile gives the edited file exactly, `refused` when it stays with a reason, `part`
 * when some of it is, `same` when the file says nothing new with it (not counted). `wrong` is what must never be:
 * a reason that is missing, sources that are broken, a comment, an edit or a source that is lost, a file of another
 * tool that changed beyond the edit. Edits that no source can say (`test/support/absorb/sayable.ts`) are counted by
 * themselves, too.
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
const trials = new Trials(seed, values);

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

if (values.number !== undefined) {
  const tried = await trials.try(Number(values.number));
  console.log(tried ? describe(tried) : 'nothing to be edited');
  for (const { path, before = '', after = '' } of tried?.result.absorbed.sources ?? [])
    console.log(createTwoFilesPatch(path, path, before, after));
} else {
  const all: Tried[] = [];
  for (let number = 0; all.length < count; number++) {
    const tried = await trials.try(number);
    if (!tried || (tried.outcome === 'same' && tried.wrong.length === 0)) continue;
    all.push(tried);
    const isRefused = tried.outcome === 'refused' || tried.outcome === 'part';
    if (tried.wrong.length > 0 || (values.verbose && isRefused)) console.log(describe(tried));
  }
  console.table(
    Object.fromEntries(
      [...kinds, 'all'].map(kind => [kind, counts(all.filter(one => kind === 'all' || one.kind === kind))]),
    ),
  );
  process.exitCode = all.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}

function counts(some: readonly Tried[]): Record<string, number> {
  const number = (of: (one: Tried) => boolean) => some.filter(of).length;
  const isHome = ({ outcome, wrong }: Tried) => outcome === 'home' && wrong.length === 0;
  return {
    edits: some.length,
    home: number(isHome),
    refused: number(({ outcome }) => outcome === 'refused'),
    part: number(({ outcome }) => outcome === 'part'),
    wrong: number(({ wrong }) => wrong.length > 0),
    sayable: number(({ unsayable }) => unsayable === undefined),
    'sayable and home': number(one => one.unsayable === undefined && isHome(one)),
  };
}
