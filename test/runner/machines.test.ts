/** The rounds on other machines: what cannot be had is said, and is no failure. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('machines');

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(script: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `scripts/${script}`, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stdout, text: stdout + stderr };
}

test('Nodes that the registry does not give are named and left out', () => {
  const nodes = mkdtempSync(join(tmpdir(), 'nodes-'));
  const nowhere = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0', npm_config_cache: join(nodes, 'cache') };
  const { status, stdout, text } = run('machines.ts', ['--nodes', nodes], nowhere);
  rmSync(nodes, { recursive: true, force: true });
  assert.is(status, 0, text);
  assert.ok([...stdout.matchAll(/^Node \d+ is left out: it could not be installed from the npm registry$/gm)].length >= 2, text);
  assert.match(stdout, /^0 passed, 0 failed\n$/m);
});

test('Windows is left out where there is no Wine', () => {
  const programs = mkdtempSync(join(tmpdir(), 'programs-'));
  symlinkSync(process.execPath, join(programs, 'node'));
  const { status, stdout, text } = run('windows.ts', [], { PATH: programs });
  rmSync(programs, { recursive: true, force: true });
  assert.is(status, 0, text);
  assert.is(stdout, 'Windows is left out: Wine is not installed\n0 passed, 0 failed\n');
});

test('what is not begun when the time of a run is up is named and does not count', () => {
  const { status, stdout, text } = run('test.ts', ['--budget', '0', '--in', 'test/runner/fixtures', 'pass.test'], {});
  assert.is(status, 0, text);
  assert.match(stdout, /^left out: test\/runner\/fixtures\/.*: the 0 seconds of this run were up$/m);
  assert.match(stdout, /^0 passed, 0 failed\n$/m);
});

test.run();
