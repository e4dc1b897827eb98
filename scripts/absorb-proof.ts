/**
 * Makes random edits in generated files, absorbs them, compiles, and counts the edits that reached the sources:
 * `npm run absorb-proof [edits] [seed]`. `--corpus <folder>` also uses the projects in that folder, `--number <n>` shows
 * one edit of a seed, `-v` shows all refused edits.
 *
 * An edit is `home` if the next compile produces exactly the edited file, `refused` if it is not absorbed and a reason is
 * given, `part` if it is partly absorbed, and `same` if it does not change the meaning of the file (not counted). `wrong`
 * must never occur: a missing reason, broken sources, a lost comment, edit or source, or a change in a file of another tool
 * beyond the edit. Edits that sources cannot express (`test/support/absorb/sayable.ts`) are also counted separately.
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
    ? '  (the file was deleted)'
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
  console.log(tried ? describe(tried) : 'nothing to edit');
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
