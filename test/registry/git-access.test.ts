/** Tests credentials, redirects, fallbacks and certificates of Git registries with real servers. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printLock } from '../../src/registry/lock.ts';
import { freePort, listening } from './support/ports.ts';
import { configureGit, everyFile, folder, git, limits, repository, run } from './support/setup.ts';
import { gitOverHttp, makeCertificate, serve, type Web, withToken } from './support/web.ts';

const test = suite('git over http');

const TOKEN = 's3cret-t0ken-0123456789';
const repo = repository({ 'base.prs': 'private' }, ['v1.0.0']);
const path = `/${basename(repo)}/.git`;
const auth = { type: 'token', token: TOKEN } as const;

const guarded = (): Promise<Web> => serve(gitOverHttp(dirname(repo), withToken(TOKEN)));

test('a token opens a private repository', async () => {
  const web = await guarded();
  try {
    const environment = { ACME_TOKEN: TOKEN };
    const config = { registry: { git: { url: web.origin + path, auth: { type: 'token', token: 'wrong', tokenEnvVar: 'ACME_TOKEN' } } } } as const;
    const { locate, codes } = run(config, { environment });
    const found = await locate('@org/base');
    assert.is(String(Buffer.from((await found!.tree.read('base.prs'))!)), 'private');
    assert.equal(codes(), []);
  } finally {
    await web.close();
  }
});

test('refuses access without a token, and with a wrong one, with an explanation', async () => {
  const web = await guarded();
  try {
    const without = run({ registry: { git: { url: web.origin + path } } });
    assert.is(await without.read('@org/base'), undefined);
    assert.equal(without.codes(), ['PRS9004']);
    assert.match(without.text(), 'tokenEnvVar');
    const wrong = run({ registry: { git: { url: web.origin + path, auth: { type: 'token', token: 'wr0ng-t0ken' } } } });
    assert.is(await wrong.read('@org/base'), undefined);
    assert.equal(wrong.codes(), ['PRS9004']);
    assert.match(wrong.text(), 'still valid');
    assert.not.match(wrong.text(), 'wr0ng-t0ken');
  } finally {
    await web.close();
  }
});

test('uses credentials in the URL of the configuration and never prints them', async () => {
  const web = await guarded();
  try {
    const url = `${web.origin.replace('//', `//anyone:${TOKEN}@`)}${path}`;
    const { registries, read, diagnostics, progress, cacheDir } = run({ registries: { '@acme': url } });
    assert.is(await read('@acme/base'), 'private');
    assert.is(await read('@acme/base', '9.9.9'), undefined);
    assert.not.match(JSON.stringify([registries.used(), diagnostics, progress]), TOKEN);
    for (const file of everyFile(cacheDir)) assert.not.match(file.text, TOKEN, file.path);
  } finally {
    await web.close();
  }
});

test('the token is not in argument lists, cache, lock file, diagnostics or progress messages', async () => {
  const web = await guarded();
  const tools = folder();
  const seen = join(tools, 'seen.txt');
  writeFileSync(seen, '');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const programs = git(tools, '--exec-path');
  const record = (name: string, program: string): void => {
    rmSync(name, { force: true });
    writeFileSync(name, `#!/bin/sh\nprintf '%s\\n' "$0 $*" >> '${seen}'\nexec '${program}' "$@"\n`);
    chmodSync(name, 0o755);
  };
  const core = folder();
  for (const name of readdirSync(programs)) symlinkSync(join(programs, name), join(core, name));
  record(join(tools, 'git'), real);
  for (const name of ['git', 'git-remote-http']) record(join(core, name), join(programs, name));
  const { PATH } = process.env;
  process.env.PATH = `${tools}:${PATH}`;
  process.env.GIT_EXEC_PATH = core;
  try {
    const options = run({ registry: { git: { url: web.origin + path, auth } } });
    const { registries, read, diagnostics, progress, cacheDir } = options;
    assert.is(await read('@org/none'), undefined);
    assert.is(await read('@org/none', '9.9.9'), undefined);
    const argv = readFileSync(seen, 'utf8');
    assert.match(argv, 'ls-remote');
    assert.match(argv, 'git-remote-http');
    const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    const texts = [
      argv,
      JSON.stringify([diagnostics, progress]),
      printLock({ entries: registries.used() }),
      ...everyFile(cacheDir).map(({ text }) => text),
    ];
    for (const text of texts) for (const secret of [TOKEN, encoded]) assert.not.match(text, secret);
  } finally {
    process.env.PATH = PATH;
    delete process.env.GIT_EXEC_PATH;
    await web.close();
  }
});

test('debug settings of git and libraries do not print the token', async () => {
  const web = await guarded();
  try {
    const reader = fileURLToPath(new URL('support/reader.ts', import.meta.url));
    const env = {
      ...process.env,
      ACME_TOKEN: TOKEN,
      DEBUG: '*',
      GIT_TRACE: '1',
      GIT_TRACE_CURL: '1',
      GIT_CURL_VERBOSE: '1',
      GIT_TRACE_REDACT: '0',
    };
    const args = ['--import', 'tsx', reader, web.origin + path, folder(), '0', 'ACME_TOKEN'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1e8 });
    assert.ok(web.requests.some(({ authorization }) => authorization), 'the token was used');
    const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    for (const secret of [TOKEN, encoded]) assert.not.ok((stdout + stderr).includes(secret));
  } finally {
    await web.close();
  }
});

test('does not send the token to another origin after a redirect', async () => {
  const asked: (string | undefined)[] = [];
  const thief = await serve((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  const web = await serve((request, response) => {
    if (!withToken(TOKEN)(request, response)) return;
    response.writeHead(302, { location: thief.origin + request.url }).end();
  });
  try {
    const { read, codes } = run({ registry: { git: { url: web.origin + path, auth } } });
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9004']);
    assert.ok(web.requests.some(({ authorization }) => authorization), 'the original origin received the token');
    assert.ok(asked.length > 0, 'the redirect was followed');
    assert.equal([...new Set(asked)], [undefined]);
  } finally {
    await web.close();
    await thief.close();
  }
});

test('sends no credentials to another origin if the server redirects before it requests them', async () => {
  const thief = await serve(gitOverHttp(dirname(repo), withToken('something else')));
  const web = await serve((request, response) => {
    response.writeHead(302, { location: thief.origin + request.url }).end();
  });
  try {
    const { read, codes } = run({ registry: { git: { url: web.origin + path, auth } } });
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9004']);
    assert.ok(thief.requests.length > 0, 'the redirect was followed');
    assert.equal([...new Set(thief.requests.map(({ authorization }) => authorization))], [undefined]);
  } finally {
    await web.close();
    await thief.close();
  }
});

test('does not send the token of the first URL to a fallback at another origin', async () => {
  const web = await serve(gitOverHttp(dirname(repo), withToken('something else')));
  const thief = await serve(gitOverHttp(dirname(repo), withToken('something else')));
  try {
    const { read, codes } = run({ registry: { git: { url: web.origin + path, fallbackUrl: thief.origin + path, auth } } });
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9004']);
    assert.ok(thief.requests.length > 0, 'the fallback was tried');
    assert.equal([...new Set(thief.requests.map(({ authorization }) => authorization))], [undefined]);
  } finally {
    await web.close();
    await thief.close();
  }
});

const certificate = makeCertificate(folder());
if (!certificate && !process.env.CI) test.skip('skipped: openssl is not installed', () => {});
else {
  test('https works, and a redirect from https to plain http is refused', async () => {
    assert.ok(certificate, 'openssl, which this test needs');
    const web = await serve(gitOverHttp(dirname(repo), () => true));
    const secure = await serve((request, response) => {
      if (request.url!.startsWith('/down')) {
        response.writeHead(302, { location: web.origin + request.url!.slice('/down'.length) }).end();
      } else gitOverHttp(dirname(repo), withToken(TOKEN))(request, response);
    }, certificate);
    process.env.GIT_SSL_CAINFO = certificate.path;
    try {
      const good = run({ registry: { git: { url: secure.origin + path, auth } } });
      assert.ok(await good.locate('@org/base'));
      const { read, codes } = run({ registry: { git: { url: `${secure.origin}/down${path}`, auth } } });
      assert.is(await read('@org/base'), undefined);
      assert.equal(codes(), ['PRS9019']);
      assert.is(web.requests.length, 0);
    } finally {
      delete process.env.GIT_SSL_CAINFO;
      await secure.close();
      await web.close();
    }
  });
}

test("the user's credential helpers are not called for a configured token", async () => {
  const marker = join(folder(), 'marker');
  const undo = configureGit(`[credential]\n\thelper = "!f() { echo $1 >> ${marker}; }; f"\n`);
  const web = await guarded();
  try {
    const { locate } = run({ registry: { git: { url: web.origin + path, auth } } });
    assert.ok(await locate('@org/base'));
    assert.throws(() => readFileSync(marker));
  } finally {
    undo();
    await web.close();
  }
});

test("the user's credential helpers are used for registries without a configured token", async () => {
  const undo = configureGit(`[credential]\n\thelper = "!f() { echo username=a; echo password=${TOKEN}; }; f"\n`);
  const web = await guarded();
  try {
    const { read, codes } = run({ registries: { '@acme': web.origin + path } });
    assert.is(await read('@acme/base'), 'private');
    assert.equal(codes(), []);
  } finally {
    undo();
    await web.close();
  }
});

test('does not send a token over plain http, except to this machine', async () => {
  const { read, codes } = run({ registry: { git: { url: 'http://git.example.invalid/a.git', auth } } });
  assert.is(await read('@org/base'), undefined);
  assert.equal(codes(), ['PRS9012']);
});

test('url.insteadOf of the user is applied, also for a public host', async () => {
  const web = await serve(gitOverHttp(dirname(repo), () => true));
  const undo = configureGit(`[url "${web.origin}${path}"]\n\tinsteadOf = https://github.com/acme/base.git\n`);
  try {
    const { read, registries, codes } = run({});
    assert.is(await read('github.com/acme/base/base', '1.0.0'), 'private');
    const [entry] = registries.used();
    assert.is(entry!.source, 'github.com/acme/base@1.0.0');
    assert.is(entry!.url, 'https://github.com/acme/base.git');
    assert.is(entry!.ref, 'v1.0.0');
    assert.equal(codes(), []);
  } finally {
    undo();
    await web.close();
  }
});

test('finds a repository in nested groups by a name that ends with `.git`, or by `@` after it', async () => {
  const undo = configureGit(
    `[url "${dirname(repo)}/missing/"]\n\tinsteadOf = https://gitlab.com/\n[url "file://${repo}/.git"]\n\tinsteadOf = https://gitlab.com/group/team/base.git\n`,
  );
  try {
    const { read, codes, text } = run({});
    assert.is(await read('gitlab.com/group/team/base.git/base'), 'private');
    assert.equal(codes(), []);
    assert.is(await read('gitlab.com/group/team/base'), undefined);
    assert.equal(codes(), ['PRS9005']);
    assert.match(text(), 'https://gitlab.com/group/team.git');
  } finally {
    undo();
  }
});

test('reports a missing repository, an unreachable server and a server that does not answer', async () => {
  const web = await serve(gitOverHttp(dirname(repo), () => true));
  const missing = run({ registries: { '@acme': `${web.origin}/none.git` } });
  assert.is(await missing.read('@acme/base'), undefined);
  assert.equal(missing.codes(), ['PRS9005']);
  assert.match(missing.text(), `${web.origin}/none.git`);
  await web.close();
  const away = run({ registries: { '@acme': web.origin + path } });
  assert.is(await away.read('@acme/base'), undefined);
  assert.equal(away.codes(), ['PRS9008']);
  const silent = await serve(() => {});
  try {
    const quick = { ...limits, silence: 400, limit: 400 };
    const { read, codes } = run({ registries: { '@acme': silent.origin + path } }, { limits: quick });
    assert.is(await read('@acme/base'), undefined);
    assert.equal(codes(), ['PRS9007']);
  } finally {
    await silent.close();
  }
});

test('the git protocol works', async () => {
  const port = await freePort();
  const daemon = spawn(
    'git',
    ['daemon', '--export-all', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`, `--base-path=${dirname(repo)}`],
    { stdio: 'ignore', detached: true },
  );
  try {
    await listening(port);
    const { read, locate, codes } = run({
      registries: { '@acme': `git://127.0.0.1:${port}${path}`, '@none': `git://127.0.0.1:${port}/none.git` },
    });
    assert.is(await read('@acme/base', '1.0.0'), 'private');
    assert.is(await locate('@none/base'), undefined);
    assert.equal(codes(), ['PRS9005']);
  } finally {
    // git starts the daemon as a separate process.
    process.kill(-daemon.pid!);
  }
});

test('uses a stale answer with a warning after the ttl if the server is unreachable', async () => {
  const web = await serve(gitOverHttp(dirname(repo), () => true));
  const config = { registries: { '@acme': web.origin + path }, registry: { cache: { ttl: 1000 } } };
  let time = 5_000_000;
  const cacheDir = folder();
  const again = () => run(config, { cacheDir, clock: () => new Date(time) });
  assert.is(await again().read('@acme/base'), 'private');
  const count = web.requests.length;
  time += 999;
  assert.is(await again().read('@acme/base'), 'private');
  assert.is(web.requests.length, count);
  await web.close();
  time += 1;
  const stale = again();
  assert.is(await stale.read('@acme/base'), 'private');
  assert.equal(stale.codes(), ['PRS9009']);
});

test('uses fallbackUrl only after access was refused', async () => {
  const web = await guarded();
  const open = repository({ 'base.prs': 'fallback' });
  try {
    const refused = run({ registries: { '@acme': { url: web.origin + path, fallbackUrl: `file://${open}` } } });
    assert.is(await refused.read('@acme/base'), 'fallback');
    assert.equal(refused.codes(), ['PRS9023']);
    const missing = run({ registries: { '@acme': { url: `file://${open}/none`, fallbackUrl: `file://${open}` } } });
    assert.is(await missing.read('@acme/base'), undefined);
    assert.equal(missing.codes(), ['PRS9005']);
  } finally {
    await web.close();
  }
});

test.run();
