/** Compiled code that is kept between runs is a cache: whatever happens to it, the program does the same. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { program, startPrs, until } from './prs.ts';

const tests = suite('compiled code');

function inFolder(body: (folder: string, cache: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'prs-code-'));
  try {
    body(folder, join(folder, 'cache'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A project on which a run does more than one that lists targets. */
function writeProject(folder: string): void {
  writeFileSync(join(folder, 'instr.yaml'), 'id: code\nsyntax: "1.0.0"\ntargets: [claude]\n');
  mkdirSync(join(folder, '.instr'));
  writeFileSync(join(folder, '.instr/project.prs'), '@meta { id: "code" syntax: "1.0.0" }\n@identity { """One.""" }\n');
}

function run(
  cwd: string,
  cache: string,
  environment: Record<string, string> = {},
  words: readonly string[] = ['targets'],
): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words, '--json'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CI: '', INSTR_CACHE_DIR: cache, ...environment },
  });
  assert.is(status, 0, stderr);
  return stdout;
}

const keptIn = (cache: string): string[] =>
  readdirSync(join(cache, 'code')).map(name => join(cache, 'code', name));

/** The scripts that kept files are of, by their hashes. */
const scriptsOf = (paths: readonly string[]): Set<string> =>
  new Set(paths.map(path => basename(path).slice(0, 32)));

tests('the program knows characters beyond ASCII as its sources do', () => {
  inFolder((folder, cache) => {
    writeProject(folder);
    writeFileSync(join(folder, '.instr/project.prs'), '@meta { id: \u201ccode\u201d syntax: "1.0.0" }\n');
    const { stderr } = spawnSync(process.execPath, [program, 'validate'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CI: '', INSTR_CACHE_DIR: cache },
    });
    assert.match(stderr, 'Use straight quotes: `"code"`.');
  });
  const folder = dirname(program);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cjs')))
    assert.not(readFileSync(join(folder, path)).some(byte => byte > 127), path);
});

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
      assert.equal(readFileSync(path!).subarray(0, 32), whole.subarray(0, 32), 'it was made again');
    }
  });
});

tests('what a run keeps is taken by the next, whether or not it loaded more modules', () => {
  inFolder((folder, cache) => {
    writeProject(folder);
    for (const first of [['targets'], ['validate'], ['compile', '--dry-run']]) {
      rmSync(cache, { recursive: true, force: true });
      run(folder, cache, {}, first);
      const kept = new Map(keptIn(cache).map(path => [path, statSync(path).ino]));
      run(folder, cache, {}, [...first, '--verbose']);
      for (const [path, ino] of kept) assert.is(statSync(path).ino, ino, `after ${first[0]}`);
      // What few runs need is a script of its own, which the second may be the first to load.
      assert.ok(keptIn(cache).length <= 2, `after ${first[0]}`);
      assert.is(scriptsOf(keptIn(cache)).size, keptIn(cache).length, `after ${first[0]}`);
    }
  });
});

tests('what compile, validate and the other commands need is kept apart', () => {
  inFolder((folder, cache) => {
    writeProject(folder);
    const made = new Map<string, Buffer>();
    for (const words of [['compile', '--dry-run'], ['validate'], ['targets', '--overlap']]) {
      run(folder, cache, {}, words);
      for (const [path, bytes] of made) assert.equal(readFileSync(path), bytes, words[0]);
      const added = keptIn(cache).filter(path => !made.has(path));
      assert.ok(added.length > 0, words[0]);
      assert.is(scriptsOf(added).size, added.length, words[0]);
      const use = words[0] === 'targets' ? '' : `-${words[0]}`;
      assert.ok(added.every(path => path.endsWith(`${process.arch}${use}`)), words[0]);
      for (const path of added) made.set(path, readFileSync(path));
      const old = new Date(Date.now() - 3_600_000);
      for (const path of made.keys()) utimesSync(path, old, old);
    }
  });
});

