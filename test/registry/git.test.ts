/** Tests Git registries: tags, ranges, branches, commits, and folders of a repository. */
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commit, git, repository, run } from './support/setup.ts';

const test = suite('git registry');

const url = (path: string) => pathToFileURL(path).href;

test('an alias reads the default branch', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const { read, codes, locate } = run({ registries: { '@acme': url(repo) } });
  assert.is(await read('@acme/base'), 'one');
  const found = await locate('@acme/base');
  assert.is(found!.layer.registry, url(repo));
  assert.match(found!.tree.id, /^@acme@[0-9a-f]{12}$/);
  assert.equal(codes(), []);
});

test('reads tags, ranges, branches and commits', async () => {
  const repo = repository({ 'base.prs': '1.0.0' }, ['v1.0.0']);
  const early = git(repo, 'rev-parse', 'HEAD');
  commit(repo, { 'base.prs': '1.2.0' }, 'Second');
  git(repo, 'tag', '1.2.0');
  git(repo, 'tag', 'v1.3.0-beta.1');
  const between = commit(repo, { 'base.prs': 'between' }, 'Third');
  commit(repo, { 'base.prs': '2.0.0' }, 'Fourth');
  git(repo, 'tag', 'v2.0.0');
  git(repo, 'checkout', '--quiet', '-b', 'next/one');
  commit(repo, { 'base.prs': 'next' }, 'Fifth');
  git(repo, 'checkout', '--quiet', 'main');
  const { read, codes } = run({ registries: { '@acme': url(repo) } });
  assert.is(await read('@acme/base', '1.0.0'), '1.0.0');
  assert.is(await read('@acme/base', 'v1.0.0'), '1.0.0');
  assert.is(await read('@acme/base', '1.2.0'), '1.2.0');
  assert.is(await read('@acme/base', '^1.0.0'), '1.2.0');
  assert.is(await read('@acme/base', '>=1.0.0 <3'), '2.0.0');
  assert.is(await read('@acme/base', '1'), '1.2.0');
  assert.is(await read('@acme/base', 'next/one'), 'next');
  assert.is(await read('@acme/base', early), '1.0.0');
  assert.is(await read('@acme/base', between), 'between');
  assert.is(await read('@acme/base'), '2.0.0');
  assert.equal(codes(), []);
});

test('suggests the nearest tags for a version that does not exist', async () => {
  const repo = repository({ 'base.prs': 'one' }, ['v1.0.0', 'v1.1.0', 'v9.0.0']);
  const { read, codes, text } = run({ registries: { '@acme': url(repo) } });
  assert.is(await read('@acme/base', '1.1.1'), undefined);
  assert.equal(codes(), ['PRS9006']);
  assert.match(text(), /nearest names are: v1.1.0/);
});

test('names the existing branch of a registry without a `main` branch', async () => {
  const repo = repository({ 'base.prs': 'one' });
  git(repo, 'branch', '--move', 'trunk');
  const { read, codes, text } = run({ registry: { git: { url: url(repo) } } });
  assert.is(await read('@acme/base'), undefined);
  assert.equal(codes(), ['PRS9006']);
  assert.match(text(), /default branch is `trunk`: write `ref: trunk`/);
});

test('combines the root of an alias, the path and the ref of the registry', async () => {
  const repo = repository({ 'packages/rules/base.prs': 'inner', 'base.prs': 'outer', '@org/a.prs': 'org' });
  git(repo, 'checkout', '--quiet', '-b', 'stable');
  commit(repo, { 'lib/@org/a.prs': 'stable' }, 'Second');
  const { read, codes } = run({
    registries: { '@acme': { url: url(repo), root: 'packages/rules' } },
    registry: { git: { url: url(repo), ref: 'stable', path: 'lib' } },
  });
  assert.is(await read('@acme/base'), 'inner');
  assert.is(await read('@org/a'), 'stable');
  assert.is(await read('@org/a', 'main'), undefined);
  assert.equal(codes(), ['PRS9013']);
});

test('aliases take precedence over the registry, and longer aliases over shorter ones', async () => {
  const short = repository({ 'team/base.prs': 'short' });
  const long = repository({ 'base.prs': 'long' });
  const registry = repository({ '@acme/base.prs': 'registry', '@other/base.prs': 'registry' });
  const { read } = run({
    registries: { '@acme': url(short), '@acme/team': url(long) },
    registry: { git: { url: url(registry) } },
  });
  assert.is(await read('@acme/team/base'), 'long');
  assert.is(await read('@other/base'), 'registry');
});

test('reads nothing twice: there is one working copy per commit, and the next run does not call git', async () => {
  const repo = repository({ 'base.prs': 'one' }, ['v1.0.0']);
  const first = run({ registries: { '@acme': url(repo) } });
  assert.is(await first.read('@acme/base', '1.0.0'), 'one');
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    const second = run({ registries: { '@acme': url(repo) } }, { cacheDir: first.cacheDir });
    assert.is(await second.read('@acme/base', '1.0.0'), 'one');
    assert.is(await second.read('@acme/base', '^1.0.0'), 'one');
    assert.equal(second.codes(), []);
    const third = run({ registries: { '@acme': url(repo) } });
    assert.is(await third.read('@acme/base'), undefined);
    assert.equal(third.codes(), ['PRS9017']);
  } finally {
    process.env.PATH = path;
  }
});

test('reports progress while it fetches', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const { read, progress } = run({ registries: { '@acme': url(repo) } });
  await read('@acme/base');
  assert.ok(progress.some(text => /\d+%/.test(text)), JSON.stringify(progress));
});

test('executable files of a skill stay executable', async () => {
  const repo = repository({ 'skills/s/SKILL.md': '', 'skills/s/run.sh': '#!/bin/sh\n', 'skills/s/notes.md': '' });
  git(repo, 'update-index', '--chmod=+x', 'skills/s/run.sh');
  git(repo, 'commit', '--quiet', '-m', 'A program');
  const { tree } = (await run({ registries: { '@acme': url(repo) } }).locate('@acme/skills/s'))!;
  const programs = ['run.sh', 'notes.md', 'none.sh'].filter(name => tree.executable!(`skills/s/${name}`));
  assert.equal(programs, ['run.sh']);
});

test.run();
