/**
 * An unchanged compile or validation is answered from the record of the last run, its stamp. No change may be missed, even one
 * that hides itself. The test makes random changes and compares every answer, output and files, with a run without a stamp.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordPath, recordText, takeSnapshot } from '../../src/cli/unchanged.ts';
import { runs } from '../support/depth.ts';
import { runProgram } from './prs.ts';

const base = mkdtempSync(join(tmpdir(), 'prs-stamp-'));
// A copy, because parallel tests may rebuild the program, and a stamp is valid only for the program that wrote it.
const dist = join(base, 'dist');
cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), dist, { recursive: true });
const program = join(dist, 'prs.cjs');
const tests = suite('unchanged');

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:CI|GITHUB_|NODE_OPTIONS|INSTR_|NO_COLOR)/.test(name)),
);

/** Runs a copy of the program in a process of its own. */
function runAlone(command: Command, folder: string, env: Record<string, string> = {}, args: readonly string[] = [], script: string = program) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, INSTR_CACHE_DIR: join(base, 'cache'), ...env },
  });
  return { status, stdout: stdout.replace(/\d+ ms/, 'N ms'), stderr };
}

/** Runs the program in the shared process. A stamp is for any process of the program that wrote it. */
function run(command: Command, folder: string, env: Record<string, string> = {}, args: readonly string[] = []) {
  const variables = { ...environment, INSTR_CACHE_DIR: join(base, 'cache'), ...env };
  const { status, stdout, stderr } = runProgram({ program, cwd: folder, args: [command, ...args], environment: variables });
  return { status, stdout: stdout.replace(/\d+ ms/, 'N ms'), stderr };
}

/** Runs the program without a stamp, for comparison. */
const runPlain = (command: Command, folder: string) => run(command, folder, { INSTR_STAMP: '0' });

type Command = 'compile' | 'validate';
const compile = run.bind(undefined, 'compile');
const validate = run.bind(undefined, 'validate');

/** Waits for the minimum age of a file before its timestamp is trusted. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100);

function project(name: string, files: Record<string, string> = {}): string {
  const folder = join(base, name);
  const all = {
    'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [claude, codex]\n',
    '.instr/project.prs':
      '@meta { id: "shop" syntax: "1.5.0" }\n@inherit ./base\n@context { project: "Shop" }\n',
    '.instr/base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { code: ["Rule one"] }\n',
    '.instr/skills/pack/SKILL.md': '---\nname: pack\ndescription: Packs.\n---\n\nPack it.\n',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const source = '.instr/base.prs';
const edit = (folder: string, path: string, from: string, to: string) =>
  writeFileSync(join(folder, path), readFileSync(join(folder, path), 'utf8').replace(from, to));

const stampOf = (folder: string, command: Command = 'compile') =>
  recordPath(join(base, 'cache'), realpathSync(folder), command);

const readData = (path: string) => JSON.parse(readFileSync(path, 'utf8').split('\n').slice(1).join('\n'));
const writeData = (path: string, data: object) => writeFileSync(path, recordText(data));

/** Projects that are up to date and have a stamp. They become old enough together. */
const stampedProjects = ['same', 'valid', 'programs', 'checked', 'copied', 'damaged', 'links', 'within', 'original'] as const;

tests.before(() => {
  for (const name of stampedProjects) compile(project(name));
  pause();
  for (const name of stampedProjects) compile(join(base, name));
});

function stamped(name: (typeof stampedProjects)[number]): string {
  const folder = join(base, name);
  assert.ok(existsSync(stampOf(folder)), 'a stamp must be written');
  return folder;
}

/** Returns all files with their contents, except internal state. */
function snapshot(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (below === '.instr/.state') return [];
      if (entry.isDirectory()) return snapshot(folder, below);
      const at = join(folder, below);
      if (statSync(at).isDirectory()) return [`${below} leads to ${readlinkSync(at)}`];
      return [`${below} ${statSync(at).mode & 0o777} ${readFileSync(at, 'utf8')}`];
    });
}

/**
 * Adds a marker to the output recorded in the stamp, so that an answer from the stamp can be recognised. Returns a function that
 * writes the marked stamp again after a run has replaced it.
 */
function mark(folder: string, command: Command = 'compile'): () => void {
  const path = stampOf(folder, command);
  const run = readData(path);
  const marked = { ...run, printed: [...run.printed, ['stderr', 'from the stamp\n']] };
  const lay = () => writeData(path, marked);
  lay();
  return lay;
}

const answered = (run: { stderr: string }) => run.stderr.includes('from the stamp');
const withoutMark = <Run extends { stderr: string }>(run: Run): Run => ({
  ...run,
  stderr: run.stderr.replace('from the stamp\n', ''),
});

