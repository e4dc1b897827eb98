/** Targets that are enabled together agree on shared files, in any order and environment. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { type Compiled, compileModel, openKitchenSink, root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('targets together');
const { model } = await openKitchenSink();
const ids = [...builtinIds()].sort();

const compile = (chosen: readonly string[]): Promise<Compiled> =>
  compileModel(model, chosen.map(id => ({ loaded: builtinSpec(id)! })));

const errorsOf = ({ diagnostics }: Compiled): string =>
  renderText(diagnostics.filter(({ severity }) => severity === 'error'));

/** Path, content and mode of every file as one value. */
function fingerprint({ files }: Pick<Compiled, 'files'>): string[] {
  return files.map(
    ({ path, bytes, executable }) =>
      `${path} ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}${executable ? ' x' : ''}`,
  );
}

/** All targets together. */
const all = await compile(ids);

tests('all targets compile together without a conflict', async () => {
  const compiled = all;
  assert.is(errorsOf(compiled), '');
  const shared = compiled.files.filter(({ targets }) => targets.length > 10);
  assert.ok(shared.some(({ path }) => path === 'AGENTS.md'), 'AGENTS.md is shared');
  const alone = await Promise.all(ids.map(id => compile([id])));
  const wanted = new Set(alone.flatMap(({ files }) => files.map(({ path }) => path)));
  const there = new Set(compiled.files.map(({ path }) => path));
  assert.equal([...wanted].filter(path => !there.has(path)), []);
});

tests('the order of targets does not change the output', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 2, maxLength: 8 }), async chosen => {
      const [one, other] = [await compile(chosen), await compile([...chosen].sort())];
      assert.is(errorsOf(one), '', chosen.join(', '));
      assert.equal(fingerprint(one), fingerprint(other), chosen.join(', '));
    }),
    { numRuns: runs(25), seed: 11 },
  );
  assert.equal(fingerprint(await compile([...ids].reverse())), fingerprint(all));
});

tests('compiling twice gives the same output', async () => {
  assert.equal(fingerprint(await compile(ids)), fingerprint(all));
});

const self = fileURLToPath(import.meta.url);

/** Compiles in another process and returns the fingerprint of all files. */
function elsewhere(cwd: string, environment: Readonly<Record<string, string>>): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), self, '--print'], {
    cwd,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  return stdout;
}

tests('working directory, locale, time zone and umask do not change the output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'together-'));
  try {
    const there = elsewhere(folder, { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' });
    const here = fingerprint(all);
    assert.ok(here.length > 100);
    assert.equal(there.trimEnd().split('\n'), here);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

if (process.argv.includes('--print')) console.log(fingerprint(all).join('\n'));
else tests.run();
