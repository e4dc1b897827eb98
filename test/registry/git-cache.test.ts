/** Tests the cache of Git registries: freshness, corruption, concurrent processes, and no network. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleTests } from '../../scripts/test/bundle.ts';
import { sourceLimit } from '../../src/text/sizes.ts';
import { commit, configureGit, everyFile, folder, git, repository, run } from './support/setup.ts';
import { gitOverHttp, serve } from './support/web.ts';

const test = suite('git cache');

const reader = fileURLToPath(new URL('support/reader.ts', import.meta.url));

test('ten concurrent processes share one cold cache', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}.prs`, `${index}`]));
  const repo = repository({ ...files, 'base.prs': 'shared' });
  const web = await serve(gitOverHttp(dirname(repo), () => true));
  try {
    const cacheDir = folder();
    const url = `${web.origin}/${basename(repo)}/.git`;
    const [bundled] = await bundleTests([reader], folder());
    const start = String(Date.now() + 4000);
    const outputs = await Promise.all(
      Array.from({ length: 10 }, () =>
        promisify(execFile)(process.execPath, [bundled![1], url, cacheDir, start]),
      ),
    );
    for (const { stdout } of outputs) assert.is(stdout, '["shared",[]]');
    const left = readdirSync(join(cacheDir, 'git')).filter(name => name.startsWith('work-'));
    assert.equal(left, []);
    const odd = everyFile(cacheDir).filter(({ path }) => /\.tmp|\.lock/.test(path));
    assert.equal(odd, []);
  } finally {
    await web.close();
  }
});

test('repairs a corrupt or incomplete cache', async () => {
  const repo = repository({ 'base.prs': 'the text of base', 'other.prs': 'the text of other' });
  const config = { registries: { '@acme': `file://${repo}` } };
  const cacheDir = folder();
  const damages: readonly (readonly [string, (path: string, text: string) => void])[] = [
    ['emptied', path => writeFileSync(path, '')],
    ['cut', (path, text) => truncateSync(path, text.length - 5)],
    ['cut in the header', path => truncateSync(path, 120)],
    ['changed content', (path, text) => writeFileSync(path, text.replace('text of base', 'text of evil'), 'latin1')],
    ['changed header', (path, text) => writeFileSync(path, text.replace('base.prs', 'evil.prs'), 'latin1')],
    ['garbage', path => writeFileSync(path, Buffer.alloc(5000, 7))],
    ['removed', path => rmSync(path)],
    ['replaced by a directory', path => {
      rmSync(path);
      mkdirSync(path);
    }],
  ];
  assert.is(await run(config, { cacheDir }).read('@acme/base'), 'the text of base');
  for (const [name, damage] of damages) {
    for (const { path, text } of everyFile(cacheDir)) damage(path, text);
    const healed = run(config, { cacheDir });
    assert.is(await healed.read('@acme/base'), 'the text of base', name);
    assert.is(await healed.read('@acme/other'), 'the text of other', name);
    assert.equal(healed.codes(), [], name);
    const again = run(config, { cacheDir });
    assert.is(await again.read('@acme/base'), 'the text of base', name);
    assert.equal(again.progress, [], `${name}: repaired permanently`);
  }
});

test('reports an error for a corrupt cache without network, and never returns wrong bytes', async () => {
  const repo = repository({ 'base.prs': 'the text of base' });
  const config = { registries: { '@acme': `file://${repo}` } };
  const cacheDir = folder();
  await run(config, { cacheDir }).read('@acme/base');
  for (const { path, text } of everyFile(cacheDir)) writeFileSync(path, text.replace('text of base', 'text of evil'), 'latin1');
  const reconnect = configureGit('[url "https://127.0.0.1:1/"]\n\tinsteadOf = file:///\n');
  const disconnected = run(config, { cacheDir });
  assert.is(await disconnected.read('@acme/base'), undefined);
  assert.equal(disconnected.codes(), ['PRS9008']);
  reconnect();
});

test('without a cache every run sends requests, and nothing is stored', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const config = { registries: { '@acme': `file://${repo}` }, registry: { cache: { enabled: false } } };
  const cacheDir = folder();
  assert.is(await run(config, { cacheDir }).read('@acme/base'), 'one');
  commit(repo, { 'base.prs': 'two' }, 'Second');
  assert.is(await run(config, { cacheDir }).read('@acme/base'), 'two');
  assert.equal(readdirSync(cacheDir), []);
});

test('reports a cache that is not writable as a warning', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const { read, codes } = run({ registries: { '@acme': `file://${repo}` } }, { cacheDir: join(file, 'cache') });
  assert.is(await read('@acme/base'), 'one');
  assert.equal(codes(), ['PRS9022']);
});

test('a branch is not requested again within the ttl, and is afterwards', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const config = { registries: { '@acme': `file://${repo}` } };
  const cacheDir = folder();
  let time = 9_000_000;
  const read = () => run(config, { cacheDir, clock: () => new Date(time) }).read('@acme/base');
  assert.is(await read(), 'one');
  commit(repo, { 'base.prs': 'two' }, 'Second');
  time += 3_599_999;
  assert.is(await read(), 'one');
  time += 1;
  assert.is(await read(), 'two');
  time -= 9_000_000;
  commit(repo, { 'base.prs': 'three' }, 'Third');
  assert.is(await read(), 'three', 'a clock that was set back does not keep a copy fresh forever');
});

test('finds a tag that is newer than the cached answer', async () => {
  const repo = repository({ 'base.prs': 'one' }, ['v1.0.0']);
  const config = { registries: { '@acme': `file://${repo}` } };
  const cacheDir = folder();
  assert.is(await run(config, { cacheDir }).read('@acme/base', '1.0.0'), 'one');
  commit(repo, { 'base.prs': 'two' }, 'Second');
  git(repo, 'tag', 'v1.1.0');
  assert.is(await run(config, { cacheDir }).read('@acme/base', '1.1.0'), 'two');
});

test('stores one record per commit, readable only by its owner', async () => {
  const repo = repository(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`d${index % 7}/f${index}.prs`, `${index}`])));
  const { locate, cacheDir } = run({ registries: { '@acme': `file://${repo}` } });
  const found = await locate('@acme/d1');
  assert.is((await found!.tree.list('d1'))!.length, 72);
  assert.is(String(Buffer.from((await found!.tree.read('d1/f1.prs'))!)), '1');
  const files = everyFile(cacheDir);
  assert.is(files.length, 2);
  if (process.platform !== 'win32') for (const { path } of files) assert.is(statSync(path).mode & 0o077, 0);
});

test('lists large files, and refuses to read them with their name', async () => {
  const repo = repository({ 'big.prs': 'x'.repeat(sourceLimit + 1), 'base.prs': 'small' });
  const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
  assert.is(await read('@acme/base'), 'small');
  assert.is(await read('@acme/big'), undefined);
  assert.equal(codes(), ['PRS9015']);
});

test('works with a server that supports neither single commits nor shallow fetches', async () => {
  const { rm } = await import('node:fs/promises');
  const repo = repository({ 'base.prs': 'one' });
  const first = git(repo, 'rev-parse', 'HEAD');
  commit(repo, { 'base.prs': 'two' }, 'Second');
  git(repo, 'update-server-info');
  // Static file serving is git's oldest transport. It supports neither single objects nor a depth.
  const { createReadStream, existsSync } = await import('node:fs');
  const web = await serve((request, response) => {
    const path = join(repo, '.git', decodeURIComponent(request.url!.split('?')[0]!));
    if (!existsSync(path) || !statSync(path).isFile()) response.writeHead(404).end();
    else createReadStream(path).pipe(response);
  });
  try {
    const { read, codes } = run({ registries: { '@acme': web.origin } });
    assert.is(await read('@acme/base'), 'two');
    assert.is(await read('@acme/base', first), 'one');
    assert.equal(codes(), []);
  } finally {
    await web.close();
    await rm(repo, { recursive: true, force: true });
  }
});

test('works with a server that supports only fetches by commit', async () => {
  const undo = configureGit('[protocol]\n\tversion = 0\n[uploadpack]\n\tallowAnySHA1InWant = false\n\tallowTipSHA1InWant = false\n');
  try {
    const repo = repository({ 'base.prs': 'one' }, ['v1.0.0']);
    commit(repo, { 'base.prs': 'between' }, 'Second');
    const between = git(repo, 'rev-parse', 'HEAD');
    commit(repo, { 'base.prs': 'two' }, 'Third');
    const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
    assert.is(await read('@acme/base', '1.0.0'), 'one');
    assert.is(await read('@acme/base', between), 'between');
    assert.is(await read('@acme/base', 'f'.repeat(40)), undefined);
    assert.equal(codes(), ['PRS9016']);
  } finally {
    undo();
  }
});

test('reads the listed commit of a branch that moved between listing and fetching', async () => {
  const undo = configureGit('[protocol]\n\tversion = 0\n[uploadpack]\n\tallowAnySHA1InWant = false\n');
  try {
    const repo = repository({ 'base.prs': 'one' });
    const config = { registries: { '@acme': `file://${repo}` } };
    const cacheDir = folder();
    await run(config, { cacheDir }).read('@acme/base');
    for (const { path } of everyFile(cacheDir)) if (!path.endsWith('refs')) rmSync(path);
    commit(repo, { 'base.prs': 'two' }, 'Second');
    assert.is(await run(config, { cacheDir }).read('@acme/base'), 'one');
  } finally {
    undo();
  }
});

test.run();
