/** `init` writes like a compile: whole or not at all, and `undo` takes it back. */
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

/** Files with their texts, without what the compiler keeps for itself. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(tree(folder).filter(path => !path.startsWith('.instr/.state/')).map(path => [path, read(folder, path)]));

/** Runs `init` killed at an operation on the disk; 0: never. Gives how many there were. */
function killed(folder: string, at: number): { readonly status: number | null; readonly operations: number } {
  const counter = join(project({}), 'count');
  const { status } = prs(folder, init, { NODE_OPTIONS: `--require ${hook}`, DISK_KILL: String(at), DISK_COUNT: counter });
  return { status, operations: at === 0 ? Number(read(dirname(counter), 'count')) : 0 };
}

tests('undo takes init back, and leaves nothing', () => {
  const folder = project({});
  assert.is(prs(folder, init).status, 0);
  const undone = prs(folder, ['undo']);
  assert.is(undone.status, 0, undone.stderr);
  assert.equal(readdirSync(folder), []);
});

tests('undo gives back what init --force replaced and what it added lines to', () => {
  const files = { 'instr.yaml': 'mine: true\n', '.gitignore': 'dist', '.instr/project.prs': 'mine\n', 'a.txt': 'a' };
  const folder = project(files);
  const made = prs(folder, [...init, '--force']);
  assert.is(made.status, 0, made.stderr);
  const copy = tree(folder).find(path => /^\.instr\/\.state\/backups\/.*\/instr\.yaml$/.test(path))!;
  assert.ok(made.stdout.includes(copy) || made.stderr.includes(copy), 'it says where the copy is');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.equal(contents(folder), files);
});

tests('a file behind a link is written where it lies', () => {
  const folder = project({ 'shared/ignore': 'dist\n' });
  symlinkSync('shared/ignore', join(folder, '.gitignore'));
  assert.is(prs(folder, init).status, 0);
  assert.ok(lstatSync(join(folder, '.gitignore')).isSymbolicLink());
  assert.match(read(folder, 'shared/ignore'), /^dist\n\n#/);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.gitignore'), 'dist\n');
});

tests('something in the way is reported, and nothing is written', () => {
  const folder = project({});
  mkdirSync(join(folder, '.gitignore'));
  const { status, stderr } = prs(folder, init);
  assert.is(status, 1, stderr);
  assert.match(stderr, /\.gitignore/);
  assert.equal(Object.keys(contents(folder)), []);
});

tests('killed anywhere, the next init finishes it or begins anew', () => {
  const before = { '.gitignore': 'dist\n' };
  const whole = project(before);
  const { operations } = killed(whole, 0);
  assert.ok(operations > 10, `${operations} operations`);
  const after = contents(whole);
  for (const at of sample(Array.from({ length: operations }, (_, index) => index + 1))) {
    const folder = project(before);
    const { status } = killed(folder, at);
    assert.is(status, null, `operation ${at} was not killed`);
    const next = prs(folder, init);
    const said = `operation ${at}: ${next.stdout}${next.stderr}`;
    // A project that was complete before the kill is one that exists.
    const complete = next.status === 1 && /PRS\d+.*exists/s.test(next.stderr);
    assert.ok(next.status === 0 || complete, said);
    assert.equal(contents(folder), after, said);
    const undone = prs(folder, ['undo']);
    assert.is(undone.status, 0, `${said}${undone.stderr}`);
    assert.equal(contents(folder), before, said);
  }
});

tests('undo after a killed init leaves nothing of it', () => {
  const { operations } = killed(project({}), 0);
  for (const at of sample(Array.from({ length: Math.floor((operations - 1) / 4) }, (_, index) => 5 + 4 * index))) {
    const folder = project({});
    killed(folder, at);
    prs(folder, ['undo']);
    assert.equal(contents(folder), {}, `operation ${at}`);
  }
});

tests.run();
