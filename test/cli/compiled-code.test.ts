/** Compiled code that is kept between runs is a cache: whatever happens to it, the program does the same. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { program } from './prs.ts';

const tests = suite('compiled code');

function inFolder(body: (folder: string, cache: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'prs-code-'));
  try {
    body(folder, join(folder, 'cache'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, cache: string, environment: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'targets', '--json'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CI: '', INSTR_CACHE_DIR: cache, ...environment },
  });
  assert.is(status, 0, stderr);
  return stdout;
}

const keptIn = (cache: string): string[] =>
  readdirSync(join(cache, 'code')).map(name => join(cache, 'code', name));

tests('a file that was cut, filled with zeros or made by another build is not used', () => {
  inFolder((folder, cache) => {
    const expected = run(folder, cache);
    const [path] = keptIn(cache);
    const whole = readFileSync(path!);
    const other = Buffer.from(whole);
    other.write('0'.repeat(32), 'latin1');
    for (const bytes of [whole.subarray(0, 5000), Buffer.alloc(whole.length), Buffer.alloc(0), other]) {
      writeFileSync(path!, bytes);
      assert.is(run(folder, cache), expected);
      assert.equal(readFileSync(path!).subarray(0, 128), whole.subarray(0, 128), 'it was made again');
    }
  });
});

tests('a file that others may write is not used', () => {
  if (process.platform === 'win32') return;
  inFolder((folder, cache) => {
    const expected = run(folder, cache);
    const [path] = keptIn(cache);
    chmodSync(path!, 0o666);
    assert.is(run(folder, cache), expected);
  });
});

tests('a cache that cannot be written is no failure', () => {
  inFolder((folder, cache) => {
    writeFileSync(cache, 'a file where the folder would be');
    assert.ok(run(folder, cache).includes('"targets"'));
  });
});

tests('only the newest few are kept, and none in continuous integration', () => {
  inFolder((folder, cache) => {
    run(folder, cache, { CI: 'true' });
    mkdirSync(join(cache, 'code'), { recursive: true });
    assert.equal(keptIn(cache), []);
    for (let number = 0; number < 6; number++) writeFileSync(join(cache, 'code', `old-${number}`), '');
    run(folder, cache);
    assert.is(keptIn(cache).length, 4);
    assert.ok(keptIn(cache).some(path => readFileSync(path).length > 0), 'the new one stays');
  });
});

tests.run();
