/** Tests Git registries over ssh: keys, host keys, and that commands never prompt. */
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { everyFile, repository, run } from './support/setup.ts';
import { missingForSsh, type Ssh, startAgent, startSsh } from './support/sshd.ts';
import { gitOverHttp, serve, withToken } from './support/web.ts';

const test = suite('git over ssh');
const missing = missingForSsh();

if (missing.length > 0 && !process.env.CI) {
  test.skip(`skipped: ${missing.join(', ')} not installed (Debian: apt-get install openssh-server)`, () => {});
} else {
  const repo = repository({ 'base.prs': 'over ssh' }, ['v1.0.0']);
  let ssh: Ssh;
  test.before(async () => {
    assert.equal(missing, [], 'programs that this test needs');
    ssh = await startSsh();
  });
  test.after(() => ssh?.close());

  const registry = (key: string, fallbackUrl?: string) => ({
    registry: {
      git: { url: `${ssh.base}${repo}`, auth: { type: 'ssh', sshKeyPath: key }, ...(fallbackUrl && { fallbackUrl }) },
    },
  }) as const;

  test('reads with an authorized key, whatever characters its path has', async () => {
    ssh.remember('real');
    const { read, locate, codes, cacheDir } = run(registry(ssh.key));
    const found = await locate('@org/base', '1.0.0');
    assert.is(String(Buffer.from((await found!.tree.read('base.prs'))!)), 'over ssh');
    assert.is(await read('@org/none'), undefined);
    assert.equal(codes(), []);
    for (const { path, text } of everyFile(cacheDir)) assert.not.match(text, 'PRIVATE KEY', path);
  });

  test('accepts the short form of an address', async () => {
    ssh.remember('real');
    const { GIT_SSH_COMMAND } = process.env;
    const { port, username } = new URL(ssh.base);
    process.env.GIT_SSH_COMMAND = `${GIT_SSH_COMMAND} -p ${port}`;
    try {
      const auth = { type: 'ssh', sshKeyPath: ssh.key } as const;
      const { locate, codes } = run({ registry: { git: { url: `${username}@127.0.0.1:${repo}`, auth } } });
      assert.ok(await locate('@org/base'));
      assert.equal(codes(), []);
    } finally {
      process.env.GIT_SSH_COMMAND = GIT_SSH_COMMAND;
    }
  });

  test('refuses another key', async () => {
    ssh.remember('real');
    const { read, codes, text } = run(registry(ssh.otherKey));
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9004']);
    assert.match(text(), 'sshKeyPath');
  });

  test('refuses another key even if the agent has the right one', async () => {
    ssh.remember('real');
    const stop = await startAgent(ssh.key);
    try {
      const { read, codes } = run(registry(ssh.otherKey));
      assert.is(await read('@org/base'), undefined);
      assert.equal(codes(), ['PRS9004']);
      const own = run({ registries: { '@acme': `${ssh.base}${repo}` } });
      assert.is(await own.read('@acme/base'), 'over ssh', 'without a configured key the agent is used');
    } finally {
      stop();
    }
  });

  test('reports a missing key file by name', async () => {
    const { read, codes, text } = run(registry('~/no-such-key'));
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9021']);
    assert.match(text(), '~/no-such-key');
  });

  test('refuses an unknown host', async () => {
    ssh.remember('nothing');
    const { read, codes } = run(registry(ssh.key));
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9010']);
    assert.is(await run(registry(ssh.key)).read('@org/base'), undefined);
  });

  test('stops at a changed host key, without trying the fallback', async () => {
    ssh.remember('other');
    const { read, codes } = run(registry(ssh.key, `file://${repo}`));
    assert.is(await read('@org/base'), undefined);
    assert.equal(codes(), ['PRS9011']);
  });

  test('https falls back to ssh', async () => {
    ssh.remember('real');
    const web = await serve(gitOverHttp(dirname(repo), withToken('nobody has it')));
    try {
      const url = `${web.origin}/${basename(repo)}/.git`;
      const auth = { type: 'token', token: 'wrong-token', sshKeyPath: ssh.key } as const;
      const { locate, codes } = run({ registry: { git: { url, fallbackUrl: `${ssh.base}${repo}`, auth } } });
      assert.ok(await locate('@org/base'));
      assert.equal(codes(), ['PRS9023']);
    } finally {
      await web.close();
    }
  });

  test('ssh falls back to https', async () => {
    ssh.remember('real');
    const web = await serve(gitOverHttp(dirname(repo), () => true));
    try {
      const { locate, codes } = run(registry(ssh.otherKey, `${web.origin}/${basename(repo)}/.git`));
      assert.ok(await locate('@org/base'));
      assert.equal(codes(), ['PRS9023']);
    } finally {
      await web.close();
    }
  });

  test('names both when both refuse', async () => {
    ssh.remember('real');
    const web = await serve(gitOverHttp(dirname(repo), withToken('nobody has it')));
    try {
      const { locate, codes, text } = run(registry(ssh.otherKey, `${web.origin}/${basename(repo)}/.git`));
      assert.is(await locate('@org/base'), undefined);
      assert.equal(codes(), ['PRS9004']);
      assert.match(text(), `${ssh.base}${repo} and ${web.origin}`);
    } finally {
      await web.close();
    }
  });
}

test.run();
