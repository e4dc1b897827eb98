/** Tests `instr.lock`: reading, writing, merging, and runs that use it. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { isFrozen, lockProject, openLock, withoutSources } from '../../src/project/lock.ts';
import { type Lock, type LockEntry, printLock, readLock } from '../../src/registry/lock.ts';
import type { RegistrySettings } from '../../src/registry/reference.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import fc from '../support/property.ts';
import { commit, everyFile, folder, git, repository, run } from './support/setup.ts';
import { serve } from './support/web.ts';

const test = suite('lock');

const silent = (diagnostic: Diagnostic): void => assert.unreachable(diagnostic.message);

/** Locks what `references` read, as `prs lock` and `prs update` do. */
async function lock(
  root: string,
  config: RegistrySettings,
  references: readonly (readonly [string, string?])[],
  update?: readonly string[] | 'all',
  cacheDir = folder(),
) {
  const findings: Diagnostic[] = [];
  const locked = await lockProject(
    {
      root,
      ...(update && { update }),
      async load(present) {
        const { registries, read, diagnostics } = run(config, { lock: present, locking: true, cacheDir });
        for (const [reference, version] of references) await read(reference, version);
        findings.push(...diagnostics);
        return diagnostics.some(({ severity }) => severity === 'error') ? undefined : { used: registries.used(), executables: [] };
      },
    },
    { disk: nodeDisk, clock: () => new Date(0), report: finding => findings.push(finding) },
  );
  return { locked, changes: locked?.changes, codes: findings.map(({ code }) => code), text: textOf(root) };
}

const textOf = (root: string): string | undefined =>
  existsSync(join(root, 'instr.lock')) ? readFileSync(join(root, 'instr.lock'), 'utf8') : undefined;

const sampleUrl = 'https://example.com/a.git';

test('prints one file per line, sorted, and parses it again', () => {
  const a = 'a'.repeat(64);
  const b = 'b'.repeat(64);
  const entries: LockEntry[] = [
    { source: 'registry', kind: 'http', url: 'https://r.example.com/', files: new Map([['@org/b.prs', b], ['@org/a.prs', a]]) },
    { source: '@acme@^1.0.0', kind: 'git', url: sampleUrl, root: 'packages', ref: 'v1.2.0', commit: 'c'.repeat(40), files: new Map([['x.prs', a]]) },
  ];
  const text = printLock({ entries });
  assert.is(
    text,
    `# Written by \`prs lock\` and \`prs update\`; commit it, and do not edit it.
version: 1
sources:
  "@acme@^1.0.0":
    git: ${sampleUrl}
    root: packages
    ref: v1.2.0
    commit: ${'c'.repeat(40)}
    files:
      x.prs: ${a}
  registry:
    http: https://r.example.com/
    files:
      "@org/a.prs": ${a}
      "@org/b.prs": ${b}
`,
  );
  assert.is(printLock(readLock(text, silent)!), text);
  assert.is(printLock({ entries: [...entries].reverse() }), text);
});

test('every lock file survives a round trip', () => {
  const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
  const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', '<<', 'null', '1', '*a', '&x', '"', '\n', '# c'));
  const entry = fc.record({
    source: name,
    kind: fc.constant('git' as const),
    url: name,
    commit: fc.stringMatching(/^[0-9a-f]{40}$/),
    files: fc.dictionary(name, hash).map(files => new Map(Object.entries(files))),
  });
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ source }) => source }), entries => {
      const text = printLock({ entries });
      const back = readLock(text, silent)!;
      assert.is(printLock(back), text);
      assert.equal(back.entries.map(({ source }) => source).sort(), entries.map(({ source }) => source).sort());
    }),
    { numRuns: 60 },
  );
});

test('reports invalid lock files with the position', () => {
  for (const [text, reason] of [
    ['version: 1\nsources:\n<<<<<<< HEAD\n', 'merge conflict'],
    ['version: 2\nsources: {}\n', 'version'],
    ['version: 1\n', 'sources'],
    ['version: 1\nsources: { a: { git: x, files: { f: short } } }\n', 'sources › a › files › f'],
    ['version: 1\nsources: { a: { git: x, commit: "--upload-pack=x", files: {} } }\n', 'commit'],
    ['version: 1\nsources: { a: { files: {} }\n', 'instr.lock'],
    ['version: 1\nsources: { a: &x { files: {} }, b: *x }\n', 'aliases'],
    ['[]', 'object'],
  ] as const) {
    const found: Diagnostic[] = [];
    assert.is(readLock(text, diagnostic => found.push(diagnostic)), undefined, text);
    assert.equal(found.map(({ code }) => code), ['PRS9100'], text);
    assert.match(found[0]!.message, reason);
    assert.ok(found[0]!.span, text);
  }
});

