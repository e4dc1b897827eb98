import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commit, configureGit, everyFile, folder, git, repository, run, write } from './support/setup.ts';
import { gitOverHttp, serve, withToken } from './support/web.ts';

const test = suite('git safety');

/** A path that must not exist afterwards, and a shell command that would create it. */
function trap(): { readonly marker: string; readonly command: string } {
  const marker = join(folder(), 'marker');
  return { marker, command: `touch ${marker}` };
}

test('refuses URLs that run a command or start like options before calling git', async () => {
  const { marker, command } = trap();
  const script = command.replace(' ', '%20');
  for (const url of [
    `ext::sh -c ${command}`,
    `ext::sh% -c% "${command}"`,
    `ext::${command.replace(' ', '% ')}`,
    'fd::7',
    `--upload-pack=${command}`,
    '-u',
    `ssh://-oProxyCommand=${script}/x`,
    `git@-oProxyCommand=${script}:x/y`,
    'git@host:-x/y',
    `https://example.com/\n--upload-pack=x`,
    'ftp://example.com/x.git',
    'transport::address',
    'just-a-word',
    '',
    'https://[broken/x.git',
    'https://example.com/x.git?upload-pack=y',
    'https://example.com/x.git#y',
    'https://-oProxyCommand=x@example.com/y',
    'https://example.com/-x',
  ]) {
    const { read, codes, text } = run({ registries: { '@acme': url }, registry: { git: { url } } });
    assert.is(await read('@acme/base'), undefined);
    assert.is(await read('@other/base'), undefined);
    assert.equal(codes(), ['PRS9003', 'PRS9003'], url);
    if (/^[a-z]+::[^ ]*$/.test(url)) assert.match(text(), 'runs a command');
    if (url.startsWith('-')) assert.match(text(), 'option');
  }
  assert.not.ok(existsSync(marker));
});

test('validates a fallback URL like the first one', async () => {
  const { marker, command } = trap();
  const { read, codes } = run({ registries: { '@acme': { url: 'https://example.com/a.git', fallbackUrl: `ext::${command}` } } });
  assert.is(await read('@acme/base'), undefined);
  assert.equal(codes(), ['PRS9003']);
  assert.not.ok(existsSync(marker));
});

test('refuses host references that contain options', async () => {
  const { marker, command } = trap();
  const { locate, codes } = run({});
  for (const reference of [`git@-oProxyCommand=${command}:org/repo/a`, '-oX.example.com/org/repo', 'github.com/../x/y/z', 'git@host:-x/repo/a']) {
    assert.is(await locate(reference), undefined, reference);
  }
  assert.is(codes().length >= 3, true);
  assert.not.ok(existsSync(marker));
});

test('refuses an insteadOf that leads to a command', async () => {
  const { marker, command } = trap();
  const undo = configureGit(
    `[url "ext::${command.replace(' ', '% ')} "]\n\tinsteadOf = https://evil.example.com/\n[protocol "ext"]\n\tallow = always\n`,
  );
  try {
    const { read, codes } = run({ registries: { '@acme': 'https://evil.example.com/a.git' } });
    assert.is(await read('@acme/base'), undefined);
    assert.equal(codes(), ['PRS9019']);
    assert.not.ok(existsSync(marker));
  } finally {
    undo();
  }
});

test('refuses versions that start like options or are not valid git refs', async () => {
  const { marker, command } = trap();
  const repo = repository({ 'base.prs': 'x' });
  const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
  for (const version of [`--upload-pack=${command}`, '-x', 'a..b', 'a:b', '@{-1}', 'a\nb', '', 'HEAD^{/x}?']) {
    assert.is(await read('@acme/base', version), undefined, version);
  }
  assert.equal([...new Set(codes())], ['PRS9002']);
  const configured = run({ registry: { git: { url: `file://${repo}`, ref: `--upload-pack=${command}` } } });
  assert.is(await configured.read('@org/base'), undefined);
  assert.equal(configured.codes(), ['PRS9006']);
  assert.not.ok(existsSync(marker));
});

