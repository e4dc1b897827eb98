/**
 * Edits generated files at random, absorbs, compiles, and counts what came home: `npm run absorb-proof [edits] [seed]`.
 * Each edit is one of a file of one target, in the projects of the tests.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  absorbEdit,
  kinds,
  type Outcome,
  type Prepared,
  prepare,
  randomFrom,
} from '../test/support/absorb-edits.ts';
import { root } from './generate.ts';

const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
const random = randomFrom(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

const targets = readdirSync(join(root, 'targets'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => basename(file, '.yaml'));
const cases = join(root, 'test/compile/cases');
const projects: readonly (readonly [string, string | undefined])[] = [
  ...targets.map(target => [join(root, 'test/projects/kitchen-sink'), target] as const),
  ...targets.map(target => [join(cases, 'markdown-folders/in'), target] as const),
  ...targets.map(target => [join(cases, 'markdown-source/in'), target] as const),
  ...[
    'markdown-folders',
    'markdown-source',
    'markdown-extend',
    'layout-once',
    'guards-as-skills',
    'for-whom',
  ].map(name => [join(cases, name, 'in'), undefined] as const),
];
const prepared = new Map<number, Prepared>();
const outcomes: Outcome[] = [];
const started = Date.now();
while (outcomes.length < count) {
  const at = Math.floor(random() * projects.length);
  let project = prepared.get(at);
  if (!project) {
    try {
      project = await prepare(...projects[at]!);
    } catch {
      continue;
    }
    prepared.set(at, project);
  }
  if (project.outputs.length === 0) continue;
  const path = pick(project.outputs);
  const outcome = await absorbEdit(project, path, pick(kinds), random);
  if (!outcome) continue;
  outcomes.push(outcome);
  const name = `${basename(join(projects[at]![0], '..'))}/${basename(projects[at]![0])} ${projects[at]![1] ?? ''}`;
  if (outcome.wrong.length > 0)
    console.log(`WRONG ${name} ${path} (${outcome.kind}): ${outcome.wrong.join('; ')}`);
  if (process.env.VERBOSE && (outcome.result === 'refused' || outcome.result === 'part'))
    console.log(
      `${outcome.result} ${name} ${path} (${outcome.kind}): ${outcome.reasons.join('; ')}\n${changeOf(outcome)}`,
    );
}

function changeOf({ before, after }: Outcome): string {
  if (after === null) return '  (file gone)';
  const [a, b] = [before.split('\n'), after.split('\n')];
  const gone = a.filter(line => !b.includes(line)).slice(0, 4);
  const come = b.filter(line => !a.includes(line)).slice(0, 4);
  return [...gone.map(line => `  - ${line}`), ...come.map(line => `  + ${line}`)].join('\n');
}

const seen = outcomes.filter(({ result }) => result !== 'same');
const share = (some: readonly Outcome[], of: readonly Outcome[]) =>
  `${some.length} of ${of.length} (${((100 * some.length) / Math.max(1, of.length)).toFixed(1)} %)`;
const isLayout = (one: Outcome) =>
  one.result !== 'home' && one.reasons.every(reason => /its words are those of/.test(reason));
const own = seen.filter(one => !isLayout(one));
const home = (some: readonly Outcome[]) => some.filter(({ result }) => result === 'home');
console.log(`\n${outcomes.length} edits, seed ${seed}, ${Math.round((Date.now() - started) / 1000)} s`);
console.log(`home, of all that are edits: ${share(home(seen), seen)}`);
console.log(`home, of those that are not of words of a template or spec: ${share(home(own), own)}`);
console.log(
  `in part: ${seen.filter(({ result }) => result === 'part').length}; same to the plan: ${outcomes.length - seen.length}`,
);
for (const kind of new Set(kinds)) {
  const some = own.filter(one => one.kind === kind);
  console.log(`  ${kind}: ${share(home(some), some)}`);
}
const wrong = outcomes.filter(one => one.wrong.length > 0);
console.log(`wrong: ${wrong.length}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