tests('an unchanged compile gives the same output without compiling, in processes of their own', () => {
  const compile = runAlone.bind(undefined, 'compile');
  const folder = stamped('same');
  const full = compile(folder, { INSTR_STAMP: '0' });
  assert.equal(compile(folder), full);
  const lay = mark(folder);
  assert.ok(answered(compile(folder)));
  for (const args of [['--check'], ['--force'], ['--dry-run'], ['--json'], ['--verbose']]) {
    lay();
    assert.not(answered(compile(folder, {}, args)), args.join());
  }
  for (const env of [{ INSTR_STAMP: '0' }, { CI: 'true' }, { GITHUB_ACTIONS: 'true' }, { NO_COLOR: '1' }] as const) {
    lay();
    assert.not(answered(compile(folder, env)), JSON.stringify(env));
  }
});

tests('an unchanged project is valid without being checked again', () => {
  const folder = stamped('valid');
  const full = validate(folder, { INSTR_STAMP: '0' });
  assert.equal(validate(folder), full);
  const lay = mark(folder, 'validate');
  assert.ok(answered(validate(folder)));
  assert.not(answered(validate(folder, { INSTR_STAMP: '0' })));
  for (const args of [['--json'], ['--format', 'sarif'], [source], ['--policy', 'instr.yaml'], ['--strict']]) {
    lay();
    assert.not(answered(validate(folder, {}, args)), args.join());
  }
  lay();
  assert.ok(answered(validate(folder)));
  edit(folder, source, 'one', 'two');
  compile(folder);
  pause();
  compile(folder);
  assert.not(answered(validate(folder)), 'the stamp of validate must be stale');
  writeFileSync(join(folder, source), 'not a block');
  assert.is(validate(folder).status, 1);
  assert.is(validate(folder).status, 1);
});

tests('validate writes nothing to the project', () => {
  const folder = project('unwritten');
  const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  pause();
  const before = names();
  for (const args of [[], ['--strict']]) assert.is(validate(folder, {}, args).status, 0);
  assert.ok(existsSync(stampOf(folder, 'validate')));
  assert.equal(names(), before);
});

tests('works anywhere in a repository, with and without the merge driver', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, stdio: 'pipe' });
  const main = project('whole', { '.gitignore': '.instr/.state/\n' });
  compile(main);
  git(main, 'init', '-q');
  git(main, 'add', '-A');
  git(main, 'commit', '-qm', 'first');
  git(main, 'worktree', 'add', '-q', '../tree');
  const part = project('around/part');
  git(join(base, 'around'), 'init', '-q');
  for (const folder of [main, join(base, 'tree'), part]) compile(folder);
  pause();
  for (const folder of [main, join(base, 'tree'), part]) {
    compile(folder);
    assert.ok(existsSync(stampOf(folder)), folder);
  }
  spawnSync(process.execPath, [program, 'hook', 'install'], { cwd: main, env: environment });
  pause();
  compile(main);
  mark(main);
  assert.ok(answered(compile(main)));
});

tests('works in a fresh checkout where nothing has to be written', () => {
  const first = project('first');
  compile(first);
  const clone = join(base, 'clone');
  cpSync(first, clone, { recursive: true, filter: path => !path.endsWith('.state') });
  const names = () => readdirSync(clone, { recursive: true, encoding: 'utf8' }).sort();
  const untouched = names();
  pause();
  compile(clone);
  assert.equal(names(), untouched);
  mark(clone);
  assert.ok(answered(compile(clone)));
  edit(clone, source, 'Rule one', 'Rule two');
  assert.not(answered(compile(clone)));
});

tests('compiles with another program, or a replaced one', () => {
  const folder = stamped('programs');
  mark(folder);
  const other = join(base, 'program');
  cpSync(dist, other, { recursive: true });
  const script = join(other, 'prs.cjs');
  assert.not(answered(runAlone('compile', folder, {}, [], script)));
  assert.not(existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8').includes('from the stamp'));
  mark(folder);
  assert.ok(answered(runAlone('compile', folder, {}, [], script)));
  cpSync(join(dist, 'prs.cjs'), join(other, 'new.cjs'), { preserveTimestamps: true });
  renameSync(join(other, 'new.cjs'), script);
  assert.not(answered(runAlone('compile', folder, {}, [], script)));
});

tests('--check reads contents, whatever the timestamps', () => {
  const folder = stamped('checked');
  mark(folder);
  assert.is(compile(folder, {}, ['--check']).status, 0);
  keepingTimes(join(folder, 'CLAUDE.md'), () => edit(folder, 'CLAUDE.md', 'Rule', 'Role'));
  // Simulates an edit that leaves no trace in the file metadata.
  const run = readData(stampOf(folder));
  const snapshot = takeSnapshot(join(folder, 'CLAUDE.md'), 'state');
  const dependencies = run.dependencies.map((one: unknown[]) =>
    one[0] === 'CLAUDE.md' ? [one[0], 'state', snapshot] : one,
  );
  writeData(stampOf(folder), { ...run, dependencies });
  assert.ok(answered(compile(folder)), 'the stamp must be accepted');
  const checked = compile(folder, { CI: 'true' }, ['--check']);
  assert.is(checked.status, 1);
  assert.not(answered(checked));
});

tests('writes no stamp for sources on another disk', () => {
  const shared = '/dev/shm';
  if (!existsSync(shared) || statSync(shared).dev === statSync(base).dev) return;
  const away = mkdtempSync(join(shared, 'prs-stamp-'));
  try {
    const folder = project('disks');
    renameFolder(join(folder, '.instr/skills'), away);
    symlinkSync(away, join(folder, '.instr/skills'));
    compile(folder);
    pause();
    assert.is(compile(folder).status, 0);
    assert.not(existsSync(stampOf(folder)));
  } finally {
    rmSync(away, { recursive: true, force: true });
  }
});

/** A rename does not work across disks. */
function renameFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  rmSync(from, { recursive: true });
}

