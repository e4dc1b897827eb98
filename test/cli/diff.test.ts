/**
 * All forms of `prs diff`: hunks, whole files, colours, JSON, binary resources, removed files, and files that are only recorded.
 */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, prs, read, write } from './prs.ts';

const test = suite('diff');

interface File {
  readonly path: string;
  readonly state: string;
  readonly mode: string;
  readonly sha256: string;
  readonly sha256Before?: string;
  readonly binary?: boolean;
  readonly hunks?: string;
}

const skill = '---\nname: one\ndescription: First.\n---\nOne.\n';
const files = {
  ...minimal,
  'instr.yaml': `${minimal['instr.yaml']}includeInstrSkill: false\n`,
  '.instr/skills/one/SKILL.md': skill,
  '.instr/skills/one/image.png': new Uint8Array([137, 80, 78, 71, 0, 1, 2]),
};

const json = (folder: string, ...args: string[]) =>
  (JSON.parse(prs(folder, ['diff', ...args, '--json']).stdout) as { files: File[] }).files;

test('compares the first target, a named target, or all targets', () => {
  const folder = project(files);
  const paths = (...args: string[]) => json(folder, ...args).map(({ path }) => path);
  assert.ok(paths().includes('CLAUDE.md') && !paths().includes('AGENTS.md'));
  assert.ok(paths('--target', 'codex').includes('AGENTS.md') && !paths('--target', 'codex').includes('CLAUDE.md'));
  assert.ok(paths('--all').includes('AGENTS.md') && paths('--all').includes('CLAUDE.md'));
  assert.match(prs(folder, ['diff']).stdout, /^Not compared: .*codex.*; `prs diff --all` does\.$/m);
  assert.not.match(prs(folder, ['diff', '--all']).stdout, 'Not compared');
});

test('JSON has state, hashes and hunks that turn the old text into the new text', () => {
  const folder = project(files);
  prs(folder, ['compile']);
  const old = read(folder, 'CLAUDE.md');
  write(folder, '.instr/project.prs', String(minimal['.instr/project.prs']).replace('Small functions', 'Large functions'));
  const main = json(folder).find(({ path }) => path === 'CLAUDE.md')!;
  assert.is(main.state, 'changed');
  prs(folder, ['compile']);
  const next = json(folder).find(({ path }) => path === 'CLAUDE.md')!;
  assert.equal([next.state, next.sha256, next.sha256Before, next.hunks], ['unchanged', main.sha256, main.sha256, undefined]);
  assert.is.not(main.sha256Before, main.sha256);
  assert.is(applyPatch(old, main.hunks!), read(folder, 'CLAUDE.md'));
});

test('shows a binary resource without its content', () => {
  const folder = project(files);
  const image = (state: string) => {
    const file = json(folder).find(({ path }) => path.endsWith('image.png'))!;
    assert.is(file.state, state);
    return file;
  };
  assert.ok(image('new').binary);
  assert.is(image('new').hunks, undefined);
  assert.match(prs(folder, ['diff']).stdout, /image\.png \(new file; claude\)\nBinary content differs\.\n/);
  prs(folder, ['compile']);
  assert.not.ok(image('unchanged').binary);
  rmSync(join(folder, '.instr/skills/one/image.png'));
  assert.ok(image('removed').binary);
  const { stdout } = prs(folder, ['diff']);
  assert.match(stdout, /image\.png \(no longer generated: would be deleted; claude\)\nBinary/);
  assert.not.match(stdout, '\0');
});

test('shows removed files, and does not count files that are only recorded', () => {
  const folder = project(files);
  prs(folder, ['compile']);
  rmSync(join(folder, '.instr/manifest.json'));
  const { stdout, status } = prs(folder, ['diff', '--all', '--exit-code']);
  assert.is(status, 0, 'equal files must not count as a difference');
  assert.match(stdout, /^CLAUDE\.md \(says the same: compile keeps it as it is\)$/m);
  assert.match(stdout, /^No differences/m);
  prs(folder, ['compile']);
  rmSync(join(folder, '.instr/skills/one'), { recursive: true });
  const removed = prs(folder, ['diff', '--exit-code']);
  assert.is(removed.status, 1);
  assert.match(removed.stdout, /--- a\/\.claude\/skills\/one\/SKILL\.md\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@\n----\n-name: one/);
  assert.match(removed.stdout, /2 files of \d+ would change/);
});

test('colours lines by their role, not by their text', () => {
  const folder = project(files);
  prs(folder, ['compile']);
  rmSync(join(folder, '.instr/skills/one'), { recursive: true });
  const { stdout } = prs(folder, ['diff', '--color']);
  assert.match(stdout, '\x1b[1m--- a/.claude/skills/one/SKILL.md\x1b[22m\n');
  assert.match(stdout, '\x1b[36m@@ ');
  assert.match(stdout, '\x1b[31m----\x1b[39m\n', 'a removed line of front matter');
  assert.not.match(prs(folder, ['diff']).stdout, '\x1b');
  assert.not.match(prs(folder, ['diff', '--color', '--json']).stdout, '\x1b');
});

test('shows at most two hundred lines per file without --full; JSON has all lines', () => {
  const rules = Array.from({ length: 400 }, (_, at) => `"Rule ${at}"`).join(', ');
  const folder = project({ ...files, '.instr/project.prs': `@meta { id: "x" syntax: "1.5.0" }\n@standards { code: [${rules}] }\n` });
  const short = prs(folder, ['diff']).stdout;
  assert.match(short, /^… \d+ more lines; `prs diff --all --full` shows them\.$/m);
  assert.not.match(short, 'Rule 399');
  assert.match(prs(folder, ['diff', '--full']).stdout, '+- Rule 399\n');
  assert.match(json(folder).find(({ path }) => path === 'CLAUDE.md')!.hunks!, '+- Rule 399\n');
});

test('--full shows unchanged lines too', () => {
  const folder = project(files);
  prs(folder, ['compile']);
  write(folder, 'CLAUDE.md', `${read(folder, 'CLAUDE.md')}${'x\n'.repeat(30)}`);
  assert.not.match(prs(folder, ['diff']).stdout, / You maintain the sample/);
  const { stdout, status } = prs(folder, ['diff', '--full']);
  assert.is(status, 0);
  assert.match(stdout, /^CLAUDE\.md \(edited since it was generated: absorb takes that home, compile --force would replace it; claude\)$/m);
  assert.match(stdout, /^ You maintain the sample/m);
});

test('reports the errors of a project', () => {
  const folder = project({ ...files, '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n@context { broken' });
  const { status, stderr } = prs(folder, ['diff', '--all']);
  assert.is(status, 1);
  assert.match(stderr, 'error PRS1');
});

test('shows the mode of a file that becomes executable', () => {
  const folder = project({ ...files, '.instr/skills/one/run.sh': '#!/bin/sh\n' });
  assert.is(prs(folder, ['compile']).status, 0);
  chmodSync(join(folder, '.instr/skills/one/run.sh'), 0o755);
  assert.match(prs(folder, ['diff']).stdout, /run\.sh \(changed; claude\)\nmode 0?644 -> 0?755/);
});

test.run();
