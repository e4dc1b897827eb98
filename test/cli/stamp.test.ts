/**
 * An unchanged compile or validation is answered from what the last one saw and said. Random changes of a project, some of which hide
 * themselves, must never be missed: every answer is compared with a run that has no stamp, output and files alike.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
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

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const program = join(dist, 'prs.cjs');
const base = mkdtempSync(join(tmpdir(), 'prs-stamp-'));
const tests = suite('stamp');

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:CI|GITHUB_|NODE_OPTIONS|INSTR_|NO_COLOR)/.test(name)),
);

function run(
  command: Command,
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
  script: string = program,
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, INSTR_CACHE_DIR: join(base, 'cache'), ...env },
  });
  return { status, stdout: stdout.replace(/\d+ ms/, 'N ms'), stderr };
}

type Command = 'compile' | 'validate';
const compile = run.bind(undefined, 'compile');
const validate = run.bind(undefined, 'validate');

/** So long a file must have been left alone. */
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

const stampOf = (folder: string, command: Command = 'compile') => join(folder, `.instr/.state/stamp-${command}.json`);

/** A project that is up to date and has a stamp. */
function stamped(name: string): string {
  const folder = project(name);
  compile(folder);
  pause();
  compile(folder);
  assert.ok(existsSync(stampOf(folder)), 'a stamp is left');
  return folder;
}

/** Files with their contents, but for what a run keeps for itself. */
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
 * The stamp says that it answered: a word that only it has is printed. Gives a function that lays it there again after runs
 * that left stamps of their own.
 */
function mark(folder: string, command: Command = 'compile'): () => void {
  const path = stampOf(folder, command);
  const stamp = JSON.parse(readFileSync(path, 'utf8'));
  const marked = JSON.stringify({ ...stamp, said: [...stamp.said, ['stderr', 'from the stamp\n']] });
  const lay = () => writeFileSync(path, marked);
  lay();
  return lay;
}

const answered = (run: { stderr: string }) => run.stderr.includes('from the stamp');
const withoutMark = <Run extends { stderr: string }>(run: Run): Run => ({
  ...run,
  stderr: run.stderr.replace('from the stamp\n', ''),
});

tests('an unchanged compile says the same without being made', () => {
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

tests('an unchanged project is valid without being looked through', () => {
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
  assert.not(answered(validate(folder)), 'its own stamp is old');
  writeFileSync(join(folder, source), 'not a block');
  assert.is(validate(folder).status, 1);
  assert.is(validate(folder).status, 1);
});

tests('a validation makes no folder for its stamp', () => {
  const folder = project('unwritten');
  pause();
  assert.is(validate(folder).status, 0);
  assert.is(validate(folder, {}, ['--strict']).status, 0);
  assert.not(existsSync(join(folder, '.instr/.state')));
});

tests('wherever the project lies in a repository, with merging by compiling set up or not', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, stdio: 'pipe' });
  const whole = project('whole', { '.gitignore': '.instr/.state/\n' });
  compile(whole);
  git(whole, 'init', '-q');
  git(whole, 'add', '-A');
  git(whole, 'commit', '-qm', 'first');
  git(whole, 'worktree', 'add', '-q', '../tree');
  const part = project('around/part');
  git(join(base, 'around'), 'init', '-q');
  for (const folder of [whole, join(base, 'tree'), part]) compile(folder);
  pause();
  for (const folder of [whole, join(base, 'tree'), part]) {
    compile(folder);
    assert.ok(existsSync(stampOf(folder)), folder);
  }
  spawnSync(process.execPath, [program, 'hook', 'install'], { cwd: whole, env: environment });
  pause();
  compile(whole);
  assert.match(readFileSync(stampOf(whole), 'utf8'), '.git/index');
  mark(whole);
  assert.ok(answered(compile(whole)));
  git(whole, 'commit', '-qm', 'second', '--allow-empty');
  git(whole, 'update-index', '--force-remove', 'CLAUDE.md');
  assert.not(answered(compile(whole)), 'conflicts stand in the index');
});

