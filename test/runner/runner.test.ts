/** Tests the test runner with small files that end in every possible way. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleTests } from '../../scripts/test/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'prs-runner-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const durations = join(scratch, 'durations.json');

/** The runner as a bundle, which starts faster than its sources. It is below the root, where it finds its packages. */
const bundles = join(root, `.cache/runner-${process.pid}`);
process.once('exit', () => rmSync(bundles, { recursive: true, force: true }));
const [bundled] = await bundleTests([join(root, 'scripts/test.ts')], bundles);
const [, runner] = bundled!;

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', runner, '--in', 'test/runner/fixtures', '--durations', durations, ...args],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  const lines = stdout.trimEnd().split('\n');
  return { status, output: stdout + stderr, lines, closing: lines.at(-1) };
}

const tests = suite('runner');

/** File name, counts, and the text of the reason. */
const ends: readonly (readonly [name: string, counts: string, reason?: RegExp])[] = [
  ['pass', '2 passed'],
  ['fail', '1 passed, 1 failed, 1 skipped', /"wrong"/],
  ['skip', '1 passed, 2 skipped'],
  ['all-skipped', '0 passed, 1 skipped'],
  ['only', '1 passed, 2 skipped'],
  ['crash', '0 passed, 1 failed', /before any test/],
  ['late-crash', '1 passed, 1 failed', /ended with 3/],
  ['hook', '0 passed, 2 failed'],
  ['quiet', '0 passed, 1 failed', /ran no test to its end/],
  ['exit', '0 passed, 1 failed', /Exiting early/],
  ['empty', '0 passed, 1 failed', /ran no test to its end/],
  ['nested', '1 passed'],
];

const all = run(ends.map(([name]) => `/${name}.`));

for (const [name, counts, reason = /^/] of ends) {
  tests(`reports a file that ends like ${name}.test.ts`, () => {
    const line = all.lines.findIndex(text => text.includes(`/${name}.test.ts  `));
    const [, mark, found] = /^(.{4}) \S+ {2}(.*) {2}[\d.]+ s$/.exec(all.lines[line] ?? '') ?? [];
    assert.is(found, counts, all.output);
    assert.is(mark, counts.includes('failed') ? 'FAIL' : ' ok ');
    const after = all.lines.slice(line + 1);
    assert.match(after.slice(0, after.findIndex(text => /^(FAIL| ok ) /.test(text))).join('\n'), reason);
  });
}

tests('adds the counts of all files, and a skipped test does not compensate for a failed one', () => {
  assert.is(all.closing, '7 passed, 8 failed');
  assert.is(all.status, 1);
  assert.ok(all.lines.includes('failed: test/runner/fixtures/fail.test.ts'));
});

tests('a run without failures exits with 0, also with skipped tests and with processes that a test leaves running', () => {
  const { status, closing } = run(['/pass.', '/skip.', '/all-skipped.', '/left-over.']);
  assert.is(closing, '4 passed, 0 failed');
  assert.is(status, 0);
});

tests('a run without files is a failure', () => {
  const { status, closing, output } = run(['no-such-file']);
  assert.is(closing, '0 passed, 1 failed');
  assert.is(status, 1);
  assert.match(output, /no test file matches no-such-file/);
});

const isAlive = (pid: number): boolean => {
  try {
    // A zombie process, which nobody has waited for, still accepts signals.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

tests('stops a file that hangs, with its child processes', () => {
  const { status, closing, output } = run(['/hang.', '--limit', '5']);
  assert.is(closing, '0 passed, 1 failed');
  assert.is(status, 1);
  assert.match(output, /did not end within 5 s/);
  const pid = Number(/started (\d+)/.exec(output)?.[1]);
  assert.ok(pid > 0, output);
  assert.not(isAlive(pid));
});

tests('tests get neither HOME nor Git settings nor other variables of the machine', () => {
  const home = join(scratch, 'home');
  mkdirSync(join(home, 'hooks'), { recursive: true });
  writeFileSync(join(home, 'hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const settings =
    '[user]\n\tname = Somebody\n[commit]\n\tgpgSign = true\n[init]\n\tdefaultBranch = trunk\n[core]\n\thooksPath = ~/hooks\n';
  for (const path of ['.gitconfig', 'own']) writeFileSync(join(home, path), settings);
  const { closing, output } = run(['/home.'], {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: join(home, 'own'),
    GIT_DIR: join(home, 'nowhere'),
    INSTR_CACHE_DIR: home,
    HTTPS_PROXY: 'http://localhost:1',
    https_proxy: 'http://localhost:1',
    EDITOR: 'false',
  });
  assert.is(closing, '3 passed, 0 failed', output);
});

tests('slow files start first', () => {
  const path = (name: string) => `test/runner/fixtures/${name}.test.ts`;
  const known = { [path('pass')]: 10, [path('skip')]: 30_000, [path('only')]: 400 };
  writeFileSync(durations, JSON.stringify(known));
  const { lines } = run(['--list', '/pass.', '/skip.', '/only.']);
  assert.equal(lines, [path('skip'), path('only'), path('pass')]);
  run(['/pass.']);
  const kept = JSON.parse(readFileSync(durations, 'utf8'));
  assert.equal(Object.keys(kept).sort(), Object.keys(known).sort());
  assert.is(kept[path('skip')], 30_000);
});

tests('a corrupt record of durations is not a failure', () => {
  writeFileSync(durations, '{ broken');
  assert.is(run(['/pass.']).closing, '2 passed, 0 failed');
});

tests('without recorded durations, files that start the program come first, and --unit leaves them out', () => {
  const list = (...args: string[]) => {
    const { lines } = run(['--in', 'test', '--durations', join(scratch, 'none.json'), '--list', ...args]);
    return lines;
  };
  const every = list();
  const units = list('--unit');
  assert.ok(every.indexOf('test/cli/outcome.test.ts') < every.indexOf('test/import/cases.test.ts'));
  assert.ok(units.includes('test/import/cases.test.ts'));
  assert.not(units.includes('test/cli/outcome.test.ts'));
  // It starts the program through a helper.
  assert.not(units.includes('test/docs/steps.test.ts'));
});

tests('the depth of property tests is set by the run, whatever the environment contains', () => {
  const failing = (...args: string[]) =>
    [...run(['/depth.', ...args], { TEST_DEPTH: '2' }).output.matchAll(/FAIL {2}depth {2}"(.*)"/g)].map(([, name]) => name);
  assert.equal(failing(), ['everything', 'a tenth']);
  assert.equal(failing('--unit'), ['everything', 'a sixth']);
  assert.equal(failing('--depth', '1'), ['a sixth', 'a tenth']);
});

tests.run();
