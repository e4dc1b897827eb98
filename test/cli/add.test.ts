/** `prs add` and `prs remove` with real repositories and the built program. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, prs, read, tree, write } from './prs.ts';

const tests = suite('add and remove');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: Does ${name}\n${more}---\n\nDo ${name}.\n`;

function setting() {
  const shared = project({
    'base.prs': `${meta('base')}@standards { code: ["Of the base"] }\n@hooks { lint: { event: "stop" command: ["npm", "run", "lint"] } }\n`,
    'skills/review/SKILL.md': skill('review'),
    'skills/release/SKILL.md': skill('release'),
    'skills/other/SKILL.md': skill('other'),
  });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shared, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'one');
  git('tag', 'v1.0.0');
  const folder = project({
    ...minimal,
    'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nincludeInstrSkill: false\nregistries: { "@lumen": "file://${shared}" }\n`,
    '.instr/project.prs': `${meta('sample')}# Mine.\n@standards { own: ["Mine"] }\n`,
  });
  const machine = project({
    gitconfig: `[url "file://${shared}"]\n\tinsteadOf = https://github.com/lumen/instructions.git\n[protocol "file"]\n\tallow = always\n`,
  });
  const env = { INSTR_CACHE_DIR: join(machine, 'cache'), GIT_CONFIG_GLOBAL: join(machine, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' };
  return { folder, run: (...args: string[]) => prs(folder, args, env) };
}

tests('adds skills of a GitHub repository by one reference and removes them', () => {
  const { folder, run } = setting();
  const before = read(folder, '.instr/project.prs');
  const added = run('add', 'lumen/instructions@^1.0.0#review,release');
  assert.is(added.status, 0, added.stderr);
  assert.match(added.stdout, 'Added `@use github.com/lumen/instructions@^1.0.0 (includes: [review, release])` in .instr/project.prs.');
  assert.match(added.stdout, /new +\.claude\/skills\/review\/SKILL\.md/);
  assert.is(read(folder, '.instr/project.prs'), before.replace('\n# Mine', '\n@use github.com/lumen/instructions@^1.0.0 (includes: [review, release])\n# Mine'));
  assert.match(read(folder, 'instr.lock'), 'ref: v1.0.0');
  assert.is(run('compile', '--frozen').status, 0);
  assert.equal(tree(folder).filter(path => path.endsWith('SKILL.md')), ['.claude/skills/release/SKILL.md', '.claude/skills/review/SKILL.md']);
  assert.match(run('status').stdout, /^Sources +github\.com\/lumen\/instructions@\^1\.0\.0 v1\.0\.0$/m);
  assert.match(run('status', '--outdated').stdout, 'Nothing is newer.');
  assert.is(run('remove', 'lumen/instructions').status, 0);
  assert.is(read(folder, '.instr/project.prs'), before);
  assert.not.match(read(folder, 'instr.lock'), 'lumen');
});

tests('creates an entry that includes the unchanged text for a project of Markdown files', () => {
  const { folder, run } = setting();
  rmSync(join(folder, '.instr/project.prs'));
  write(folder, '.instr/project.md', '# Rules\n\nBe kind.\n');
  assert.is(run('compile').status, 0);
  const before = read(folder, 'CLAUDE.md');
  const added = run('add', 'lumen/instructions@^1.0.0#review');
  assert.is(added.status, 0, added.stderr);
  assert.match(added.stdout, '.instr/project.prs is the entry now, and brings .instr/project.md in as it is.');
  const entry = '@meta {\n  id: "sample"\n  syntax: "1.6.0"\n}\n\n@use ./project.md\n@use github.com/lumen/instructions@^1.0.0 (includes: [review])\n';
  assert.is(read(folder, '.instr/project.prs'), entry);
  assert.is(run('compile', '--frozen').status, 0);
  assert.is(read(folder, 'CLAUDE.md'), before);
  assert.ok(tree(folder).includes('.claude/skills/review/SKILL.md'));
  assert.is(run('undo').status, 0);

  rmSync(join(folder, '.instr/project.prs'), { force: true });
  assert.is(run('add', '@lumen/none').status, 1);
  assert.not(tree(folder).includes('.instr/project.prs'), 'must not create an entry for an unreadable source');
  write(folder, 'instr.yaml', `${read(folder, 'instr.yaml')}input: { entry: .instr/project.md }\n`);
  assert.match(run('add', 'lumen/instructions#review').stderr, 'PRS9723');
});

tests('reports executable content and does not record it', () => {
  const { folder, run } = setting();
  const { newlyExecutable, source } = JSON.parse(run('add', '@lumen/base@^1.0.0', '--json').stdout);
  assert.is(source, '@use @lumen/base@^1.0.0');
  assert.equal(newlyExecutable.map(({ name }: { name: string }) => name), ['hooks.lint']);
  assert.not.match(read(folder, 'instr.lock'), 'hooks.lint');
  assert.is(run('compile').status, 1);
  assert.is(run('lock').status, 0);
  assert.is(run('compile').status, 0);
});

tests('changes nothing if the source cannot be read', () => {
  const { folder, run } = setting();
  const before = tree(folder).map(path => [path, read(folder, path)]);
  for (const reference of ['@lumen/none', '@lumen/base@^9.0.0', '@nobody/base', 'ssh://git.example.com/x.git']) {
    const { status, stderr } = run('add', reference);
    assert.is(status, 1, reference);
    assert.match(stderr, 'help: ');
  }
  assert.equal(tree(folder).map(path => [path, read(folder, path)]), before);
  write(folder, '.instr/project.prs', meta('sample'));
  assert.is(run('add', 'https://github.com/lumen/instructions.git/base').status, 0);
  assert.is(read(folder, '.instr/project.prs'), `${meta('sample')}@use github.com/lumen/instructions.git/base\n`);
  assert.is(run('add', 'https://github.com/lumen/instructions.git/base').status, 1, 'the reference is already present');
});

tests('adds an installed package for selected tools, and reports and records its executable content like that of a repository', () => {
  const { folder, run } = setting();
  write(folder, 'instr.yaml', read(folder, 'instr.yaml').replace('[claude]', '[claude, codex]'));
  write(folder, '.instr/project.prs', `${meta('sample').replace('1.5.0', '1.6.0')}@standards { own: ["Mine"] }\n`);
  const before = read(folder, '.instr/project.prs');
  write(folder, 'node_modules/@lumen/kit/skills/review/SKILL.md', skill('review'));
  write(folder, 'node_modules/@lumen/kit/skills/release/SKILL.md', skill('release'));
  write(folder, 'node_modules/kit/base.prs', `${meta('base')}@hooks { lint: { event: "stop" command: ["npm", "run", "lint"] } }\n`);
  const added = run('add', 'npm:@lumen/kit#review', '--targets', 't02');
  assert.is(added.status, 0, added.stderr);
  assert.match(added.stdout, 'Added `@use npm:@lumen/kit (includes: [review]) for claude` in .instr/project.prs.');
  assert.is(run('compile').status, 0);
  assert.equal(tree(folder).filter(path => path.endsWith('SKILL.md') && !path.startsWith('node_modules')), ['.claude/skills/review/SKILL.md']);
  assert.is(run('format', '--check').status, 1);
  run('format');
  assert.match(read(folder, '.instr/project.prs'), 'npm:@lumen/kit');
  assert.is(run('compile', '--check').status, 0, 'formatting must not change the meaning of the reference');
  assert.is(run('remove', 'npm:@lumen/kit').status, 0);
  assert.not.match(read(folder, '.instr/project.prs'), 'lumen');

  write(folder, '.instr/project.prs', before);
  const { newlyExecutable } = JSON.parse(run('add', 'npm:kit/base', '--json').stdout);
  assert.equal(newlyExecutable.map(({ name, from }: { name: string; from: string }) => [name, from]), [['hooks.lint', 'npm:kit']]);
  assert.is(run('lock').status, 0);
  assert.match(read(folder, 'instr.lock'), 'hooks.lint');
  assert.is(run('compile', '--frozen').status, 0);
  write(folder, 'node_modules/kit/base.prs', read(folder, 'node_modules/kit/base.prs').replace('"lint"]', '"other"]'));
  assert.is(run('compile').status, 1, 'the command has changed');
});

tests('finds a package in a parent folder, and reports a missing package and a version', () => {
  const { folder, run } = setting();
  const text = read(folder, '.instr/project.prs');
  assert.match(run('add', 'npm:@lumen/kit').stderr, 'npm install --save-dev @lumen/kit');
  assert.match(run('add', 'npm:kit@1.0.0').stderr, 'is the one that is installed');
  assert.is(run('add', '@lumen/base', '--targets', 'claud').status, 2);
  assert.is(read(folder, '.instr/project.prs'), text);
  for (const path of ['instr.yaml', '.instr/project.prs']) write(folder, `packages/a/${path}`, read(folder, path));
  write(folder, 'node_modules/kit/skills/review/SKILL.md', skill('review'));
  assert.is(run('add', 'npm:kit', '--cwd', 'packages/a').status, 0);
  assert.match(read(folder, 'packages/a/.instr/project.prs'), '@use npm:kit\n');
});

tests.run();
