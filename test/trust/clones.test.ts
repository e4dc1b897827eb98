/** State, links and locks that come with a clone never make a command write, delete or wait. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { HostError } from '../../src/host/host.ts';
import { secretPath } from '../../src/host/user-secret.ts';
import { projectDisk } from '../../src/project/write/project-disk.ts';
import { sealText } from '../../src/project/write/seal.ts';
import { recoverProject } from '../../src/project/write/write.ts';
import { writeSources } from '../../src/project/write/write-sources.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { whole } from '../plan/support/project.ts';
import { type Attack, sha256, Victim } from './hostile.ts';

const test = suite('hostile clones');

const state = '.instr/.state';
const id = '00000001-20260101T000000Z';
const evil = '#!/bin/sh\necho evil\n';
const after = { sha256: sha256(evil), mode: 0o755 };
const saved = { sha256: sha256(evil), mode: 0o755, saved: '1' };

const run = (more: object, name = id): string =>
  JSON.stringify({ version: 1, id: name, time: '2026-01-01T00:00:00.000Z', steps: [], directories: [], emptied: [], ...more });

/** A program at the paths where a run keeps replaced files and stages new ones. */
const loot = { [`${state}/runs/${id}/old/1`]: evil, [`${state}/runs/${id}/new/0`]: evil };

/** Steps that write the program to a path: by a rollback, by a journal. */
const restored = (path: string) => ({ path, kind: 'delete', state: 'removed', before: saved });
const written = (path: string) => ({ path, kind: 'write', state: 'new', staged: '0', after });

const rollback = (more: object, links: Attack['links'] = {}): Attack => ({
  files: { [`${state}/rollback.json`]: run(more) },
  programs: loot,
  links,
});

const journal = (more: object, links: Attack['links'] = {}): Attack => ({
  files: { [`${state}/journal.json`]: run(more) },
  programs: loot,
  links,
});

const intoHome = { out: 'HOME' };
const intoHooks = { out: '.git' };

/** Attacks on a compile and on an undo: the journal or the rollback of a run that this user never made. */
const pending: Record<string, Attack> = {
  'a rollback writes through a link into the home folder': rollback({ steps: [restored('out/.profile')] }, intoHome),
  'a rollback installs a hook': rollback({ steps: [restored('out/hooks/post-checkout')] }, intoHooks),
  'a rollback makes the link that it goes through': rollback({
    steps: [restored('out/.profile'), { ...restored('out'), before: { sha256: '', mode: 0o644, link: 'HOME' } }],
  }),
  'a rollback makes a link into Git and goes through it': rollback({
    steps: [restored('out/hooks/post-checkout'), { ...restored('out'), before: { sha256: '', mode: 0o644, link: '.git' } }],
  }),
  'a rollback removes a folder of the home folder': rollback({ directories: ['out/empty'] }, intoHome),
  'a rollback deletes a file of the home folder': rollback(
    { steps: [{ path: 'out/precious', kind: 'write', state: 'new', staged: '9', after: { sha256: sha256('precious\n'), mode: 0o644 } }] },
    intoHome,
  ),
  'a journal installs a hook': journal({ steps: [written('out/hooks/post-checkout')] }, intoHooks),
  'a journal writes into the home folder': journal({ steps: [written('out/.profile')] }, intoHome),
  'a journal makes folders in the home folder': journal({ directories: ['out/made'] }, intoHome),
  'a journal makes folders in Git': journal({ directories: ['out/hooks/made'] }, intoHooks),
  'a journal removes folders of the home folder': journal({ emptied: ['out/empty'] }, intoHome),
  'a journal moves a folder into Git': {
    ...journal({ trees: [{ path: 'out/hooks', staged: '7' }], directories: ['out/hooks'], steps: [] }, intoHooks),
    programs: { [`${state}/runs/${id}/new/7/post-checkout`]: evil },
  },
  'a journal deletes a file in Git': journal(
    { steps: [{ path: 'out/HEAD', kind: 'delete', state: 'removed', before: { sha256: sha256('ref: refs/heads/main\n'), mode: 0o644 } }] },
    intoHooks,
  ),
  'a journal that is a link to a file of somebody': { links: { [`${state}/journal.json`]: 'HOME/precious' } },
  'a run id leads out of the state folder': {
    files: { [`${state}/rollback.json`]: run({ steps: [restored('evil')] }, '../../../..') },
  },
};