test('does not fetch submodules', async () => {
  const { marker, command } = trap();
  const inner = repository({ 'secret.prs': 'inner' });
  const repo = repository({ 'base.prs': 'outer' });
  git(repo, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', `file://${inner}`, 'sub');
  write(repo, {
    '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ext::${command}\n\tupdate = !${command}\n`,
  });
  commit(repo, {}, 'Submodule');
  const undo = configureGit('[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n');
  try {
    const { read, codes, cacheDir } = run({ registries: { '@acme': `file://${repo}` } });
    assert.is(await read('@acme/base'), 'outer');
    assert.is(await read('@acme/sub/secret'), undefined);
    assert.equal(codes(), []);
    for (const { text } of everyFile(cacheDir)) assert.not.match(text, 'inner');
    assert.not.ok(existsSync(marker));
  } finally {
    undo();
  }
});

test('runs no hook: neither of a template, nor of the user, nor of the repository', async () => {
  const { marker, command } = trap();
  const hooks = folder();
  for (const name of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-auto-gc', 'post-index-change']) {
    write(hooks, { [`hooks/${name}`]: `#!/bin/sh\n${command}\n` });
    chmodSync(join(hooks, 'hooks', name), 0o755);
  }
  const repo = repository({ 'base.prs': 'x', 'hooks/post-checkout': `#!/bin/sh\n${command}\n` });
  const first = git(repo, 'rev-parse', 'HEAD');
  commit(repo, { 'base.prs': 'y' }, 'Second');
  mkdirSync(join(repo, '.git/hooks'), { recursive: true });
  writeFileSync(join(repo, '.git/hooks/post-checkout'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  git(repo, 'config', 'uploadpack.packObjectsHook', `sh -c '${command}'`);
  for (const setting of [`[core]\n\thooksPath = ${hooks}/hooks\n`, `[init]\n\ttemplateDir = ${hooks}\n`]) {
    const undo = configureGit(setting);
    try {
      const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
      assert.is(await read('@acme/base'), 'y');
      assert.is(await read('@acme/base', first), 'x');
      assert.equal(codes(), []);
    } finally {
      undo();
    }
  }
  assert.not.ok(existsSync(marker));
});

test('a template of the user does not affect how repositories are read', async () => {
  const template = folder();
  write(template, { config: 'this is no configuration [' });
  const repo = repository({ 'base.prs': 'x' });
  const undo = configureGit(`[init]\n\ttemplateDir = ${template}\n`);
  try {
    const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
    assert.is(await read('@acme/base'), 'x');
    assert.equal(codes(), []);
  } finally {
    undo();
  }
});

test('runs no filter, and returns the bytes of the commit', async () => {
  const { marker, command } = trap();
  const repo = repository({
    'base.prs': 'raw\n$Id$\n',
    '.gitattributes': '*.prs filter=evil ident text eol=crlf export-ignore diff=evil\n',
  });
  const undo = configureGit(
    `[filter "evil"]\n\tsmudge = ${command}; cat\n\tclean = cat\n\trequired = true\n[diff "evil"]\n\ttextconv = ${command}; cat\n[core]\n\tautocrlf = true\n`,
  );
  try {
    const { read, codes } = run({ registries: { '@acme': `file://${repo}` } });
    assert.is(await read('@acme/base'), 'raw\n$Id$\n');
    assert.equal(codes(), []);
    assert.not.ok(existsSync(marker));
  } finally {
    undo();
  }
});

test('ignores the configuration of a repository around the cache', async () => {
  const { marker, command } = trap();
  const around = repository({ 'a.txt': '' });
  git(around, 'config', 'credential.helper', `!${command}; false`);
  git(around, 'config', 'core.askPass', marker);
  const web = await serve(gitOverHttp(folder(), withToken('x')));
  try {
    const { read, codes } = run({ registries: { '@acme': `${web.origin}/a.git` } }, { cacheDir: join(around, 'cache') });
    assert.is(await read('@acme/base'), undefined);
    assert.equal(codes(), ['PRS9004']);
    assert.not.ok(existsSync(marker));
  } finally {
    await web.close();
  }
});

test('links and unusual names in a repository cannot read outside of it', async () => {
  const secrets = folder();
  write(secrets, { 'secret.prs': 'secret' });
  const repo = repository({ 'pack/base.prs': 'base', 'outside.prs': 'outside the root' });
  symlinkSync(join(secrets, 'secret.prs'), join(repo, 'pack/absolute.prs'));
  symlinkSync('../outside.prs', join(repo, 'pack/above.prs'));
  symlinkSync('../../../../../../../etc/hostname', join(repo, 'pack/far.prs'));
  symlinkSync(secrets, join(repo, 'pack/dir'));
  symlinkSync('loop.prs', join(repo, 'pack/loop.prs'));
  symlinkSync('base.prs', join(repo, 'pack/same.prs'));
  symlinkSync('.', join(repo, 'pack/here'));
  commit(repo, {}, 'Links');
  const { read, locate, codes } = run({ registries: { '@acme': { url: `file://${repo}`, root: 'pack' } } });
  for (const name of ['absolute', 'above', 'far', 'dir/secret', 'loop']) assert.is(await read(`@acme/${name}`), undefined, name);
  assert.equal(codes(), Array(5).fill('PRS9014'));
  assert.is(await read('@acme/same'), 'base');
  assert.is(await read('@acme/here/here/base'), 'base');
  const found = await locate('@acme/base');
  assert.is(await found!.tree.read('../outside.prs'), undefined);
  assert.equal((await found!.tree.list(''))?.map(({ name, kind }) => `${kind} ${name}`).slice(0, 3), ['link above.prs', 'link absolute.prs', 'file base.prs']);
  const whole = run({ registries: { '@acme': `file://${repo}` } });
  assert.is(await whole.read('@acme/pack/above'), 'outside the root');
});

test('does not follow a tree entry named `..`', async () => {
  const repo = repository({ 'base.prs': 'base' });
  const make = (input: string): string => execFileSync('git', ['mktree'], { cwd: repo, input, encoding: 'utf8' }).trim();
  const blob = git(repo, 'rev-parse', 'HEAD:base.prs');
  const inner = make(`100644 blob ${blob}\tevil.prs\n`);
  const tree = make(`040000 tree ${inner}\t..\n100644 blob ${blob}\tbase.prs\n`);
  const hash = git(repo, 'commit-tree', tree, '-m', 'Odd');
  git(repo, 'branch', 'odd', hash);
  const found = await run({ registries: { '@acme': `file://${repo}` } }).locate('@acme/base', 'odd');
  assert.equal((await found!.tree.list(''))?.map(({ name }) => name), ['base.prs']);
  assert.is(await found!.tree.read('../evil.prs'), undefined);
});

test('treats names like `__proto__` as ordinary names', async () => {
  const repo = repository({ '__proto__/constructor.prs': 'data' });
  const { read, registries } = run({ registries: { '@acme': `file://${repo}` } });
  assert.is(await read('@acme/__proto__/constructor'), 'data');
  assert.is(await read('@acme/toString'), undefined);
  assert.equal([...registries.used()[0]!.files.keys()], ['__proto__/constructor.prs']);
});

test.run();
