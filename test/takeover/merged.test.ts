/** Git merges that drop lines of the ownership record, compiled in clones that never wrote the files. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree, write } from '../cli/prs.ts';
import { git } from './repository.ts';

const test = suite('merged records');

const configuration = `id: sample
syntax: "1.5.0"
targets: [claude, codex]
includeInstrSkill: false
input: { include: [".instr/parts/*.prs"] }
`;

const skill = (name: string, text = `The text of ${name}.`) =>
  `@skills { ${name}: { description: "How to ${name}." content: "${text}" } }\n`;

const part = (name: string) => `.instr/parts/${name}.prs`;
const output = (name: string) => `.agents/skills/${name}/SKILL.md`;
const copy = (name: string) => `.claude/skills/${name}/SKILL.md`;

function compile(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = prs(folder, ['compile', ...args]);
  assert.is(status, 0, stdout + stderr);
  return stdout + stderr;
}

function commit(folder: string, text: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', text);
}

/** A repository with one compiled skill, and a branch `other` that starts at `main`. */
function start(): string {
  const folder = project({
    'instr.yaml': configuration,
    '.instr/project.prs': '@meta { id: "sample" syntax: "1.5.0" }\n@identity { "You maintain the sample." }\n',
    [part('review')]: skill('review'),
  });
  git(folder, 'init', '-q', '-b', 'main');
  compile(folder);
  commit(folder, 'first');
  git(folder, 'branch', 'other');
  return folder;
}

function add(folder: string, branch: string, name: string): void {
  git(folder, 'checkout', '-q', branch);
  write(folder, part(name), skill(name));
  compile(folder);
  commit(folder, `add ${name}`);
}

/**
 * Both branches add a skill, and the merge keeps the lines of `main`, so the lines of `lint` are dropped from the
 * record.
 */
function merged(...options: string[]): string {
  const folder = start();
  add(folder, 'other', 'lint');
  add(folder, 'main', 'list');
  git(folder, 'merge', '-q', '-X', 'ours', '-m', 'merge', ...options, 'other');
  assert.ok(existsSync(join(folder, output('lint'))));
  assert.not.match(read(folder, '.instr/manifest.json'), 'lint');
  return folder;
}

function clone(folder: string, ...options: string[]): string {
  const parent = project({});
  git(parent, 'clone', '-q', ...options, `file://${folder}`, 'clone');
  return join(parent, 'clone');
}

test('a file whose line a merge dropped is an output, and the record lists it again', () => {
  const folder = clone(merged());
  const checked = prs(folder, ['compile', '--check']);
  assert.is(checked.status, 1, checked.stdout + checked.stderr);
  compile(folder);
  assert.match(read(folder, '.instr/manifest.json'), output('lint'));
  assert.match(read(folder, '.instr/manifest.json'), copy('lint'));
  compile(folder, '--check');
  commit(folder, 'compile');
  // Afterwards every clone knows it, even a shallow one.
  compile(clone(folder, '--depth', '1'), '--check');
});

test('the text of a skill whose line a merge dropped changes with its source', () => {
  const folder = clone(merged());
  write(folder, part('lint'), skill('lint', 'Quite another text.'));
  const said = compile(folder);
  assert.not.match(said, /PRS8025/);
  for (const path of [output('lint'), copy('lint')]) assert.match(read(folder, path), 'Quite another text.');
});

test('a deleted skill whose line a merge dropped is removed for every tool and does not come back', () => {
  for (const when of ['in the clone', 'on a branch', 'while merging']) {
    let folder = merged();
    if (when === 'while merging') {
      git(folder, 'reset', '-q', '--hard', 'HEAD~1');
      git(folder, 'merge', '-q', '-X', 'ours', '--no-commit', 'other');
      rmSync(join(folder, '.instr/.state'), { recursive: true });
    } else folder = clone(folder);
    if (when === 'on a branch') {
      rmSync(join(folder, part('lint')));
      commit(folder, 'drop lint');
      folder = clone(folder);
    } else rmSync(join(folder, part('lint')));
    compile(folder);
    assert.equal(tree(folder).filter(path => /lint/.test(path) && !/^\.(?:git|instr\/\.state)\//.test(path)), [], when);
    assert.not.match(read(folder, 'AGENTS.md'), 'lint', when);
    compile(folder, '--check');
  }
});

test('a skill that was deleted on one branch and changed on the other does not become a source', () => {
  const folder = start();
  git(folder, 'checkout', '-q', 'other');
  write(folder, part('review'), skill('review', 'A better text.'));
  compile(folder);
  commit(folder, 'better');
  git(folder, 'checkout', '-q', 'main');
  rmSync(join(folder, part('review')));
  write(folder, part('list'), skill('list'));
  compile(folder);
  commit(folder, 'drop review');
  assert.throws(() => git(folder, 'merge', '-q', '-m', 'merge', 'other'));
  git(folder, 'checkout', '-q', '--ours', '.instr/manifest.json');
  git(folder, 'rm', '-q', part('review'));
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'merge');
  assert.match(read(folder, output('review')), 'A better text.');
  const fresh = clone(folder);
  compile(fresh);
  assert.not.ok(existsSync(join(fresh, output('review'))));
  assert.not.ok(existsSync(join(fresh, copy('review'))));
});

test('a skill written by hand is a source, and so is one that was released on purpose', () => {
  const folder = clone(merged());
  write(folder, output('mine'), '---\nname: mine\ndescription: My own.\n---\n\nBy hand.\n');
  compile(folder);
  assert.match(read(folder, copy('mine')), 'By hand.');
  // The next run does not search the history again.
  assert.match(read(folder, '.instr/.state/others.json'), output('mine'));
  // The line is removed and the file is kept, so the text decides from now on.
  for (const committed of [true, false]) {
    const kept = start();
    rmSync(join(kept, part('review')));
    const lines = read(kept, '.instr/manifest.json').split('\n').filter(line => !line.includes(output('review')));
    write(kept, '.instr/manifest.json', lines.join('\n').replace(/,(\s+\}\s+\}\s*)$/, '$1'));
    if (committed) commit(kept, 'keep the skill by hand');
    const other = committed ? clone(kept) : kept;
    rmSync(join(other, '.instr/.state'), { recursive: true, force: true });
    compile(other);
    assert.match(read(other, output('review')), 'The text of review.', `${committed}`);
    assert.match(read(other, copy('review')), 'The text of review.', `${committed}`);
  }
});

test('without evidence in the history a skill stays a source', () => {
  const folder = clone(merged(), '--depth', '1');
  rmSync(join(folder, part('lint')));
  compile(folder);
  assert.ok(existsSync(join(folder, output('lint'))));
});

test.run();