tests('a fresh checkout in which nothing is to be written', () => {
  const first = project('first');
  compile(first);
  const clone = join(base, 'clone');
  cpSync(first, clone, { recursive: true, filter: path => !path.endsWith('.state') });
  const names = () => readdirSync(clone, { recursive: true, encoding: 'utf8' }).sort();
  const untouched = names();
  compile(clone, {}, ['--check']);
  assert.equal(names(), untouched, '--check leaves nothing');
  compile(clone);
  const made = names().filter(path => !untouched.includes(path));
  assert.equal(made, ['.instr/.state', '.instr/.state/.gitignore']);
  assert.is(readFileSync(join(clone, '.instr/.state/.gitignore'), 'utf8'), '*\n');
  pause();
  compile(clone);
  mark(clone);
  assert.ok(answered(compile(clone)));
  edit(clone, source, 'Rule one', 'Rule two');
  assert.not(answered(compile(clone)));
});

tests('another program, and one that was put in the place of the first, compiles', () => {
  const folder = stamped('programs');
  mark(folder);
  const other = join(base, 'program');
  cpSync(dist, other, { recursive: true });
  const script = join(other, 'prs.cjs');
  assert.not(answered(compile(folder, {}, [], script)));
  assert.not(existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8').includes('from the stamp'));
  mark(folder);
  assert.ok(answered(compile(folder, {}, [], script)));
  cpSync(join(dist, 'prs.cjs'), join(other, 'new.cjs'), { preserveTimestamps: true });
  renameSync(join(other, 'new.cjs'), script);
  assert.not(answered(compile(folder, {}, [], script)));
});

tests('`--check` reads contents, whatever the times say', () => {
  const folder = stamped('checked');
  mark(folder);
  assert.is(compile(folder, {}, ['--check']).status, 0);
  keepingTimes(join(folder, 'CLAUDE.md'), () => edit(folder, 'CLAUDE.md', 'Rule', 'Role'));
  // As if the edit could hide itself entirely.
  const stamp = JSON.parse(readFileSync(stampOf(folder), 'utf8'));
  const { dev, ino, mode, size, mtimeMs, ctimeMs } = statSync(join(folder, 'CLAUDE.md'));
  const looks = stamp.looks.map((look: unknown[]) =>
    look[0] === 'CLAUDE.md' ? ['CLAUDE.md', 'entry', dev, ino, mode, size, mtimeMs, ctimeMs] : look,
  );
  writeFileSync(stampOf(folder), JSON.stringify({ ...stamp, looks }));
  assert.ok(answered(compile(folder)), 'the stamp is believed');
  const checked = compile(folder, { CI: 'true' }, ['--check']);
  assert.is(checked.status, 1);
  assert.not(answered(checked));
});

tests('sources on another disk leave no stamp', () => {
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

/** Across disks nothing can be renamed. */
function renameFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  rmSync(from, { recursive: true });
}

tests('files as young as the run leave no stamp', () => {
  const folder = project('young');
  compile(folder);
  compile(folder);
  assert.not(existsSync(stampOf(folder)));
});

tests('values of the environment leave no stamp', () => {
  const folder = project('variables', {
    '.instr/base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { code: ["Rule of ${SHOP_REGION:-eu}"] }\n',
  });
  compile(folder);
  pause();
  compile(folder);
  assert.not(existsSync(stampOf(folder)));
});

tests('a copy, and a clock that was set back, are compiled', () => {
  const folder = stamped('copied');
  mark(folder);
  const copy = join(base, 'copy');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  assert.not(answered(compile(copy)));
  const stamp = JSON.parse(readFileSync(stampOf(folder), 'utf8'));
  writeFileSync(stampOf(folder), JSON.stringify({ ...stamp, time: Date.now() + 3_600_000 }));
  assert.not(answered(compile(folder)));
});

tests('a stamp that cannot be written is no failure', () => {
  const folder = project('read-only');
  compile(folder);
  pause();
  chmodSync(join(folder, '.instr/.state'), 0o555);
  mkdirSync(stampOf(folder), { recursive: true });
  assert.is(compile(folder).status, 0);
  assert.equal(compile(folder).status, 0);
  chmodSync(join(folder, '.instr/.state'), 0o755);
  assert.equal(
    readdirSync(join(folder, '.instr/.state')).filter(name => /^stamp-compile\.json\./.test(name)),
    [],
  );
});

/** Restores what a file says of its times, as archives and some editors do. */
function keepingTimes(path: string, change: () => void): void {
  const { atime, mtime } = statSync(path);
  change();
  utimesSync(path, atime, mtime);
}

/** Changes by name; each hits a project that has a stamp. */
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
  'an output that is gone': folder => rmSync(join(folder, 'CLAUDE.md')),
  'swapped sources of equal size': folder => {
    const other = join(folder, '.instr/other.prs');
    const { atime, mtime } = statSync(join(folder, source));
    writeFileSync(other, readFileSync(join(folder, source), 'utf8').replace('one', 'nil'));
    utimesSync(other, atime, mtime);
    renameSync(other, join(folder, source));
  },
  'a source that became a link': folder => {
    renameSync(join(folder, source), join(folder, 'elsewhere.prs'));
    edit(folder, 'elsewhere.prs', 'one', 'far');
    symlinkSync('../elsewhere.prs', join(folder, source));
  },
  'a second name of a source, edited under it': folder => {
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
  'a folder put in the place of another': folder => {
    cpSync(join(folder, '.instr/skills'), join(folder, '.instr/new'), { recursive: true, preserveTimestamps: true });
    edit(folder, '.instr/new/pack/SKILL.md', 'Pack it', 'Send it');
    rmSync(join(folder, '.instr/skills'), { recursive: true });
    renameSync(join(folder, '.instr/new'), join(folder, '.instr/skills'));
  },
  'a folder that became a link to where it went': folder => {
    renameSync(join(folder, '.instr/skills'), join(folder, 'moved'));
    symlinkSync('../moved', join(folder, '.instr/skills'));
    edit(folder, 'moved/pack/SKILL.md', 'Pack it', 'Keep it');
  },
  'a clock that was set back': folder => {
    const stamp = JSON.parse(readFileSync(stampOf(folder), 'utf8'));
    writeFileSync(stampOf(folder), JSON.stringify({ ...stamp, time: Date.now() + 3_600_000 }));
  },
  'another configuration': folder => edit(folder, 'instr.yaml', 'claude', 'cursor'),
  'a file where none was': folder => writeFileSync(join(folder, '.instr/local.md'), 'Mine alone.\n'),
  'a mode': folder => chmodSync(join(folder, 'CLAUDE.md'), 0o600),
  'a touch': folder => utimesSync(join(folder, source), new Date(), new Date()),
};

tests('no change is missed, alone or after others', () => {
  const original = stamped('original');
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const names = Object.keys(changes);
  const rounds = [
    ...names.map(name => [name]),
    ...Array.from({ length: Number(process.env.STAMP_ROUNDS ?? 12) }, () => [
      names[random(names.length)]!,
      names[random(names.length)]!,
    ]),
  ];
  const folders = rounds.map((chosen, at) => {
    const folder = join(base, `round-${at}`);
    cpSync(original, folder, { recursive: true });
    compile(folder);
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
      assert.ok(answered(run(command, folder)), `the stamp of ${command} answers before ${what}`);
    }
    for (const name of chosen) {
      try {
        changes[name]!(folder);
      } catch {
        // The change before it took away what this one is about.
      }
    }
    const twin = `${folder}-twin`;
    cpSync(folder, twin, { recursive: true, verbatimSymlinks: true });
    rmSync(stampOf(twin));
    for (const command of ['validate', 'compile'] as const) {
      const [one, other] = [run(command, folder), run(command, twin, { INSTR_STAMP: '0' })];
      // What is valid may be the same when an output was changed.
      if (command === 'compile') assert.not(answered(one), what);
      assert.equal(withoutMark(one), other, what);
    }
    assert.equal(snapshot(folder), snapshot(twin), what);
  }
});

tests.after(() => rmSync(base, { recursive: true, force: true }));
tests.run();
