/** `prs` without arguments and `prs status`: the state of a project and the next step. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, prs, write } from './prs.ts';

const tests = suite('status');

const nextOf = (folder: string): string => {
  const { status, stdout, stderr } = prs(folder, []);
  assert.is(status, 0, stderr);
  const steps = stdout.match(/^Next.*(?:\n {9}.*)*/gm) ?? [];
  assert.is(steps.length, 1, stdout);
  return steps[0]!;
};

tests('outside a project, suggests how to start, depending on existing files', () => {
  const begin = (files: Files) => prs(project(files), []);
  for (const [files, step] of [
    [{}, /Next: `prs init` starts a project\./],
    [{ 'AGENTS.md': '# Mine\n\nUse tabs.\n' }, /AGENTS\.md\nNext: `prs migrate --dry-run`/],
  ] as const) {
    const { status, stdout, stderr } = begin(files);
    assert.is(status, 0);
    assert.is(stderr, '');
    assert.match(stdout, /no instr\.yaml in this folder/);
    assert.match(stdout, step);
    assert.match(stdout, /`prs --help`/);
  }
  const folder = project({});
  assert.is(JSON.parse(prs(folder, ['--json']).stdout).ok, true);
  assert.is(prs(folder, ['status']).status, 2, 'the command needs a project');
});

tests('in a project, the next step follows from its state', () => {
  const folder = project(minimal);
  assert.match(nextOf(folder), /`prs compile` writes \d files/);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(nextOf(folder), /Edit \.instr\/project\.prs, then run `prs compile`/);
  assert.is(prs(folder, ['status', '--exit-code']).status, 0);
  write(folder, 'CLAUDE.md', 'Edited.\n');
  assert.match(nextOf(folder), /`prs absorb` takes the edits of CLAUDE\.md into the sources/);
  assert.is(prs(folder, ['status', '--exit-code']).status, 1);
  write(folder, '.instr/project.prs', `${minimal['.instr/project.prs']}@context {`);
  const { status, stdout, stderr } = prs(folder, []);
  assert.is(status, 1);
  assert.match(stdout, /^Next +`prs validate`/m);
  assert.match(stderr, /\.instr\/project\.prs:/);
  const foreign = project({ ...minimal, 'CLAUDE.md': '# Mine\n\nUse tabs.\n' });
  const conflict = prs(foreign, []);
  assert.match(conflict.stdout, /^Next +`prs diff --all` compares CLAUDE\.md/m);
});

tests('prs without arguments prints the same as prs status, also as JSON', () => {
  const folder = project(minimal);
  assert.is(prs(folder, []).stdout, prs(folder, ['status']).stdout);
  assert.is(prs(folder, ['--json']).stdout, prs(folder, ['status', '--json']).stdout);
});

tests.run();