const error = (found: readonly Diagnostic[]) => found.filter(({ severity }) => severity === 'error');

const said = (found: readonly Diagnostic[]) => found.map(({ message, file }) => `${file} ${message}`).join('\n');

async function settle(victim: Victim): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  await recoverProject(victim.root, nodeDisk, diagnostic => found.push(diagnostic));
  return found;
}

/**
 * Runs every command that could act on an interrupted run, and asserts that the home folder, Git and the files are
 * unchanged.
 */
async function assertRefused(victim: Victim, names: RegExp): Promise<void> {
  const [before, tree] = [victim.guarded(), victim.tree()];
  const look = async (what: string, found: readonly Diagnostic[]) => {
    assert.equal(victim.guarded(), before, what);
    assert.equal(victim.tree(), tree, what);
    assert.match(said(error(found)), names, what);
    assert.ok(error(found).every(({ hint }) => hint), what);
  };
  await look('compile', await settle(victim));
  await look('plan', (await victim.plan([whole('MAIN.md', 'text\n')])).found);
  const compiled = await victim.compile([whole('MAIN.md', 'text\n')]);
  assert.not(compiled.ok);
  await look('outputs', compiled.found);
  const undone = await victim.undo();
  assert.not(undone.ok);
  await look('undo', undone.found);
}

/** Seals a journal or a rollback as if this user had made it. */
function seal(victim: Victim): void {
  for (const path of [`${state}/rollback.json`, `${state}/journal.json`])
    if (lstatSync(victim.at(path), { throwIfNoEntry: false })?.isFile())
      victim.write(path, sealText(victim.read(path), 'run', { root: victim.root, disk: nodeDisk }));
}

for (const [name, attack] of Object.entries(pending)) {
  test(`${name}: a compile and an undo refuse it`, async () => {
    const victim = new Victim(attack);
    const names = /\.instr\/\.state\/(?:journal|rollback)\.json/;
    await assertRefused(victim, names);
    // The same from an archive, or if Git no longer tracks it.
    victim.git('rm', '-r', '-q', '--cached', state);
    await assertRefused(victim, names);
    // Even if this user had made it, the moves themselves are refused.
    seal(victim);
    const before = victim.guarded();
    await settle(victim);
    await victim.undo(true);
    assert.equal(victim.guarded(), before);
  });
}

test('refuses paths that no run writes, even in a journal of this user', async () => {
  const victim = new Victim({ links: intoHome });
  const before = victim.guarded();
  for (const path of ['../home/evil', '/tmp/evil', '..', 'a/../../home/evil', '.git/hooks/evil', '.GIT/hooks/evil', 'GIT~1/hooks/evil', 'out/evil', `${state}/../../.git/x`]) {
    for (const [name, more] of Object.entries({
      rollback: { steps: [restored(path)] },
      journal: { steps: [written(path)] },
    })) {
      for (const all of [more, { directories: [path] }, { emptied: [path] }]) {
        rmSync(victim.at(state), { recursive: true, force: true });
        for (const [file, text] of Object.entries(loot)) victim.write(file, text);
        victim.write(`${state}/${name}.json`, run(all));
        seal(victim);
        const found = await settle(victim);
        // A path that looks absolute is relative to the project.
        const isOutside = path !== '/tmp/evil';
        if (isOutside && ('steps' in all || name === 'journal')) assert.ok(error(found).length > 0, `${name} ${path}`);
        assert.equal(victim.guarded(), before, `${name} ${path}`);
        assert.not(existsSync('/tmp/evil'));
      }
    }
  }
});

/** Attacks on an undo: records of runs that look completed. */
const records: Record<string, Attack> = Object.fromEntries(
  (
    [
    ['installs a hook', [restored('out/hooks/post-checkout')], intoHooks],
    ['restores a file', [restored('notes.md')], {}],
    ['deletes a file', [{ path: 'README.md', kind: 'write', state: 'new', staged: '0', after: { sha256: sha256('harmless\n'), mode: 0o644 } }], {}],
    ] as [string, object[], Record<string, string>][]
  ).map(([name, steps, links]) => [
    name,
    { files: { [`${state}/runs/${id}/run.json`]: run({ steps }) }, programs: loot, links },
  ]),
);