tests('what a watch keeps is taken by later runs, whatever it told V8 meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prs-code-'));
  const cache = join(folder, 'cache');
  writeProject(folder);
  const { child, ended, output } = startPrs(folder, ['compile', '--watch'], { CI: '', INSTR_CACHE_DIR: cache });
  try {
    await until(() => output.stderr.includes('Watching'), 'it watches');
    // It sweeps shortly after a round.
    await new Promise(resolve => setTimeout(resolve, 300));
    child.kill('SIGINT');
    await ended;
    const kept = keptIn(cache);
    const soon = new Date(Date.now() + 60_000);
    for (const path of kept) utimesSync(path, soon, soon);
    const inodes = kept.map(path => statSync(path).ino);
    run(folder, cache, {}, ['compile', '--dry-run']);
    assert.ok(kept.length > 0);
    assert.equal(kept.map(path => statSync(path).ino), inodes);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

tests('a script that a watch loads later leaves the flags of V8 to the watch', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prs-code-'));
  writeProject(folder);
  const teller = join(folder, 'teller.cjs');
  const chosen = `globalThis[Symbol.for('instr.flags')]?.chosen`;
  writeFileSync(
    teller,
    `setInterval(() => require('fs').writeSync(2, 'flags ' + ${chosen} + ' ' + Object.keys(globalThis.kept ?? {}) + '\\n'), 50).unref();
     const { Script } = require('vm');
     globalThis.kept = {};
     require('vm').Script = class extends Script { constructor(text, options) { super(text, options); kept[require('path').basename(options.filename)] = 1; } };`,
  );
  const { child, ended, output } = startPrs(folder, ['compile', '--watch'], {
    CI: '',
    INSTR_CACHE_DIR: join(folder, 'cache'),
    NODE_OPTIONS: `--require ${teller}`,
  });
  try {
    await until(() => /flags usual core\.cjs(?:,rare\.cjs)?\n/.test(output.stderr), 'it watches');
    writeFileSync(join(folder, 'instr.yaml'), 'id: code\nsyntax: "1.0.0"\ntargets:\n  - &one claude\n');
    await until(() => /core\.cjs.*,yaml\.cjs/.test(output.stderr), 'the parser is loaded');
    const before = output.stderr.length;
    await until(() => /flags \w+ core\.cjs.*,yaml\.cjs.*\n/.test(output.stderr.slice(before)), 'it goes on');
    assert.match(output.stderr.slice(before), /flags usual core\.cjs.*,yaml\.cjs.*\n/);
  } finally {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});

tests('what later runs need is added, after waits that double', () => {
  inFolder((folder, cache) => {
    writeProject(folder);
    run(folder, cache);
    const [path] = keptIn(cache);
    const { size, mtimeMs } = statSync(path!);
    const hours = (ago: number) => new Date(mtimeMs - ago * 3_600_000);
    utimesSync(path!, hours(1), hours(1));
    run(folder, cache, {}, ['targets', '--overlap']);
    const later = statSync(path!);
    assert.ok(later.size > size, `${later.size} bytes instead of ${size}`);
    // Two hours after it was made for the first time it is an hour old: not yet.
    const bytes = readFileSync(path!);
    const born = / (\d{13}) /.exec(bytes.toString('latin1', 0, 128))!;
    bytes.write(String(Math.round(mtimeMs) - 2 * 3_600_000), born.index + 1, 'latin1');
    writeFileSync(path!, bytes);
    utimesSync(path!, hours(0.9), hours(0.9));
    const { ino } = statSync(path!);
    run(folder, cache, {}, ['targets', '--overlap']);
    assert.is(statSync(path!).ino, ino);
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
    for (let number = 0; number < 30; number++) writeFileSync(join(cache, 'code', `old-${number}`), '');
    run(folder, cache);
    assert.is(keptIn(cache).length, 24);
    assert.ok(keptIn(cache).some(path => readFileSync(path).length > 0), 'the new one stays');
  });
});

tests.run();