test('uses a locked commit even if the branch moved, until `prs update`', async () => {
  const repo = repository({ 'base.prs': 'one', 'other.prs': 'other' });
  const config = { registries: { '@acme': `file://${repo}` } };
  const root = folder();
  const first = await lock(root, config, [['@acme/base']]);
  assert.equal(first.codes, []);
  assert.match(first.text!, `commit: ${git(repo, 'rev-parse', 'HEAD')}`);
  assert.not.match(first.text!, 'other.prs');
  commit(repo, { 'base.prs': 'two' }, 'Second');
  const pinned = readLock(first.text!, silent);
  const frozen = run(config, { lock: pinned, frozen: true });
  assert.is(await frozen.read('@acme/base'), 'one');
  assert.equal(frozen.codes(), []);
  const again = await lock(root, config, [['@acme/base']]);
  assert.is(again.text, first.text);
  assert.equal(again.changes, []);
  const moved = await lock(root, config, [['@acme/base']], ['@acme']);
  assert.equal(moved.changes!.map(({ source }) => source), ['@acme']);
  assert.match(moved.text!, `commit: ${git(repo, 'rev-parse', 'HEAD')}`);
  assert.is(await run(config, { lock: readLock(moved.text!, silent), frozen: true }).read('@acme/base'), 'two');
});

test('locking sends requests even if the cache is fresh', async () => {
  const repo = repository({ 'base.prs': 'one' });
  const config = { registries: { '@acme': `file://${repo}` } };
  const cacheDir = folder();
  await run(config, { cacheDir }).read('@acme/base');
  const head = commit(repo, { 'base.prs': 'two' }, 'Second');
  const { text } = await lock(folder(), config, [['@acme/base']], undefined, cacheDir);
  assert.match(text!, head);
});

test('updating one source does not change the others', async () => {
  const [one, two] = [repository({ 'a.prs': '1' }), repository({ 'a.prs': '1' })];
  const config = { registries: { '@one': `file://${one}`, '@two': `file://${two}` } };
  const references = [['@one/a'], ['@two/a', 'main']] as const;
  const root = folder();
  const before = await lock(root, config, references);
  for (const repo of [one, two]) commit(repo, { 'a.prs': '2' }, 'Second');
  const after = await lock(root, config, references, ['@two']);
  assert.equal(after.changes!.map(({ source }) => source), ['@two@main']);
  assert.match(after.text!, git(one, 'rev-parse', 'HEAD~1'));
  assert.match(after.text!, git(two, 'rev-parse', 'HEAD'));
  assert.is.not(after.text, before.text);
  const unknown = await lock(root, config, references, ['@tow']);
  assert.is(unknown.changes, undefined);
  assert.equal(unknown.codes, ['PRS9104']);
  assert.is(unknown.text, after.text);
  const all = await lock(root, config, references, 'all');
  assert.equal(all.changes!.map(({ source }) => source), ['@one']);
});

test('drops sources that are no longer used, and writes no lock file without sources', async () => {
  const repo = repository({ 'a.prs': '1' });
  const config = { registries: { '@one': `file://${repo}` } };
  const root = folder();
  assert.is((await lock(root, config, [])).text, undefined);
  await lock(root, config, [['@one/a'], ['@one/a', 'main']]);
  const { changes, text } = await lock(root, config, [['@one/a']]);
  assert.equal(changes!.map(({ source, after }) => [source, after]), [['@one@main', undefined]]);
  assert.not.match(text!, 'main');
});

