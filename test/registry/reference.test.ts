/** Tests how references are split into repository and path. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Config } from '../../src/generated/types/config.ts';
import { cacheDirectory } from '../../src/host/home.ts';
import { labelOf, parseAddress, redact } from '../../src/registry/address.ts';
import { readGitFailure } from '../../src/registry/failure.ts';
import type { RegistrySettings } from '../../src/registry/reference.ts';
import { type Destination, splitReference } from '../../src/registry/reference.ts';
import { chooseVersion, nearestNames, type Refs, readRefs, whyNoVersion } from '../../src/registry/version.ts';
import { normalizeInnerPath, resolveLink } from '../../src/text/paths.ts';
import fc from '../support/property.ts';

const test = suite('references and addresses');

const settings: RegistrySettings = {
  registry: { path: 'shared' },
  registries: { '@acme': 'x', '@acme/team': 'y' },
};

const hostOf = (reference: string): Extract<Destination, { kind: 'host' }> => {
  const place = splitReference(reference, settings);
  return place.kind === 'host' ? place : (assert.unreachable(place.kind) as never);
};

test('registries are created from the configuration of a project', () => {
  const config: Config = { id: 'x', syntax: '1.0.0', targets: ['any'] };
  const usable: RegistrySettings = config;
  assert.is(usable.registry, undefined);
});

test('aliases match whole segments, the longest first', () => {
  assert.equal(splitReference('@acme/a/b', settings), { kind: 'registry', name: '@acme', path: 'a/b' });
  assert.equal(splitReference('@acme/team/b', settings), { kind: 'registry', name: '@acme/team', path: 'b' });
  assert.equal(splitReference('@acme', settings), { kind: 'registry', name: '@acme', path: '' });
  assert.equal(splitReference('@acme-evil/a', settings), {
    kind: 'registry',
    name: 'registry',
    path: '@acme-evil/a',
  });
  assert.equal(splitReference('@constructor/a', { registries: { '@acme': 'x' } }), { kind: 'unknown' });
  assert.equal(splitReference('toString/a', settings), { kind: 'unknown' });
});

test('host references consist of host, organisation, repository and path', () => {
  assert.equal(hostOf('github.com/acme/base/@org/base'), {
    kind: 'host',
    name: 'github.com/acme/base',
    url: 'https://github.com/acme/base.git',
    path: '@org/base',
  });
  const parts = (reference: string) => [hostOf(reference).name, hostOf(reference).path];
  assert.equal(parts('gitlab.com/a/b/c/d'), ['gitlab.com/a/b', 'c/d']);
  assert.equal(parts('gitlab.com/a/b/c.git/d'), ['gitlab.com/a/b/c', 'd']);
  assert.equal(parts('gitlab.com/a/b/c/@org/d'), ['gitlab.com/a/b/c', '@org/d']);
  assert.equal(hostOf('localhost:8080/a/b').url, 'https://localhost:8080/a/b.git');
  assert.equal(hostOf('git@github.com:acme/base/rules'), {
    kind: 'host',
    name: 'git@github.com:acme/base',
    url: 'git@github.com:acme/base.git',
    path: 'rules',
  });
  assert.is(hostOf('git@host.example:repo').name, 'git@host.example:repo');
  assert.is(splitReference('github.com/acme', settings).kind, 'invalid');
  assert.is(splitReference('github.com/../../x', settings).kind, 'invalid');
  assert.is(splitReference('@acme//x', settings).kind, 'invalid');
  assert.is(splitReference('@acme/a\\b', settings).kind, 'invalid');
});

test('passwords are removed from URLs and kept separately', () => {
  const address = parseAddress('https://me:p%40ss@Example.com:8443/a/b.git', '/root');
  assert.equal(address, {
    protocol: 'https',
    url: 'https://example.com:8443/a/b.git',
    shown: 'https://example.com:8443/a/b.git',
    loopback: false,
    host: 'example.com',
    origin: 'https://example.com:8443',
    user: 'me',
    password: 'p@ss',
  });
  const label = (text: string): string => {
    const parsed = parseAddress(text, '/root');
    return 'refused' in parsed ? parsed.refused : labelOf(parsed);
  };
  assert.is(label('https://example.com/a/b.git'), 'example.com/a/b');
  assert.is(label('git@example.com:a/b.git'), 'example.com/a/b');
  assert.is(label('ssh://git@example.com/a/b/'), 'example.com/a/b');
  assert.equal((parseAddress('https://me:100%@example.com/a', '/root') as { password: string }).password, '100%');
});

/** Removes the drive letter and the separators of the current system. */
const plainPath = (path: string) => path.replace(/^[A-Z]:/, '').replaceAll('\\', '/');

