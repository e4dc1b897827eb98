/** Git merges generated files by compiling: branches that change the same outputs merge without a conflict. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest, OwnedFile } from '../../src/plan/manifest.ts';
import { mergeManifests } from '../../src/project/merge/merge-file.ts';
import { environment, project, prs } from '../cli/prs.ts';
import { needing } from '../support/machine.ts';

const tests = suite('merge driver');
const config = (targets: readonly string[]) =>
  `id: shop\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets:\n${targets.map(id => `  - ${id}\n`).join('')}`;
const source = (first: string, last: string) =>
  `@meta { id: "shop" syntax: "1.5.0" }\n\n@identity {\n  """\n  ${first}\n  """\n}\n\n@standards {\n  code: ["Be brief"]\n\n  tests: ["Test it"]\n\n  names: ["${last}"]\n}\n`;

/** A clone with a compiled project, with a Git user. */
function clone(targets: readonly string[], isInstalled = true) {
  const folder = project({
    'instr.yaml': config(targets),
    '.instr/project.prs': source('You work on a shop.', 'Name it'),
    '.gitignore': '.instr/.state/\n',
  });
  const env = environment({
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Author',
    GIT_AUTHOR_EMAIL: 'author@example.com',
    GIT_COMMITTER_NAME: 'Author',
    GIT_COMMITTER_EMAIL: 'author@example.com',
  });
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`git ${args.join(' ')}: ${stdout}${stderr}`);
    }
  };
  const run = (...args: string[]) => {
    const done = prs(folder, args);
    assert.is(done.status, 0, done.stdout + done.stderr);
    return done.stdout;
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const commit = () => {
    run('compile');
    git('add', '-A');
    git('commit', '-q', '-m', 'change');
  };
  git('init', '-q', '-b', 'main');
  commit();
  if (isInstalled) run('hook', 'install');
  return { folder, git, run, read, write, commit };
}

needing(tests, 'git')('merges two branches that each add a target, including files that both change', () => {
  const { git, run, read, write, commit } = clone(['claude', 'kilo']);
  git('checkout', '-q', '-b', 'other');
  write('instr.yaml', config(['claude', 'gemini', 'kilo']));
  write('.instr/project.prs', source('You work on a shop.', 'Name it well'));
  commit();
  git('checkout', '-q', 'main');
  write('instr.yaml', config(['claude', 'kilo', 'qwen-code']));
  write('.instr/project.prs', source('You work on our shop.', 'Name it'));
  commit();
  git('merge', '-q', '-m', 'merge', 'other');
  const claude = git('show', 'HEAD:CLAUDE.md');
  assert.match(claude, /our shop/);
  assert.match(claude, /Name it well/);
  assert.match(git('show', 'HEAD:.instr/manifest.json'), /GEMINI\.md[\s\S]*QWEN\.md/);
  // The files of only one branch lack a part of the merged sources, so the hook has compiled them.
  for (const path of ['CLAUDE.md', 'GEMINI.md', 'QWEN.md']) {
    assert.match(read(path), /our shop/, path);
    assert.match(read(path), /Name it well/, path);
  }
  run('compile', '--check');
});

needing(tests, 'git')('without the driver the same branches conflict', () => {
  const { git, write, commit } = clone(['claude', 'kilo'], false);
  git('checkout', '-q', '-b', 'other');
  write('instr.yaml', config(['claude', 'gemini', 'kilo']));
  commit();
  git('checkout', '-q', 'main');
  write('.instr/project.prs', source('You work on our shop.', 'Name it'));
  commit();
  assert.throws(() => git('merge', '-q', '-m', 'merge', 'other'), /manifest\.json|CONFLICT/);
});

needing(tests, 'git')('only conflicts of sources remain, and the next compile resolves the rest', () => {
  const { git, run, read, write, commit } = clone(['claude', 'kilo']);
  git('checkout', '-q', '-b', 'other');
  write('.instr/project.prs', source('You work on their shop.', 'Name it'));
  commit();
  git('checkout', '-q', 'main');
  write('.instr/project.prs', source('You work on our shop.', 'Name it'));
  commit();
  assert.throws(() => git('merge', '-q', '-m', 'merge', 'other'));
  assert.is(git('diff', '--name-only', '--diff-filter=U').trim(), '.instr/project.prs');
  write('.instr/project.prs', source('You work on the shop of all.', 'Name it'));
  run('compile');
  assert.match(read('CLAUDE.md'), /shop of all/);
});

