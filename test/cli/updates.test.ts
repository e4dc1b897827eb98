/** Outdated sources, the preview of an update, and its pull request text: a real server and the built program. */
import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printLock } from '../../src/registry/lock.ts';
import { documents, read as readDocument } from '../docs/documents.ts';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { type Files, minimal, project, prsBeside, read, tree, write } from './prs.ts';

const tests = suite('updates');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const servers: (() => Promise<void>)[] = [];
tests.after(async () => {
  await Promise.all(servers.map(close => close()));
});

const base = (line: string, more = '') => ({ 'base.prs': `${meta('base')}@standards { code: ["${line}"] }\n${more}` });
const hook = '@hooks { lint: { event: "stop" command: ["npm", "run", "lint"] } }\n';

async function registry(files: Files) {
  const folder = project(files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  const release = (tag: string, changed: Files = {}) => {
    for (const [path, content] of Object.entries(changed)) write(folder, path, content);
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', tag);
    git('tag', tag);
  };
  release('v1.0.0');
  const web = await serve(gitOverHttp(dirname(folder), () => true));
  servers.push(web.close);
  return { release, close: web.close, url: `${web.origin}/${basename(folder)}/.git` };
}

function consumer(url: string, source: string) {
  const folder = project({
    ...minimal,
    'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nincludeInstrSkill: false\nregistries: { "@lumen": "${url}" }\n`,
    '.instr/project.prs': `${meta('sample')}${source}\n`,
  });
  const cache = project({});
  const run = async (args: string) => {
    const { status: code, ...output } = await prsBeside(folder, args.split(' '), { INSTR_CACHE_DIR: cache });
    return { code, ...output };
  };
  return { folder, run };
}

tests('reports newer versions, their changes and their executable content before writing anything', async () => {
  const { release, url, close } = await registry({ ...base('First'), 'other.prs': meta('other') });
  const { folder, run } = consumer(url, '@inherit @lumen/base@^1.0.0\n@use @lumen/other@1.0.0');
  assert.is((await run('lock')).code, 0);
  assert.is((await run('compile')).code, 0);
  assert.match((await run('update --dry-run')).stdout, 'Nothing to update.');
  release('v1.1.0', base('Second', hook));
  release('v2.0.0', base('Third'));

  const { code, stdout } = await run('status --outdated --exit-code --json');
  assert.is(code, 1);
  const { outdated } = JSON.parse(stdout);
  assert.equal(
    outdated.map((one: { source: string; current: string; wanted: { name: string }; latest: string; state: string }) => [one.source, one.current, one.wanted.name, one.latest, one.state]),
    [['@lumen@1.0.0', 'v1.0.0', 'v1.0.0', 'v2.0.0', 'superseded'], ['@lumen@^1.0.0', 'v1.0.0', 'v1.1.0', 'v2.0.0', 'outdated']],
  );

  const before = tree(folder).map(path => [path, read(folder, path)]);
  const preview = JSON.parse((await run('update --dry-run --json')).stdout);
  assert.is(preview.moves.length, 1);
  assert.match(preview.moves[0].from, /^v1\.0\.0 /);
  assert.match(preview.moves[0].to, /^v1\.1\.0 /);
  assert.equal(preview.newlyExecutable.map(({ name, from }: { name: string; from: string }) => [name, from]), [['hooks.lint', url]]);
  assert.equal(preview.changedFiles.find(({ path }: { path: string }) => path === 'CLAUDE.md'), { path: 'CLAUDE.md', state: 'changed', added: 1, removed: 1 });
  assert.is(preview.budgets[0].target, 'claude');
  const { stdout: markdown } = await run('update --dry-run --markdown');
  assert.match(markdown, /\| `@lumen@\^1\.0\.0` \| v1\.0\.0 \w+ \| v1\.1\.0 \w+ \|/);
  assert.match(markdown, /### Newly executable[\s\S]*- hook `hooks\.lint` from /);
  assert.match(markdown, '| `CLAUDE.md` | changed | +1 −1 |');
  assert.equal(tree(folder).map(path => [path, read(folder, path)]), before, 'nothing must be written');

  // The update must match its preview.
  assert.is((await run('update')).code, 0);
  assert.is((await run('lock')).code, 0);
  const planned = JSON.parse((await run('compile --json')).stdout).files.filter(({ state }: { state: string }) => state !== 'unchanged');
  assert.equal(planned.map(({ path, state }: { path: string; state: string }) => ({ path, state })), preview.changedFiles.map(({ path, state }: { path: string; state: string }) => ({ path, state })));

  const { status } = JSON.parse((await run('status --json')).stdout);
  assert.equal(status.sources.map(({ source, current }: { source: string; current: string }) => [source, current]), [['@lumen@1.0.0', 'v1.0.0'], ['@lumen@^1.0.0', 'v1.1.0']]);
  assert.equal([status.targets, status.drift, status.executables], [['claude'], [], ['hooks.lint']]);
  write(folder, 'CLAUDE.md', 'Edited');
  const line = await run('status');
  assert.match(line.stdout, /^Tools {7}claude\nFiles {7}1 file of \d+ out of date\nSources {5}@lumen@1\.0\.0 v1\.0\.0\n {12}@lumen@\^1\.0\.0 v1\.1\.0\nExecutable {2}hooks\.lint\nNext {8}`prs absorb` /m);

  await close();
  const unreachable = JSON.parse((await run('status --outdated --json')).stdout);
  assert.is(unreachable.exitCode, 1);
  assert.equal(unreachable.outdated.map(({ state }: { state: string }) => state), ['unknown', 'unknown']);
});

tests('reports that an update would not compile, instead of that nothing changes', async () => {
  const { release, url } = await registry(base('First'));
  const { folder, run } = consumer(url, '@inherit @lumen/base@^1.0.0');
  write(folder, 'instr.yaml', `${read(folder, 'instr.yaml')}policies: [{ kind: executable-sources, name: tools, allowed: [], severity: error }]\n`);
  assert.is((await run('lock')).code, 0);
  assert.is((await run('compile')).code, 0);
  release('v1.1.0', base('Second', hook));
  const { stdout: markdown } = await run('update --dry-run --markdown');
  assert.match(markdown, '- error PRS5023: ');
  assert.match(markdown, 'Nothing is compiled as long as there are errors');
  assert.not.match(markdown, 'No generated file changes');
  assert.match((await run('update --dry-run')).stdout, '1 source would move, and nothing would compile. Nothing was written.');
});

tests('the documented Renovate configuration finds every pinned tag in a lock file', () => {
  const config = documents.map(readDocument).flatMap(text => [...text.matchAll(/```json\n(\{\s+"customManagers"[\s\S]*?)```/g)].map(([, json]) => json!));
  assert.is(config.length, 1);
  const [manager] = JSON.parse(config[0]!).customManagers;
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const files = new Map([['base.prs', 'a'.repeat(64)]]);
  const entry = { kind: 'git', commit, files } as const;
  const text = printLock({
    entries: [
      { ...entry, source: '@lumen@^1.0.0', url: 'https://git.example.com/lumen/instructions.git', ref: 'v1.2.0' },
      { ...entry, source: '@mono@1.0.0', url: 'git@git.example.com:lumen/mono.git', root: 'packages/a b', ref: '1.0.0' },
      { ...entry, source: '@tip', url: 'https://git.example.com/lumen/tip.git' },
      { source: 'registry', kind: 'http', url: 'https://files.example.com/', files },
    ],
  });
  const found = manager.matchStrings.flatMap((pattern: string) => [...text.matchAll(new RegExp(pattern, 'g'))].map(({ groups }) => ({ ...groups })));
  assert.equal(found, [
    { depName: '@lumen', packageName: 'https://git.example.com/lumen/instructions.git', currentValue: 'v1.2.0', currentDigest: commit },
    { depName: '@mono', packageName: 'git@git.example.com:lumen/mono.git', currentValue: '1.0.0', currentDigest: commit },
  ]);
  assert.ok(manager.managerFilePatterns.some((pattern: string) => new RegExp(pattern.slice(1, -1)).test('packages/app/instr.lock')));
});

tests.run();