test("the cache is in each system's standard location", () => {
  const at = (platform: string, environment: Readonly<Record<string, string>> = {}) => plainPath(cacheDirectory({ HOME: '/home/me', USERPROFILE: '/home/me', ...environment }, platform));
  assert.is(at('linux'), '/home/me/.cache/instr');
  assert.is(at('linux', { XDG_CACHE_HOME: '/fast' }), '/fast/instr');
  assert.is(at('linux', { XDG_CACHE_HOME: 'relative' }), '/home/me/.cache/instr');
  assert.is(at('darwin', { XDG_CACHE_HOME: '/fast' }), '/home/me/Library/Caches/instr');
  assert.is(at('win32'), '/home/me/AppData/Local/instr/cache');
  assert.is(at('win32', { LOCALAPPDATA: '/local' }), '/local/instr/cache');
  for (const platform of ['linux', 'darwin', 'win32']) assert.is(at(platform, { INSTR_CACHE_DIR: '/chosen', LOCALAPPDATA: '/local' }), '/chosen');
});

test('of two equally near tags, the newer one comes first', async () => {
  const tags = ['v1.1.0', 'v1.4.0', '1.2.0', 'v1.2.0', 'latest', 'newest'].map(name => [name, '0'.repeat(40)] as const);
  assert.equal(await nearestNames('1.3.0', { tags, branches: [] }), ['v1.4.0', '1.2.0', 'v1.2.0', 'v1.1.0', 'latest']);
  assert.equal(await nearestNames('^9', { tags: [], branches: [['next', '0'.repeat(40)], ['main', '0'.repeat(40)]] }), ['main', 'next']);
});

test('only this machine is loopback', () => {
  const loopback = (url: string) => (parseAddress(url, '/') as { loopback: boolean }).loopback;
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'a.localhost']) assert.is(loopback(`http://${host}/`), true, host);
  for (const host of ['localhost.evil.com', '127.0.0.1.evil.com', '10.0.0.1', '[::2]', 'example.com', '0.0.0.0']) {
    assert.is(loopback(`http://${host}/`), false, host);
  }
});

test('credentials are removed from every text', () => {
  const secret = 't0ken/+=&';
  const texts = [
    `fatal: https://x:${secret}@example.com/a`,
    `remote: ${encodeURIComponent(secret)}`,
    `Authorization: Basic ${Buffer.from(secret).toString('base64')}`,
    `a ${secret} b ${secret}`,
  ];
  for (const text of texts) {
    const redacted = redact(text, [secret]);
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      assert.not.ok(redacted.includes(form), redacted);
    }
  }
  assert.is(redact("unable to access 'https://anyone:other@example.com/'", []), "unable to access 'https://***@example.com/'");
  assert.is(redact('Authorization: Bearer abcdef', []), 'Authorization: Bearer ***');
});