tests('writes no stamp for files as new as the run', () => {
  const folder = project('young');
  compile(folder);
  compile(folder);
  assert.not(existsSync(stampOf(folder)));
});

tests('writes no stamp if environment variables are used', () => {
  const folder = project('variables', {
    '.instr/base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { code: ["Rule of ${SHOP_REGION:-eu}"] }\n',
  });
  compile(folder);
  pause();
  compile(folder);
  assert.not(existsSync(stampOf(folder)));
});

tests('compiles a copy of a project, and after the clock was set back', () => {
  const folder = stamped('copied');
  mark(folder);
  const copy = join(base, 'copy');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  assert.not(answered(compile(copy)));
  writeData(stampOf(folder), { ...readData(stampOf(folder)), time: Date.now() + 3_600_000 });
  assert.not(answered(compile(folder)));
});

tests('ignores a stamp that cannot be written', () => {
  const folder = project('read-only');
  compile(folder);
  pause();
  mkdirSync(join(stampOf(folder), 'full'), { recursive: true });
  for (let time = 0; time < 2; time++) assert.is(compile(folder).status, 0);
  const left = readdirSync(join(base, 'cache/unchanged')).filter(name => /\.\d+$/.test(name));
  assert.equal(left, []);
});

tests('rejects a damaged stamp', () => {
  const folder = stamped('damaged');
  const lay = mark(folder);
  const intact = readFileSync(stampOf(folder));
  const places = Array.from({ length: runs(24) }, (_, at) => Math.floor((at * intact.length) / runs(24)));
  for (const at of places) {
    const bytes = Buffer.from(intact);
    bytes[at] = bytes[at]! ^ (1 << (at % 8));
    writeFileSync(stampOf(folder), bytes);
    const run = compile(folder);
    assert.is(run.status, 0, `byte ${at}`);
    assert.not(answered(run), `byte ${at}`);
  }
  writeFileSync(stampOf(folder), intact.subarray(0, intact.length / 2));
  assert.not(answered(compile(folder)), 'a truncated stamp');
  lay();
  assert.ok(answered(compile(folder)));
});

tests('a stamp must be a file of the current user and not a link, and writing does not follow links', () => {
  const folder = stamped('links');
  const lay = mark(folder);
  const path = stampOf(folder);
  const text = readFileSync(path);
  const target = join(base, 'target');
  writeFileSync(target, text);
  rmSync(path);
  symlinkSync(target, path);
  assert.not(answered(compile(folder)), 'a link');
  assert.equal(readFileSync(target), text, 'the target of the link must not be written');
  lay();
  chmodSync(path, 0o666);
  assert.not(answered(compile(folder)), 'writable by others');
  rmSync(path);
  execFileSync('mkfifo', [path]);
  assert.is(compile(folder).status, 0, 'a pipe');
  if (process.getuid?.() !== 0) return;
  rmSync(path);
  lay();
  chownSync(path, 65534, 65534);
  assert.not(answered(compile(folder)), 'owned by another user');
});

tests('rejects a stamp inside the project', () => {
  const folder = stamped('within');
  mark(folder);
  cpSync(join(base, 'cache'), join(folder, 'cache'), { recursive: true, preserveTimestamps: true });
  assert.not(answered(compile(folder, { INSTR_CACHE_DIR: join(folder, 'cache') })));
});

/** Restores the timestamps of a file after a change, as archives and some editors do. */
function keepingTimes(path: string, change: () => void): void {
  const { atime, mtime } = statSync(path);
  change();
  utimesSync(path, atime, mtime);
}