for (const [name, attack] of Object.entries(records)) {
  test(`the record of a run that ${name} is not undone`, async () => {
    const victim = new Victim(attack);
    const [before, tree] = [victim.guarded(), victim.tree()];
    const { ok, found } = await victim.undo(true);
    assert.not(ok);
    assert.ok(error(found).length > 0);
    assert.equal(victim.guarded(), before);
    assert.equal(victim.tree(), tree);
  });
}

test('outputs, sources and their backups do not follow a link into Git, or out of the project', async () => {
  for (const links of [intoHooks, intoHome, { between: 'sub/.git', out: 'between' }]) {
    const victim = new Victim({ links: { sub: '.', ...links } });
    const before = victim.guarded();
    const { ok, found } = await victim.compile([whole('MAIN.md', 'text\n'), whole('out/hooks/post-checkout', evil, { executable: true })]);
    assert.not(ok, JSON.stringify(links));
    assert.ok(said(error(found)).includes('out'), JSON.stringify(found));
    assert.not(victim.exists('MAIN.md'), 'no other change was made');
    const reported: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void reported.push(diagnostic);
    const written = await writeSources(victim.root, [{ path: 'out/hooks/post-merge', text: evil, executable: true }], {
      disk: nodeDisk,
      clock: () => new Date(),
      report,
    });
    assert.not(written);
    assert.ok(error(reported).length > 0);
    assert.equal(victim.guarded(), before);
  }
});

test('does not follow a link in place of the state folder, or a part of it', async () => {
  for (const path of ['.instr', state, `${state}/runs`, `${state}/lock`, `${state}/written.json`, `${state}/backups`]) {
    for (const target of ['HOME', '../.git', 'HOME/nothing-there', '../sub']) {
      const victim = new Victim({ files: { 'sub/x': 'x\n' }, links: { [path]: target } });
      const before = victim.guarded();
      victim.write('MINE.md', 'by hand\n');
      const { ok, found } = await victim.compile([whole('MAIN.md', 'text\n'), whole('MINE.md', 'ours\n')], { force: true });
      assert.not(ok, `${path} -> ${target}`);
      assert.ok(said(error(found)).includes('.instr'), `${path} -> ${target}: ${JSON.stringify(found)}`);
      assert.equal(victim.guarded(), before, `${path} -> ${target}`);
      assert.is(victim.read('MINE.md'), 'by hand\n');
      assert.not(victim.exists('MAIN.md'));
    }
  }
});

test('refuses links that are not in Git as well', async () => {
  for (const [path, target] of [[state, 'home'], ['.instr', 'home'], [`${state}/runs`, 'home'], [`${state}/lock`, 'home/precious'], [`${state}/written.json`, 'home/precious']] as const) {
    const victim = new Victim({});
    mkdirSync(join(victim.at(path), '..'), { recursive: true });
    symlinkSync(join(victim.home, '..', target), victim.at(path));
    const before = victim.guarded();
    const { ok, found } = await victim.compile([whole('MAIN.md', 'text\n')]);
    assert.not(ok, path);
    assert.match(said(error(found)), path);
    assert.equal(victim.guarded(), before, path);
  }
});

test('a lock in a clone does not block commands', async () => {
  for (const text of [JSON.stringify({ pid: 1, host: 'elsewhere' }), JSON.stringify({ pid: process.ppid, host: hostname() }), '']) {
    const victim = new Victim({ files: { [`${state}/lock`]: text } });
    const start = Date.now();
    const { ok, found } = await victim.compile([whole('MAIN.md', 'text\n')]);
    assert.ok(Date.now() - start < 5000, 'it waited');
    assert.not(ok);
    assert.match(error(found).map(({ message, hint }) => `${message} ${hint}`).join(), /Git tracks .*git rm/s);
  }
});

