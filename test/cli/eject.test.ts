/** `prs eject`: files of the tools are kept unchanged, and no source is lost. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree, write } from './prs.ts';

const tests = suite('eject');

const files = {
  'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [claude, cursor]\n',
  '.instr/project.prs':
    '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You mend lamps." }\n@hooks { lint: { event: "post-tool-use" command: "sh .instr/scripts/lint.sh" } }\n',
  '.instr/scripts/lint.sh': 'echo lint\n',
  '.instr/rules/api.md': '---\napplyTo: ["src/**"]\n---\nValidate input.\n',
};
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { encoding: 'utf8' });

const native = (folder: string) =>
  tree(folder)
    .filter(path => !/(?:^|\/)\.instr\/|^instr\.|^\.git\//.test(path))
    .map(path => [path, read(folder, path)]);

function committed(config = files['instr.yaml']): string {
  const folder = project({ ...files, 'instr.yaml': config });
  assert.is(prs(folder, ['compile']).status, 0);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'x');
  return folder;
}

tests('keeps the files of the tools byte for byte, and the named commit restores the sources', () => {
  const folder = committed();
  const before = native(folder);
  const preview = prs(folder, ['eject', '--dry-run']);
  assert.is(preview.status, 0);
  assert.ok(existsSync(join(folder, 'instr.yaml')), 'a preview must not remove anything');
  const { status, stdout, stderr } = prs(folder, ['eject']);
  assert.is(status, 0, stderr);
  assert.match(stdout, /They refer to \.instr\/scripts\/lint\.sh, which stays, too\./);
  assert.equal(native(folder), before);
  assert.equal(tree(folder).filter(path => /(?:^|\/)\.instr\/|^instr\./.test(path)), ['.instr/scripts/lint.sh']);
  const back = /`git checkout (\w+) -- \.instr instr\.yaml`/.exec(stdout)![1]!;
  git(folder, 'checkout', back, '--', '.');
  assert.is(prs(folder, ['compile', '--check']).status, 0);
});

tests('copies uncommitted files before removing them', () => {
  const folder = committed();
  write(folder, '.instr/local.prs', '@meta { id: "l" syntax: "1.6.0" }\n@local { "Mine." }\n');
  assert.is(prs(folder, ['compile']).status, 0);
  const state = join(project({}), 'state');
  const { status, stdout } = prs(folder, ['eject'], { XDG_STATE_HOME: state });
  assert.is(status, 0);
  const copies = /^Copies of what no commit has: (.*)$/m.exec(stdout)![1]!;
  assert.match(read(copies, '.instr/local.prs'), 'Mine.');
  assert.equal(tree(copies), ['.instr/local.prs']);
});

tests('ejects a project with stale files only with --force', () => {
  const folder = committed();
  write(folder, '.instr/rules/api.md', 'Other.\n');
  const { status, stderr } = prs(folder, ['eject']);
  assert.is(status, 1);
  assert.match(stderr, 'PRS8036');
  assert.ok(existsSync(join(folder, 'instr.yaml')));
  const before = native(folder);
  assert.is(prs(folder, ['eject', '--force']).status, 0);
  assert.equal(native(folder), before);
});

tests('removes generated lines from .gitignore and installed hooks, and keeps lines of the user', () => {
  const folder = committed(`${files['instr.yaml']}output: { git: ignored }\n`);
  write(folder, '.gitignore', `node_modules\n${read(folder, '.gitignore')}`);
  assert.is(prs(folder, ['hook', 'install']).status, 0);
  const { status, stdout } = prs(folder, ['eject']);
  assert.is(status, 0);
  assert.match(stdout, 'Git does not ignore');
  assert.is(read(folder, '.gitignore'), 'node_modules\n');
  assert.not.match(read(folder, '.git/config'), 'prs');
  assert.not.ok(existsSync(join(folder, '.git/hooks/post-merge')));
});

tests('keeps links and their targets', () => {
  const folder = committed();
  const outside = project({ 'notes.md': 'Outside.\n' });
  const skill = '---\nname: pack\ndescription: Packs\n---\nPack it.\n';
  write(folder, 'shared/pack/SKILL.md', skill);
  symlinkSync('../shared', join(folder, '.instr/skills'));
  symlinkSync(join(outside, 'notes.md'), join(folder, '.instr/notes.md'));
  assert.is(prs(folder, ['compile']).status, 0);
  const state = join(project({}), 'state');
  assert.is(prs(folder, ['eject', '--force'], { XDG_STATE_HOME: state }).status, 0);
  assert.is(read(folder, 'shared/pack/SKILL.md'), skill);
  assert.is(read(outside, 'notes.md'), 'Outside.\n');
  assert.not.ok(existsSync(join(folder, 'instr.yaml')));
  const copied = existsSync(join(state, 'instr/ejected')) ? tree(join(state, 'instr/ejected')) : [];
  assert.equal(copied.filter(path => /notes|SKILL/.test(path)), []);
});

tests('keeps a separate copy for each project of the same name, even within one second', () => {
  const parent = project({});
  const state = join(parent, 'state');
  const owners = ['one', 'two', 'three'];
  for (const owner of owners)
    for (const [path, text] of Object.entries(files)) write(parent, `${owner}/shop/${path}`, `${text}`.replace('lamps', owner));
  for (const owner of owners) {
    const folder = join(parent, owner, 'shop');
    assert.is(prs(folder, ['compile']).status, 0);
    const { status, stderr } = prs(folder, ['eject', '--force'], { XDG_STATE_HOME: state });
    assert.is(status, 0, stderr);
  }
  const copies = tree(state).filter(path => path.endsWith('.instr/project.prs')).map(path => read(state, path));
  for (const owner of owners) assert.ok(copies.some(text => text.includes(`You mend ${owner}.`)), owner);
});

tests.run();