test('does not write an unchanged lock file; only `prs lock` replaces a broken one', async () => {
  const repo = repository({ 'a.prs': '1' });
  const config = { registries: { '@one': `file://${repo}` } };
  const root = folder();
  const { text } = await lock(root, config, [['@one/a']]);
  const { mtimeMs } = statSync(join(root, 'instr.lock'));
  await lock(root, config, [['@one/a']]);
  assert.is(statSync(join(root, 'instr.lock')).mtimeMs, mtimeMs);
  writeFileSync(join(root, 'instr.lock'), '<<<<<<< HEAD\n');
  const update = await lock(root, config, [['@one/a']], 'all');
  assert.equal(update.codes, ['PRS9100']);
  assert.is(update.text, '<<<<<<< HEAD\n');
  const halved = await lock(root, config, [['@one/a']]);
  assert.equal(halved.codes, ['PRS9100']);
  assert.is(halved.text, '<<<<<<< HEAD\n');
  writeFileSync(join(root, 'instr.lock'), 'nonsense');
  assert.is((await lock(root, config, [['@one/a']])).text, text);
});

test('a lock in conflict is not written, and its advice works', async () => {
  const [one, two] = [repository({ 'a.prs': '1' }), repository({ 'a.prs': '2' })];
  const config = { registries: { '@one': `file://${one}`, '@two': `file://${two}` } };
  const root = folder();
  const ours = (await lock(root, config, [['@one/a']])).text!;
  const both = (await lock(root, config, [['@one/a'], ['@two/a']])).text!;
  const conflict = `<<<<<<< HEAD\n${ours}=======\n${both}>>>>>>> topic\n`;
  writeFileSync(join(root, 'instr.lock'), conflict);
  const refused = await lock(root, config, [['@one/a'], ['@two/a']]);
  assert.equal(refused.codes, ['PRS9100']);
  assert.is(refused.text, conflict);
  commit(one, { 'a.prs': 'new' }, 'New');
  writeFileSync(join(root, 'instr.lock'), ours);
  assert.is((await lock(root, config, [['@one/a'], ['@two/a']])).text, both);
});

test('errors leave the lock file unchanged', async () => {
  const repo = repository({ 'a.prs': '1' });
  const config = { registries: { '@one': `file://${repo}` } };
  const root = folder();
  const { text } = await lock(root, config, [['@one/a']]);
  const failed = await lock(root, config, [['@one/a'], ['@one/a', '9.9.9']]);
  assert.is(failed.changes, undefined);
  assert.is(failed.text, text);
});

test('frozen: reports an error for a source that is not locked, without network requests', async () => {
  const repo = repository({ 'a.prs': '1', 'b.prs': '2' }, ['v1.0.0']);
  const config = { registries: { '@one': `file://${repo}` } };
  const { text } = await lock(folder(), config, [['@one/a']]);
  const pinned = readLock(text!, silent)!;
  const frozen = run(config, { lock: pinned, frozen: true });
  assert.is(await frozen.read('@one/a', '1.0.0'), undefined);
  assert.is(await frozen.read('@one/b'), undefined);
  assert.is(await frozen.read('@one/a'), '1');
  assert.is(await frozen.read('github.com/acme/base/x'), undefined);
  assert.equal(frozen.codes(), ['PRS9102', 'PRS9102', 'PRS9102']);
  const moved = run({ registries: { '@one': `file://${repo}/.git` } }, { lock: pinned, frozen: true });
  assert.is(await moved.read('@one/a'), undefined);
  assert.equal(moved.codes(), ['PRS9102']);
  const none = run(config, { frozen: true });
  assert.is(await none.read('@one/a'), undefined);
  assert.equal(none.codes(), ['PRS9102']);
});

test('not frozen: reads a source that is not locked with a warning', async () => {
  const repo = repository({ 'a.prs': '1', 'b.prs': '2' }, ['v1.0.0']);
  const config = { registries: { '@one': `file://${repo}` } };
  const { text } = await lock(folder(), config, [['@one/a']]);
  const { read, codes, diagnostics } = run(config, { lock: readLock(text!, silent) });
  assert.is(await read('@one/a', '1.0.0'), '1');
  assert.is(await read('@one/b'), '2');
  assert.equal(codes(), ['PRS9103', 'PRS9103']);
  assert.equal([...new Set(diagnostics.map(({ severity }) => severity))], ['warning']);
});

test('reports an error if the content of a locked commit differs in a byte', async () => {
  const repo = repository({ 'a.prs': '1' });
  const config = { registries: { '@one': `file://${repo}` } };
  const { text } = await lock(folder(), config, [['@one/a']]);
  const changed = text!.replace(/a\.prs: ./, start => start.slice(0, -1) + (start.endsWith('0') ? '1' : '0'));
  const { read, codes, text: shown } = run(config, { lock: readLock(changed, silent) });
  assert.is(await read('@one/a'), undefined);
  assert.is(await read('@one/a'), undefined);
  assert.equal(codes(), ['PRS9101']);
  assert.match(shown(), 'prs update @one');
});