test('a lock that is not a file, or has a future time, does not block commands', async () => {
  const special = new Victim({});
  mkdirSync(special.at(state), { recursive: true });
  execFileSync('mkfifo', [special.at(`${state}/lock`)]);
  const { ok, found } = await special.compile([whole('MAIN.md', 'text\n')]);
  assert.not(ok);
  assert.match(said(error(found)), `${state}/lock`);
  const future = new Victim({});
  mkdirSync(future.at(state), { recursive: true });
  writeFileSync(future.at(`${state}/lock`), JSON.stringify({ pid: 1, host: 'elsewhere' }));
  execFileSync('touch', ['-d', '2099-01-01', future.at(`${state}/lock`)]);
  assert.ok((await future.compile([whole('MAIN.md', 'text\n')])).ok);
});

test('refuses state that Git tracks, and the suggested solution works', async () => {
  const victim = new Victim({});
  assert.ok((await victim.compile([whole('MAIN.md', 'one\n')])).ok);
  victim.git('add', '-f', state);
  const { ok, found } = await victim.compile([whole('MAIN.md', 'two\n')]);
  assert.not(ok);
  assert.match(error(found)[0]!.message, state);
  assert.is(victim.read('MAIN.md'), 'one\n');
  assert.not((await victim.undo()).ok);
  victim.git('rm', '-r', '-q', '--cached', state);
  assert.ok((await victim.compile([whole('MAIN.md', 'two\n')])).ok);
  assert.ok((await victim.undo()).ok);
  assert.is(victim.read('MAIN.md'), 'one\n');
});

test('does not restore copies and staged contents that were modified', async () => {
  const victim = new Victim({});
  await victim.compile([whole('MAIN.md', 'one\n')]);
  await victim.compile([whole('MAIN.md', 'two\n')]);
  const [, last] = readdirSync(victim.at(`${state}/runs`)).sort();
  const copy = `${state}/runs/${last}/old`;
  for (const name of readdirSync(victim.at(copy))) {
    rmSync(victim.at(`${copy}/${name}`));
    symlinkSync(join(victim.home, 'precious'), victim.at(`${copy}/${name}`));
  }
  const before = victim.guarded();
  const { ok, found } = await victim.undo();
  assert.not(ok);
  assert.match(said(error(found)), copy);
  assert.is(victim.read('MAIN.md'), 'two\n');
  assert.equal(victim.guarded(), before);
});

test('does not use the record of another folder, run or kind', async () => {
  const [one, two] = [new Victim({}), new Victim({})];
  for (const victim of [one, two]) await victim.compile([whole('MAIN.md', 'one\n')]);
  await one.compile([whole('MAIN.md', 'two\n')]);
  const [first, second] = readdirSync(one.at(`${state}/runs`)).sort();
  cpSync(one.at(`${state}/runs/${second}`), two.at(`${state}/runs/${second}`), { recursive: true });
  cpSync(one.at(`${state}/runs/${second}`), one.at(`${state}/runs/99999999-20990101T000000Z`), { recursive: true });
  cpSync(one.at(`${state}/written.json`), one.at(`${state}/runs/${first}/undone.json`));
  assert.ok((await two.undo()).ok);
  assert.not(two.exists('MAIN.md'), 'its own run was undone');
  assert.ok((await one.undo()).ok);
  assert.is(one.read('MAIN.md'), 'one\n');
  assert.ok((await one.compile([whole('MAIN.md', 'three\n')])).ok);
  assert.ok(one.exists(`${state}/runs/99999999-20990101T000000Z`), 'files that are not owned are unchanged');
  assert.ok((await one.undo()).ok);
  assert.is(one.read('MAIN.md'), 'one\n');
});

test('refuses Git directories with any name: other letter case, worktrees, separate, shared', async () => {
  const victim = new Victim({});
  const disk = projectDisk(nodeDisk, victim.root);
  const refused = (path: string) => {
    const bytes = new TextEncoder().encode(evil);
    for (const work of [() => disk.writeBytes(victim.at(path), bytes, { exclusive: true }), () => disk.makeDirectory(victim.at(path)), () => disk.admit(victim.at(path))])
      assert.throws(work, (failure: Error) => failure instanceof HostError && failure.message.includes('Git keeps itself'), path);
  };
  for (const name of ['.git', '.GIT', '.Git.', '.git ', 'GIT~1', 'git~2', '.git::$INDEX_ALLOCATION', '.g\u200cit', '.gi\ufefft . .'])
    for (const path of [name, `${name}/hooks/post-checkout`, `sub/${name}/config`]) refused(path);
  for (const name of ['.github/x', '.gitignore', 'git', 'x.git', 'git~/x']) disk.admit(victim.at(name));
  mkdirSync(victim.at('sub/store/hooks'), { recursive: true });
  mkdirSync(victim.at('shared/hooks'), { recursive: true });
  mkdirSync(victim.at('part'));
  victim.write('sub/.git', 'gitdir: ../sub/store\n');
  victim.write('part/.git', 'gitdir: ../sub/store\n');
  victim.write('sub/store/commondir', '../../shared\n');
  const fresh = projectDisk(nodeDisk, victim.root);
  assert.throws(() => fresh.admit(victim.at('sub/store/hooks/post-checkout')), /Git keeps itself/);
  fresh.admit(victim.at('shared/notes.md'));
});

