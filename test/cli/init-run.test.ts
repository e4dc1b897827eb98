/** `prs init` writes all files or none, like a compile, and `undo` reverts it. */
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sample } from '../support/depth.ts';
import { project, prs, read, tree } from './prs.ts';

const tests = suite('runs of init');

const hook = fileURLToPath(new URL('failing-disk.cjs', import.meta.url));
const init = ['init', '--yes', '--name', 'sample', '--targets', 'claude'];

/** Returns the files with their contents, except internal state. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(tree(folder).filter(path => !path.startsWith('.instr/.state/')).map(path => [path, read(folder, path)]));

/** Runs `init` and kills it at the given disk operation; 0 means never. Returns the number of operations. */
function killed(folder: string, at: number): { readonly status: number | null; readonly operations: number } {
  const counter = join(project({}), 'count');
  const { status } = prs(folder, init, { NODE_OPTIONS: `--require ${hook}`, DISK_KILL: String(at), DISK_COUNT: counter });
  return { status, operations: at === 0 ? Number(read(dirname(counter), 'count')) : 0 };
}

tests('undo reverts init and leaves no files', () => {
  const folder = project({});
  assert.is(prs(folder, init).status, 0);
  const undone = prs(folder, ['undo']);
  assert.is(undone.status, 0, undone.stderr);
  assert.equal(readdirSync(folder), []);
});

tests('undo restores files that init --force replaced or extended', () => {
  const files = { 'instr.yaml': 'mine: true\n', '.gitignore': 'dist', '.instr/project.prs': 'mine\n', 'a.txt': 'a' };
  const folder = project(files);
  const run = prs(folder, [...init, '--force']);
  assert.is(run.status, 0, run.stderr);
  const copy = tree(folder).find(path => /^\.instr\/\.state\/backups\/.*\/instr\.yaml$/.test(path))!;
  assert.ok(run.stdout.includes(copy) || run.stderr.includes(copy), 'the output must name the backup');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.equal(contents(folder), files);
});

tests('writes through a link to its target', () => {
  const folder = project({ 'shared/ignore': 'dist\n' });
  symlinkSync('shared/ignore', join(folder, '.gitignore'));
  assert.is(prs(folder, init).status, 0);
  assert.ok(lstatSync(join(folder, '.gitignore')).isSymbolicLink());
  assert.match(read(folder, 'shared/ignore'), /^dist\n\n#/);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.gitignore'), 'dist\n');
});

tests('reports an obstacle and writes nothing', () => {
  const folder = project({});
  mkdirSync(join(folder, '.gitignore'));
  const { status, stderr } = prs(folder, init);
  assert.is(status, 1, stderr);
  assert.match(stderr, /\.gitignore/);
  assert.equal(Object.keys(contents(folder)), []);
});

tests('after a kill at any operation, the next init completes or restarts the run', () => {
  const before = { '.gitignore': 'dist\n' };
  const complete = project(before);
  const { operations } = killed(complete, 0);
  assert.ok(operations > 10, `only ${operations} operations`);
  const after = contents(complete);
  for (const at of sample(Array.from({ length: operations }, (_, index) => index + 1))) {
    const folder = project(before);
    const { status } = killed(folder, at);
    assert.is(status, null, `operation ${at} was not killed`);
    const next = prs(folder, init);
    const report = `operation ${at}: ${next.stdout}${next.stderr}`;
    // If the project was complete before the kill, init reports that it exists.
    const complete = next.status === 1 && /PRS\d+.*exists/s.test(next.stderr);
    assert.ok(next.status === 0 || complete, report);
    assert.equal(contents(folder), after, report);
    const undone = prs(folder, ['undo']);
    assert.is(undone.status, 0, `${report}${undone.stderr}`);
    assert.equal(contents(folder), before, report);
  }
});

tests('undo after a killed init leaves no files', () => {
  const { operations } = killed(project({}), 0);
  for (const at of sample(Array.from({ length: Math.floor((operations - 1) / 4) }, (_, index) => 5 + 4 * index))) {
    const folder = project({});
    killed(folder, at);
    prs(folder, ['undo']);
    assert.equal(contents(folder), {}, `operation ${at}`);
  }
});

tests.run();