for (const moved of ['main', 'other'])
  needing(tests, 'git')(`a compile writes the files after a skill was moved in ${moved} and removed in the other branch`, () => {
    const { git, run, write, commit } = clone(['factory']);
    const shared = (targets: readonly string[]) => `${config(targets)}output: { layout: once }\n`;
    const skills = (...names: string[]) =>
      `@meta { id: "shop" syntax: "1.5.0" }\n\n@skills {\n${names.map(name => `  ${name}: { description: "Does the ${name} of the shop" content: "Read the list for ${name} twice, then do what it says." }\n`).join('')}}\n`;
    write('instr.yaml', shared(['factory']));
    write('.instr/project.prs', skills('release', 'review'));
    commit();
    const change = { main: () => write('instr.yaml', shared(['factory', 'codex'])), other: () => write('.instr/project.prs', skills('release')) };
    git('checkout', '-q', '-b', 'other');
    (moved === 'main' ? change.other : change.main)();
    commit();
    git('checkout', '-q', 'main');
    (moved === 'main' ? change.main : change.other)();
    commit();
    assert.throws(() => git('merge', '-q', '-m', 'merge', 'other'), /CONFLICT/);
    run('compile');
    git('add', '-A');
    git('commit', '-q', '--no-edit');
    assert.match(git('ls-files'), /\.agents\/skills\/release\/SKILL\.md/);
    assert.not.match(git('ls-files'), /review|\.factory\/skills/);
    run('compile', '--check');
  });

needing(tests, 'git')('a rebase does not conflict either, and compiles the result', () => {
  const { git, run, read, write, commit } = clone(['claude', 'kilo']);
  git('checkout', '-q', '-b', 'other');
  write('.instr/project.prs', source('You work on a shop.', 'Name it well'));
  commit();
  git('checkout', '-q', 'main');
  write('.instr/project.prs', source('You work on our shop.', 'Name it'));
  commit();
  git('checkout', '-q', 'other');
  git('rebase', '-q', 'main');
  assert.match(read('CLAUDE.md'), /our shop[\s\S]*Name it well/);
  run('compile', '--check');
});

needing(tests, 'git')('existing hooks of the user are kept, and everything can be undone', () => {
  const { folder, git, run, read, write, commit } = clone(['claude'], false);
  const own = '#!/bin/sh\necho mine\n';
  write('.git/hooks/post-merge', own);
  chmodSync(join(folder, '.git/hooks/post-merge'), 0o755);
  write('.git/info/attributes', '*.bin -diff');
  assert.match(run('hook', 'install'), /post-merge, which is yours/);
  run('hook', 'install');
  assert.is(read('.git/hooks/post-merge'), own);
  assert.ok(statSync(join(folder, '.git/hooks/post-rewrite')).mode & 0o100);
  assert.is(read('.git/info/attributes').split('/CLAUDE.md merge=instr').length, 2);
  write('instr.yaml', config(['claude', 'gemini']));
  commit();
  assert.match(read('.git/info/attributes'), /^\/GEMINI\.md merge=instr$/m, 'a new file is unknown to Git');
  run('hook', 'remove');
  assert.is(read('.git/info/attributes'), '*.bin -diff\n');
  assert.not(existsSync(join(folder, '.git/hooks/post-rewrite')));
  assert.not.match(git('config', '--local', '--list'), /merge\.instr/);
});

const record = (files: Record<string, Partial<OwnedFile>>, originals: readonly string[] = []): Manifest => ({
  originals: new Map(originals.map(path => [path, '1'])),
  files: new Map(Object.entries(files).map(([path, file]) => [path, { targets: ['a'], ...file }])),
});

tests('records of two branches are merged, file by file and key by key', () => {
  const key = (name: string, sha256: string) => ({ kind: 'set' as const, path: [name], sha256 });
  const base = record({ kept: { sha256: '1' }, gone: { sha256: '1' }, both: { sha256: '1' }, '.mcp.json': { keys: [key('a', '1')] } });
  const ours = record({ kept: { sha256: '2' }, both: { sha256: '2' }, ours: { sha256: '1' }, '.mcp.json': { keys: [key('a', '1'), key('b', '1')] } });
  const theirs = record({ kept: { sha256: '1' }, gone: { sha256: '1' }, both: { sha256: '3' }, '.mcp.json': { keys: [key('c', '1')] } });
  const merged = (compiled?: Manifest) => mergeManifests(base, ours, theirs, compiled).files;
  assert.equal([...merged().keys()], ['.mcp.json', 'both', 'kept', 'ours']);
  assert.is(merged().get('kept')!.sha256, '2');
  assert.is(merged().get('both')!.sha256, '2', 'the current text is kept, and so is its record');
  assert.is(merged(record({ both: { sha256: '4' } })).get('both')!.sha256, '4');
  assert.equal(merged().get('.mcp.json')!.keys!.map(({ path }) => path[0]), ['b', 'c']);
});

tests('originals of a migration that one branch removed are gone, and those that one branch recorded stay', () => {
  const [base, ours, theirs] = [record({}, ['a', 'b', 'c']), record({}, ['a', 'c', 'new']), record({}, ['a', 'b', 'other'])];
  assert.equal([...mergeManifests(base, ours, theirs, undefined).originals.keys()], ['a', 'new', 'other']);
});

tests.run();