test('ignores a secret that others may read, that is a link, or that is inside the project', async () => {
  const { HOME, XDG_STATE_HOME } = process.env;
  try {
    for (const spoil of [
      (path: string) => chmodSync(path, 0o644),
      (path: string) => writeFileSync(path, 'short'),
      (path: string) => {
        cpSync(path, `${path}.real`);
        rmSync(path);
        symlinkSync(`${path}.real`, path);
      },
    ]) {
      const victim = new Victim({});
      process.env.XDG_STATE_HOME = join(victim.home, 'state');
      await victim.compile([whole('MAIN.md', 'one\n')]);
      assert.is(lstatSync(join(victim.home, 'state/instr/secret')).mode & 0o777, 0o600);
      assert.is(lstatSync(join(victim.home, 'state/instr/secret')).size, 32);
      spoil(join(victim.home, 'state/instr/secret'));
      assert.not((await victim.undo()).ok);
      assert.is(victim.read('MAIN.md'), 'one\n');
    }
    for (const inside of ['', 'deep']) {
      const victim = new Victim({});
      process.env.XDG_STATE_HOME = join(victim.root, inside, 'state');
      assert.ok((await victim.compile([whole('MAIN.md', 'one\n')])).ok);
      assert.not(existsSync(process.env.XDG_STATE_HOME), 'no secret is created there');
      assert.not((await victim.undo()).ok);
    }
    const victim = new Victim({});
    process.env.XDG_STATE_HOME = 'relative';
    process.env.HOME = 'relative too';
    assert.ok(isAbsolute(secretPath(process.env)));
    assert.not.match(secretPath(process.env), 'relative');
    rmSync(victim.root, { recursive: true });
  } finally {
    Object.assign(process.env, { HOME });
    if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
  }
});

test('without a folder for the secret, as on some CI, it compiles and reports what it cannot verify', async () => {
  const { XDG_STATE_HOME } = process.env;
  try {
    process.env.XDG_STATE_HOME = '/proc/no-such-place';
    const victim = new Victim({});
    for (const text of ['one\n', 'two\n', 'three\n']) assert.ok((await victim.compile([whole('MAIN.md', text)])).ok, text);
    assert.is(victim.read('MAIN.md'), 'three\n');
    assert.equal((await victim.undo()).codes, ['PRS8020']);
    // A run that was killed and left its journal.
    const [run] = readdirSync(victim.at(`${state}/runs`));
    cpSync(victim.at(`${state}/runs/${run}/run.json`), victim.at(`${state}/journal.json`));
    const { ok, found } = await victim.compile([whole('MAIN.md', 'four\n')]);
    assert.not(ok);
    assert.match(`${said(error(found))} ${error(found)[0]!.hint}`, /journal\.json .* remove \.instr\/\.state\/journal\.json/s);
    rmSync(victim.at(`${state}/journal.json`));
    assert.ok((await victim.compile([whole('MAIN.md', 'four\n')])).ok);
  } finally {
    if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
  }
});

test('a clone without state works as usual', async () => {
  const victim = new Victim({ files: { 'shared/x': 'x\n' }, links: { inner: 'shared' } });
  assert.ok((await victim.compile([whole('inner/a.md', 'one\n'), whole('b/c.md', 'one\n')])).ok);
  assert.is(victim.read('shared/a.md'), 'one\n');
  assert.ok((await victim.undo()).ok);
  assert.not(existsSync(victim.at('b')));
  rmSync(victim.root, { recursive: true });
});

test.run();