test('reports an error for a locked commit that is gone, and uses no other commit', async () => {
  const repo = repository({ 'a.prs': '1' });
  const config = { registries: { '@one': `file://${repo}` } };
  const { text } = await lock(folder(), config, [['@one/a']]);
  const other = text!.replace(/commit: .*/, `commit: ${'1a'.repeat(20)}`);
  const { read, codes } = run(config, { lock: readLock(other, silent) });
  assert.is(await read('@one/a'), undefined);
  assert.equal(codes(), ['PRS9016']);
});

test('HTTP: uses the locked bytes from the cache or the server, or reports an error', async () => {
  let body = 'one';
  const web = await serve((request, response) =>
    request.url === '/@org/a.prs' ? response.setHeader('etag', `"${body}"`).end(body) : response.writeHead(404).end(),
  );
  try {
    const config = { registry: { url: web.origin, cache: { ttl: 0 } } };
    const root = folder();
    const cacheDir = folder();
    const { text } = await lock(root, config, [['@org/a']], undefined, cacheDir);
    assert.match(text!, `http: ${web.origin}/`);
    const pinned = readLock(text!, silent)!;
    const asked = web.requests.length;
    const cached = run(config, { lock: pinned, frozen: true, cacheDir });
    assert.is(await cached.read('@org/a'), 'one');
    assert.is(web.requests.length, asked);
    assert.is(await run(config, { lock: pinned, frozen: true }).read('@org/a'), 'one');
    const unpinned = run(config, { lock: pinned, frozen: true });
    assert.is(await unpinned.read('@org/b'), undefined);
    assert.equal(unpinned.codes(), ['PRS9102']);
    body = 'two';
    const fresh = run(config, { lock: pinned });
    assert.is(await fresh.read('@org/a'), undefined);
    assert.equal(fresh.codes(), ['PRS9101']);
    const moved = await lock(root, config, [['@org/a']], ['registry'], cacheDir);
    assert.is(moved.changes!.length, 1);
    assert.is(await run(config, { lock: readLock(moved.text!, silent), frozen: true }).read('@org/a'), 'two');
  } finally {
    await web.close();
  }
});

test('repairs a corrupt cache from the locked commit', async () => {
  const repo = repository({ 'a.prs': 'the text' });
  const config = { registries: { '@one': `file://${repo}` } };
  const cacheDir = folder();
  const { text } = await lock(folder(), config, [['@one/a']], undefined, cacheDir);
  commit(repo, { 'a.prs': 'newer text' }, 'Second');
  for (const file of everyFile(cacheDir)) writeFileSync(file.path, file.text.replace('the text', 'EVILTEXT'), 'latin1');
  const { read, codes } = run(config, { lock: readLock(text!, silent), frozen: true, cacheDir });
  assert.is(await read('@one/a'), 'the text');
  assert.equal(codes(), []);
});

test('the lock file contains no path of this machine unless the configuration does', async () => {
  const root = folder();
  const repo = join(root, 'shared');
  const made = repository({ 'a.prs': '1' });
  git(root, 'clone', '--quiet', made, repo);
  const { registries, read } = run({ registries: { '@one': './shared' } }, { root });
  assert.is(await read('@one/a'), '1');
  const text = printLock({ entries: registries.used() });
  assert.match(text, 'git: ./shared');
  assert.not.match(text, root);
});

test('frozen by default on CI', () => {
  assert.is(isFrozen(undefined, { CI: 'true' }), true);
  assert.is(isFrozen(undefined, {}), false);
  assert.is(isFrozen(false, { CI: 'true' }), false);
  assert.is(isFrozen(true, {}), true);
});

test('source names match as a whole, with or without their version', async () => {
  const entry = (source: string): LockEntry => ({ source, kind: 'git', url: sampleUrl, files: new Map() });
  const all: Lock = { entries: ['@a', '@a@1', '@a@2', '@a-b'].map(entry) };
  const left = (names: readonly string[]) => withoutSources(all, names, silent)?.entries.map(({ source }) => source);
  assert.equal(left(['@a']), ['@a-b']);
  assert.equal(left(['@a@1']), ['@a', '@a@2', '@a-b']);
  assert.equal(await openLock(folder(), { disk: nodeDisk, report: silent }), 'none');
});

test.run();
