/** `output.git`, and the Git hooks that write generated files after a checkout. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../support/machine.ts';
import { environment, project, prs, write } from './prs.ts';

const tests = suite('generated files and Git');

const config = (git: string, targets = 'claude, codex') =>
  `id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [${targets}]\noutput: { layout: each${git && `, git: ${git}`} }\n`;
const source = (text: string) =>
  `@meta { id: "shop" syntax: "1.6.0" }\n@identity { "${text}" }\n@mcpServers { issues: { url: "https://issues.example.com/mcp" } }\n`;

function gitIn(folder: string) {
  const env = environment({ GIT_CONFIG_GLOBAL: '/dev/null' });
  return (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8', env, stdio: 'pipe' });
}

function repository(mode: string, files: Readonly<Record<string, string>> = {}) {
  const folder = project({
    'instr.yaml': config(mode),
    '.instr/project.prs': source('You work on a shop.'),
    '.gitignore': 'dist\n.instr/.state/\n',
    ...files,
  });
  const git = gitIn(folder);
  git('init', '-q', '-b', 'main');
  const run = (...args: string[]) => {
    const { status, stdout } = prs(folder, [...args, '--json']);
    return { status, ...(JSON.parse(stdout) as { files: { path: string; state: string }[]; diagnostics: { code: string; message: string }[] }) };
  };
  return { folder, git, run, read: (path: string) => readFileSync(join(folder, path), 'utf8'), has: (path: string) => existsSync(join(folder, path)) };
}

needing(tests, 'git')('ignored: .gitignore lists the generated files, and their record stays local', () => {
  const { git, run, read, folder, has } = repository('ignored');
  assert.is(run('compile').status, 0);
  assert.is(read('.gitignore'), 'dist\n.instr/.state/\n# prs: generated files\n/AGENTS.md\n/CLAUDE.md\n# prs: end of generated files\n');
  git('add', '-A');
  assert.not.match(git('ls-files'), 'CLAUDE.md');
  assert.match(git('ls-files'), '.mcp.json');
  assert.not.match(read('.instr/manifest.json'), 'CLAUDE.md');
  git('commit', '-q', '-m', 'first');

  // A clone has no generated files. Compiling writes them without conflicts.
  const other = join(mkdtempSync(join(tmpdir(), 'prs-clone-')), 'shop');
  gitIn(folder)('clone', '-q', folder, other);
  assert.not.ok(existsSync(join(other, 'CLAUDE.md')));
  assert.is(prs(other, ['compile', '--check']).status, 0);
  assert.is(prs(other, ['compile']).status, 0);
  assert.ok(existsSync(join(other, 'CLAUDE.md')));
  assert.is(gitIn(other)('status', '--porcelain'), '');
  rmSync(join(other, '..'), { recursive: true });

  // Edits are not overwritten. A file that is no longer generated is removed from disk and from the list.
  write(folder, 'CLAUDE.md', 'Mine.\n');
  assert.is(run('compile').status, 1);
  assert.is(prs(folder, ['compile', '--force']).status, 0);
  write(folder, 'instr.yaml', config('ignored', 'claude'));
  assert.is(run('compile').status, 0);
  assert.not.ok(has('AGENTS.md'));
  assert.not.match(read('.gitignore'), 'AGENTS.md');
});

needing(tests, 'git')('ignored: a run for one target keeps the lines of the others', () => {
  const { run, read, folder } = repository('ignored');
  run('compile');
  write(folder, '.instr/project.prs', source('You work on another shop.'));
  assert.is(prs(folder, ['compile', '--target', 'claude']).status, 0);
  assert.match(read('.gitignore'), '/AGENTS.md\n/CLAUDE.md\n');
  assert.match(read('AGENTS.md'), 'on a shop');
});

needing(tests, 'git')('ignored: reports generated files that Git tracks until they are removed from the index', () => {
  const { git, run, folder } = repository('');
  run('compile');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  write(folder, 'instr.yaml', config('ignored'));
  const found = run('compile').diagnostics.filter(({ code }) => code === 'PRS8102');
  assert.match(found[0]!.message, 'AGENTS.md, CLAUDE.md');
  git('rm', '-q', '--cached', 'AGENTS.md', 'CLAUDE.md');
  write(folder, '.instr/project.prs', source('You work on another shop.'));
  assert.equal(run('compile').diagnostics.filter(({ code }) => code === 'PRS8102'), []);
  assert.not.match(git('status', '--porcelain'), '?? CLAUDE.md');
});

needing(tests, 'git')('tracked: marks generated files; undo and changing the mode remove the marks', () => {
  const { git, run, read, has, folder } = repository('tracked', { '.gitattributes': '* text=auto\r\n' });
  const dry = run('compile', '--dry-run');
  assert.ok(dry.files.some(({ path, state }) => path === '.gitattributes' && state === 'changed'));
  assert.is(read('.gitattributes'), '* text=auto\r\n');
  run('compile');
  assert.match(read('.gitattributes'), '* text=auto\r\n# prs: generated files\r\n/AGENTS.md linguist-generated\r\n');
  assert.match(git('check-attr', 'linguist-generated', 'CLAUDE.md'), ': set');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read('.gitattributes'), '* text=auto\r\n');
  run('compile');
  write(folder, 'instr.yaml', config(''));
  run('compile');
  assert.is(read('.gitattributes'), '* text=auto\r\n');
  assert.ok(has('CLAUDE.md'));
});

tests('reports a marked section without an end, and writes nothing', () => {
  const { run, read } = repository('ignored', { '.gitignore': '# prs: generated files\n/CLAUDE.md\n' });
  const { status, diagnostics } = run('compile');
  assert.is(status, 1);
  assert.match(diagnostics.map(({ message }) => message).join('\n'), 'is missing');
  assert.is(read('.gitignore'), '# prs: generated files\n/CLAUDE.md\n');
});

needing(tests, 'git')('ignored: local targets change neither .gitignore nor the Git status', () => {
  const { git, run, read, has, folder } = repository('ignored', { 'instr.yaml': config('ignored', '{ claude: { version: full } }') });
  run('compile');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  write(folder, '.git/info/exclude', 'instr.local.yaml\n');
  write(folder, 'instr.local.yaml', 'targets: [codex]\n');
  assert.is(run('compile').status, 0);
  assert.ok(has('AGENTS.md'));
  assert.is(git('status', '--porcelain'), '');
  assert.not.match(read('.gitignore'), 'AGENTS.md');
});

needing(tests, 'git')('hooks write the files after a checkout and in a second worktree', () => {
  const { git, run, read, has, folder } = repository('ignored');
  run('compile');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  assert.is(prs(folder, ['hook', 'install']).status, 0);
  git('checkout', '-q', '-b', 'other');
  write(folder, '.instr/project.prs', source('You work on another shop.'));
  git('commit', '-q', '-a', '-m', 'second');
  git('checkout', '-q', 'main');
  assert.match(read('CLAUDE.md'), 'on a shop');
  git('checkout', '-q', 'other');
  assert.match(read('CLAUDE.md'), 'on another shop');
  git('checkout', '-q', 'main');
  git('merge', '-q', 'other');
  assert.match(read('CLAUDE.md'), 'on another shop');

  const second = join(mkdtempSync(join(tmpdir(), 'prs-tree-')), 'tree');
  git('worktree', 'add', '-q', second, '-b', 'third');
  assert.match(readFileSync(join(second, 'CLAUDE.md'), 'utf8'), 'on another shop');
  assert.is(gitIn(second)('status', '--porcelain'), '');
  rmSync(join(second, '..'), { recursive: true });

  // Nothing is printed for a commit without a project.
  git('checkout', '-q', '--orphan', 'empty');
  git('rm', '-r', '-f', '-q', '.');
  git('commit', '-q', '--allow-empty', '-m', 'empty');
  git('checkout', '-q', 'main');
  git('checkout', '-q', 'empty');
  assert.not.ok(has('instr.yaml'));
  git('checkout', '-q', 'main');
  prs(folder, ['hook', 'remove']);
  assert.not.ok(has('.git/hooks/post-checkout'));
});

needing(tests, 'git')('removing the hooks of one project keeps those of other projects in the repository', () => {
  const folder = project({});
  const git = gitIn(folder);
  git('init', '-q');
  for (const name of ['a', 'b c']) {
    write(folder, `${name}/instr.yaml`, config(''));
    write(folder, `${name}/.instr/project.prs`, source('You work on a shop.'));
    prs(join(folder, name), ['compile']);
    assert.is(prs(join(folder, name), ['hook', 'install']).status, 0);
  }
  const hook = () => readFileSync(join(folder, '.git/hooks/post-checkout'), 'utf8');
  const attributes = () => readFileSync(join(folder, '.git/info/attributes'), 'utf8');
  assert.match(hook(), '# a\n');
  assert.match(hook(), '# b c\n');
  assert.match(attributes(), '/a/CLAUDE.md');
  assert.match(attributes(), '"/b c/CLAUDE.md"');
  prs(join(folder, 'a'), ['hook', 'remove']);
  assert.not.match(hook(), '# a\n');
  assert.match(hook(), '# b c\n');
  assert.not.match(attributes(), '/a/CLAUDE.md');
  assert.match(git('config', 'merge.instr.driver'), 'merge-driver');
  prs(join(folder, 'b c'), ['hook', 'remove']);
  assert.throws(() => git('config', 'merge.instr.driver'));
});

tests.run();