test('maps messages of git to kinds of failure', () => {
  const kinds = {
    access: [
      "fatal: Authentication failed for 'https://x/'",
      "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
      'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      "fatal: unable to access 'https://x/': The requested URL returned error: 403",
      'remote: HTTP Basic: Access denied',
    ],
    missing: [
      "remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found",
      'ERROR: Repository not found.\nfatal: Could not read from remote repository.',
      "fatal: '/x' does not appear to be a git repository",
      'remote: The project you were looking for could not be found or you don\'t have permission to view it.',
      'fatal: remote error: access denied or repository not exported: /x',
    ],
    network: [
      "fatal: unable to access 'https://x/': Could not resolve host: x",
      "fatal: unable to access 'https://x/': Failed to connect to x port 443 after 1 ms: Couldn't connect to server",
      'ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.',
      'fatal: the remote end hung up unexpectedly',
      "fatal: unable to access 'https://x/': The requested URL returned error: 503",
    ],
    timeout: ['ssh: connect to host x port 22: Connection timed out', 'fatal: Operation too slow. Less than 1 bytes/sec'],
    'host-key-unknown': ['No ED25519 host key is known for x and you have requested strict checking.\nHost key verification failed.'],
    'host-key-changed': ['@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.'],
    object: ['fatal: remote error: upload-pack: not our ref 1234', "fatal: couldn't find remote ref refs/tags/x"],
    other: ['fatal: something new'],
  } as const;
  for (const [kind, messages] of Object.entries(kinds)) {
    for (const message of messages) assert.is(readGitFailure(message).kind, kind, message);
  }
  assert.is(readGitFailure('fatal: something new.\n').reason, 'something new');
});

test('inner paths never lead outside', () => {
  assert.is(normalizeInnerPath('a/./b//c/../d'), 'a/b/d');
  assert.is(normalizeInnerPath('../a'), undefined);
  assert.is(normalizeInnerPath('a/../../b'), undefined);
  assert.is(normalizeInnerPath('a\\..\\b'), undefined);
  assert.is(normalizeInnerPath('a\0b'), undefined);
  assert.is(resolveLink('a/b', '../c'), 'a/c');
  assert.is(resolveLink('a', '../../c'), undefined);
  assert.is(resolveLink('', '/etc/passwd'), undefined);
  assert.is(resolveLink('', 'C:/x'), undefined);
  const part = fc.constantFrom('..', '.', '', 'a', 'b', '...', '..a');
  fc.assert(
    fc.property(fc.array(part), parts => {
      const path = normalizeInnerPath(parts.join('/'));
      if (path !== undefined) assert.not.ok(path.split('/').some(name => name === '..' || name === '.'));
    }),
  );
});

test('versions select among refs', async () => {
  const hash = (digit: string): string => digit.repeat(40);
  const refs: Refs = readRefs(
    [
      'ref: refs/heads/main\tHEAD',
      `${hash('a')}\tHEAD`,
      `${hash('a')}\trefs/heads/main`,
      `${hash('b')}\trefs/heads/1.x`,
      `${hash('c')}\trefs/pull/1/head`,
      `${hash('d')}\trefs/tags/v1.0.0`,
      `${hash('e')}\trefs/tags/v1.0.0^{}`,
      `${hash('f')}\trefs/tags/1.10.0`,
      `${hash('1')}\trefs/tags/v1.9.0`,
      `${hash('2')}\trefs/tags/v2.0.0-rc.1`,
      `${hash('3')}\trefs/tags/nightly`,
    ].join('\n'),
  );
  const choose = async (version: string): Promise<string | undefined> => (await chooseVersion(version, refs))?.commit[0];
  assert.is(await choose('HEAD'), 'a');
  assert.is(await choose('main'), 'a');
  assert.is(await choose('1.0.0'), 'e', 'the commit, not the tag object');
  assert.is(await choose('v1.10.0'), 'f');
  assert.is(await choose('^1.0.0'), 'f', 'compared as numbers, not as strings');
  assert.is(await choose('~1.9'), '1');
  assert.is(await choose('1.x'), 'b', 'a branch of that name takes precedence over a range');
  assert.is(await choose('^2.0.0'), undefined);
  assert.is(await choose('2.0.0-rc.1'), '2');
  assert.is(await choose('nightly'), '3');
  assert.is(await choose('*'), 'f');
  assert.is(await choose('latest'), undefined);
  assert.is(await choose('ccccccc'), undefined);
  assert.is(whyNoVersion('^1.0.0 || ~2.1'), undefined);
});

test.run();