/** Changes by name. Each is applied to a project that has a stamp. */
const changes: Record<string, (folder: string) => void> = {
  'an edit of equal length': folder => edit(folder, source, 'one', 'two'),
  'an edit of equal length with restored times': folder =>
    keepingTimes(join(folder, source), () => edit(folder, source, 'one', 'six')),
  'two edits within a tick': folder => {
    edit(folder, source, 'one', 'two');
    edit(folder, source, 'two', 'ten');
  },
  'an edited output with restored times': folder =>
    keepingTimes(join(folder, 'CLAUDE.md'), () => edit(folder, 'CLAUDE.md', 'Rule', 'Role')),
  'a deleted output': folder => rmSync(join(folder, 'CLAUDE.md')),
  'swapped sources of equal size': folder => {
    const other = join(folder, '.instr/other.prs');
    const { atime, mtime } = statSync(join(folder, source));
    writeFileSync(other, readFileSync(join(folder, source), 'utf8').replace('one', 'nil'));
    utimesSync(other, atime, mtime);
    renameSync(other, join(folder, source));
  },
  'a source replaced by a link': folder => {
    renameSync(join(folder, source), join(folder, 'elsewhere.prs'));
    edit(folder, 'elsewhere.prs', 'one', 'far');
    symlinkSync('../elsewhere.prs', join(folder, source));
  },
  'a source edited through a hard link': folder => {
    linkSync(join(folder, source), join(folder, 'second.prs'));
    edit(folder, 'second.prs', 'one', 'low');
  },
  'a new skill': folder => {
    mkdirSync(join(folder, '.instr/skills/ship'));
    writeFileSync(
      join(folder, '.instr/skills/ship/SKILL.md'),
      '---\nname: ship\ndescription: Ships.\n---\n\nShip it.\n',
    );
  },
  'a new file of a skill': folder => writeFileSync(join(folder, '.instr/skills/pack/list.md'), 'A list.\n'),
  'a renamed folder': folder => renameSync(join(folder, '.instr/skills'), join(folder, '.instr/skulls')),
  'a replaced folder': folder => {
    cpSync(join(folder, '.instr/skills'), join(folder, '.instr/new'), { recursive: true, preserveTimestamps: true });
    edit(folder, '.instr/new/pack/SKILL.md', 'Pack it', 'Send it');
    rmSync(join(folder, '.instr/skills'), { recursive: true });
    renameSync(join(folder, '.instr/new'), join(folder, '.instr/skills'));
  },
  'a folder moved and replaced by a link': folder => {
    renameSync(join(folder, '.instr/skills'), join(folder, 'moved'));
    symlinkSync('../moved', join(folder, '.instr/skills'));
    edit(folder, 'moved/pack/SKILL.md', 'Pack it', 'Keep it');
  },
  'a clock that was set back': folder => {
    writeData(stampOf(folder), { ...readData(stampOf(folder)), time: Date.now() + 3_600_000 });
  },
  'another configuration': folder => edit(folder, 'instr.yaml', 'claude', 'cursor'),
  'a new file': folder => writeFileSync(join(folder, '.instr/local.md'), 'Mine alone.\n'),
  'a changed mode': folder => chmodSync(join(folder, 'CLAUDE.md'), 0o600),
  'changed timestamps': folder => utimesSync(join(folder, source), new Date(), new Date()),
};

tests('detects every change, alone or after others', () => {
  const original = stamped('original');
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const names = Object.keys(changes);
  const rounds = [
    ...names.map(name => [name]),
    ...Array.from({ length: Number(process.env.STAMP_ROUNDS ?? runs(12)) }, () => [
      names[random(names.length)]!,
      names[random(names.length)]!,
    ]),
  ];
  const folders = rounds.map((chosen, at) => {
    const folder = join(base, `round-${at}`);
    cpSync(original, folder, { recursive: true });
    runPlain('compile', folder);
    return [folder, chosen] as const;
  });
  pause();
  for (const [folder] of folders) {
    compile(folder);
    validate(folder);
  }
  for (const [folder, chosen] of folders) {
    const what = chosen.join(', then ');
    for (const command of ['compile', 'validate'] as const) {
      assert.ok(existsSync(stampOf(folder, command)), what);
      mark(folder, command);
    }
    assert.ok(answered(compile(folder)), `the stamp must be used before ${what}`);
    for (const name of chosen) {
      try {
        changes[name]!(folder);
      } catch {
        // An earlier change has removed the file.
      }
    }
    const twin = `${folder}-twin`;
    cpSync(folder, twin, { recursive: true, verbatimSymlinks: true });
    for (const command of ['validate', 'compile'] as const) {
      const [one, other] = [run(command, folder), runPlain(command, twin)];
      // Only compile must notice: a changed output does not affect validity.
      if (command === 'compile') assert.not(answered(one), what);
      assert.equal(withoutMark(one), other, what);
    }
    assert.equal(snapshot(folder), snapshot(twin), what);
  }
});

tests.after(() => rmSync(base, { recursive: true, force: true }));
tests.run();
