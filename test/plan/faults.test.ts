/** Failures of the environment: no space, no permission, concurrent runs, edits during a run. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { HostError, type WritableDisk, type WriteOptions } from '../../src/host/host.ts';
import { LockBusy, withLock } from '../../src/host/lock.ts';
import { presentReader } from '../../src/project/write/present.ts';
import { bundle } from './support/bundle.ts';
import { generation, userSettings } from './support/generations.ts';
import { Project, whole } from './support/project.ts';

const test = suite('faults');

/** The real disk, with one operation that fails each time `when` returns true. */
function failing(name: keyof WritableDisk, code: string, when: (path: string) => boolean): WritableDisk {
  return new Proxy(nodeDisk, {
    get(target, property: keyof WritableDisk) {
      const original = target[property] as (...args: unknown[]) => unknown;
      if (property !== name) return original;
      return (...args: unknown[]) => {
        const path = String(name === 'rename' ? args[1] : args[0]);
        if (!when(path)) return original(...args);
        const failure = new HostError(`${path} fails.`, path, code);
        if (name === 'sync') return Promise.reject(failure);
        throw failure;
      };
    },
  });
}

/** Runs `body` in a file system of the given size. Without permission to mount, prints a notice and runs nothing. */
async function inSmallDisk(kilobytes: number, body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]).status === 0;
  try {
    if (mounted) await body(folder);
    else console.log('  skipped: mounting a small file system is not permitted here');
  } finally {
    if (mounted) execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a failure at any single operation restores the old state and reports it', async () => {
  const operations: (keyof WritableDisk)[] = ['writeBytes', 'sync', 'rename', 'makeDirectory', 'removeFile', 'setMode'];
  let tried = 0;
  for (const name of operations) {
    for (let skip = 0; ; skip++) {
      const project = new Project();
      project.write('settings.json', userSettings);
      await project.compile(generation(1));
      const before = project.tree();
      let left = skip;
      let failed = false;
      const disk = failing(name, 'EIO', () => {
        if (failed || left-- > 0) return false;
        failed = true;
        return true;
      });
      const { ok, codes } = await project.compile(generation(2), { disk });
      if (!failed) break;
      tried++;
      const what = `${name} number ${skip}`;
      if (ok) assert.is(project.read('rules/0-even.md'), 'rule 2 0\n', what);
      else {
        assert.equal(project.tree(), before, what);
        assert.equal(codes.filter(code => code === 'PRS8016').length, 1, `${what}: ${codes}`);
      }
      const next = await project.compile(generation(2));
      assert.ok(next.ok, `${what}: ${next.found.map(({ message }) => message)}`);
      assert.is(project.read('rules/0-even.md'), 'rule 2 0\n', what);
      rmSync(project.root, { recursive: true });
    }
  }
  console.log(`  ${tried} single failures tried`);
});

test('ignores a damaged record of the files that were written', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n')]);
  const record = JSON.parse(project.read('.instr/.state/written.json')) as Record<string, unknown>;
  const odd = { 'b.md': { targets: ['one'], sha256: [{ toString: 1, valueOf: 1 }] }, 'c.md': { targets: ['one'], sha256: [null, 7] } };
  project.write('.instr/.state/written.json', JSON.stringify({ ...record, ...odd }));
  assert.ok((await project.compile([whole('a.md', '2\n')])).ok);
  assert.equal(Object.keys(JSON.parse(project.read('.instr/.state/written.json'))), ['seal', 'a.md']);
});

test('identifies files of a new folder behind a link by their final path', () => {
  const project = new Project();
  mkdirSync(project.at('real'));
  symlinkSync('real', project.at('link'));
  const present = presentReader(project.root, nodeDisk);
  for (const name of ['a.md', 'b.md']) {
    assert.is(present(`link/new/${name}`), undefined);
    assert.equal(present.followLinks(`link/new/${name}`), { path: `real/new/${name}`, end: `real/new/${name}` });
  }
  assert.is(present('new/a.md'), undefined);
  assert.is(present('new/b/c.md'), undefined);
  assert.equal(present.followLinks('new/b.md'), { path: 'new/b.md', end: 'new/b.md' });
});

test('new folders whose names share a prefix get the correct files', async () => {
  const project = new Project();
  const names = ['made-x/1.md', 'made/a/1.md', 'made.d/2.md', 'made/3.md', 'made-x/a/b/4.md', 'made/a-b/5.md', 'made/a/c/6.md', 'old/new/7.md', 'old/new.d/8.md'];
  project.write('old/mine.md', 'mine\n');
  assert.ok((await project.compile(names.map(name => whole(name, `${name}\n`)))).ok);
  for (const name of names) assert.is(project.read(name), `${name}\n`);
  assert.ok((await project.undo()).ok);
  assert.equal(project.tree(), { 'old/mine.md': 'mine\n' });
});

test('an undo that fails at any single operation changes nothing and can be repeated', async () => {
  const operations = ['writeBytes', 'sync', 'rename', 'makeDirectory', 'removeFile', 'removeEmptyDirectory', 'removeTree'] as const;
  let [tried, failed] = [0, 0];
  for (const name of operations) {
    for (let skip = 0; ; skip++) {
      const project = new Project();
      for (const text of ['1\n', '2\n', '3\n']) await project.compile([whole('a.md', text), whole(`made/${text.trim()}.md`, text)]);
      const before = project.tree();
      let left = skip;
      const { ok, found } = await project.undo(false, failing(name, 'EIO', () => left-- === 0));
      if (left >= 0) break;
      const what = `${name} number ${skip}: ${found.map(({ message }) => message).join(' ')}`;
      tried++;
      if (!ok) {
        failed++;
        assert.equal(project.tree(), before, what);
        assert.ok((await project.undo()).ok, what);
      }
      assert.is(project.read('a.md'), '2\n', what);
      assert.ok((await project.undo()).ok, what);
      assert.is(project.read('a.md'), '1\n', what);
      assert.ok((await project.undo()).ok, what);
      assert.equal(project.tree(), {}, what);
      rmSync(project.root, { recursive: true });
    }
  }
  assert.ok(tried > 20 && failed > 10, `${failed} of ${tried} failed`);
});

test('reports a failure that also prevents the rollback, and the next run recovers', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n'), whole('b.md', '1\n')]);
  const disk = failing('rename', 'EIO', path => /[ab]\.md$/.test(path));
  let renames = 0;
  const late = new Proxy(disk, {
    get: (target, property: keyof WritableDisk) =>
      property === 'rename'
        ? (from: string, to: string) => (renames++ < 2 ? nodeDisk.rename(from, to) : target.rename(from, to))
        : target[property],
  });
  const { ok, codes } = await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')], { disk: late });
  assert.not.ok(ok);
  assert.equal(codes, ['PRS8023']);
  const next = await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')]);
  assert.ok(next.ok);
  assert.ok(next.codes.includes('PRS8018'));
  assert.is(project.read('a.md') + project.read('b.md'), '2\n2\n');
});

test('writes, undoes and recovers a project that spans several file systems', async () => {
  // Renaming from the folder of the run to the files fails, as if the state were on another disk.
  const apart = new Proxy(nodeDisk, {
    get: (target, property: keyof WritableDisk) =>
      property === 'rename'
        ? (from: string, to: string) => {
            if (/\.state\/runs\/[^/]+\/(?:new|old)\//.test(from)) throw new HostError(`${to} is elsewhere.`, to, 'EXDEV');
            return target.rename(from, to);
          }
        : target[property],
  });
  const project = new Project();
  project.write('mine.md', 'by hand\n');
  symlinkSync('mine.md', project.at('link.md'));
  const before = project.tree();
  const files = [whole('a.md', '1\n'), whole('link.md', 'ours\n'), whole('run.sh', '#!', { executable: true })];
  // The last file cannot be moved into place, so all previous files are rolled back, including the link.
  const broken = new Proxy(apart, {
    get: (target, property: keyof WritableDisk) =>
      property === 'rename'
        ? (from: string, to: string) => {
            if (to.endsWith('run.sh')) throw new HostError(`${to} fails.`, to, 'EIO');
            return target.rename(from, to);
          }
        : target[property],
  });
  assert.not.ok((await project.compile(files, { disk: broken, force: true })).ok);
  const { '.instr/manifest.json': _, ...left } = project.tree();
  assert.equal(left, before);
  assert.ok((await project.compile(files, { disk: apart, force: true })).ok);
  assert.is(project.read('link.md'), 'ours\n');
  assert.is(statSync(project.at('run.sh')).mode & 0o777, 0o755);
  assert.equal(readdirSync(project.root).filter(name => name.endsWith('.tmp')), []);
});

test('a full disk changes nothing', async () => {
  await inSmallDisk(256, async folder => {
    const project = new Project(folder);
    await project.compile([whole('a.md', 'small\n')]);
    const before = project.tree();
    const files = Array.from({ length: 40 }, (_, at) => whole(`big/${at}.md`, `${at} `.repeat(5000)));
    const { ok, found } = await project.compile([whole('a.md', 'changed\n'), ...files]);
    assert.not.ok(ok);
    assert.equal(found.map(({ code }) => code), ['PRS8016']);
    assert.match(found[0]!.message, 'the disk is full');
    assert.not.match(found[0]!.message, project.root);
    assert.equal(project.tree(), before);
    assert.ok((await project.compile([whole('a.md', 'changed\n')])).ok);
  });
});

test('a file that exceeds a limit of the system changes nothing', async () => {
  const program = await bundle('killed');
  const project = new Project();
  project.write('settings.json', userSettings);
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh', process.execPath, program, project.root, '1', '0', ''],
    { encoding: 'utf8' },
  );
  assert.is(status, 1);
  assert.match(stderr, 'PRS8016');
  assert.equal(project.tree(), { 'settings.json': userSettings });
});

test('a read-only file system: succeeds if there is nothing to do, and reports an error otherwise', async () => {
  await inSmallDisk(512, async folder => {
    const project = new Project(folder);
    await project.compile([whole('a.md', 'a\n')]);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    assert.ok((await project.compile([whole('a.md', 'a\n')])).ok);
    const { ok, found } = await project.compile([whole('a.md', 'b\n')]);
    assert.not.ok(ok);
    assert.match(found[0]!.message, 'read-only');
  });
});

test('reports a folder without write permission', async () => {
  const program = await bundle('killed');
  const project = new Project();
  project.write('settings.json', userSettings);
  mkdirSync(project.at('rules'));
  const root = process.getuid?.() === 0;
  // Root may write everywhere, so the compile runs as a user who owns all folders except one.
  if (root) execFileSync('chown', ['-R', '65534:65534', project.root]);
  if (root) execFileSync('chown', ['root', project.at('rules')]);
  else execFileSync('chmod', ['555', project.at('rules')]);
  execFileSync('chmod', ['755', join(program, '..')]);
  const run = () =>
    spawnSync(process.execPath, [program, project.root, '1', '0', ''], {
      encoding: 'utf8',
      ...(root && { uid: 65534, gid: 65534 }),
    });
  const { status, stderr } = run();
  assert.is(status, 1);
  assert.match(stderr, /PRS8016 rules\/.*permissions do not allow/);
  assert.equal(project.tree(), { 'settings.json': userSettings });
  execFileSync('chmod', ['777', project.at('rules')]);
  assert.is(run().status, 0);
});

test('ten concurrent runs end in one consistent state', async () => {
  const program = await bundle('killed');
  const project = new Project();
  project.write('settings.json', userSettings);
  await project.compile(generation(1));
  const runs = Array.from({ length: 10 }, (_, at) => {
    const child = spawn(process.execPath, [program, project.root, String(2 + (at % 2)), '0', '']);
    let output = '';
    child.stderr.on('data', data => {
      output += data;
    });
    return new Promise<string>(resolve => child.on('close', code => resolve(code === 0 ? '' : `${code}: ${output}`)));
  });
  assert.equal((await Promise.all(runs)).filter(Boolean), []);
  const last = project.read('bin/run.sh').includes('2') ? 2 : 3;
  const { work } = await project.plan(generation(last));
  assert.not.ok(work, 'the outputs are those of one run');
  assert.equal(readdirSync(project.at('.instr/.state')).sort(), ['.gitignore', 'runs', 'written.json']);
});

test('breaks the lock of a dead process, but not of a running one', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n')]);
  const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout.trim();
  const lock = (pid: string | number) =>
    project.write('.instr/.state/lock', JSON.stringify({ pid: Number(pid), host: execFileSync('hostname', { encoding: 'utf8' }).trim() }));
  lock(dead);
  assert.ok((await project.compile([whole('a.md', '2\n')])).ok);
  // Process IDs are reused. In a container every run may have the ID of the run that was killed.
  lock(process.pid);
  assert.ok((await project.compile([whole('a.md', '2 again\n')])).ok);
  lock(process.ppid);
  const waiting = project.compile([whole('a.md', '3\n')]);
  await new Promise(resolve => setTimeout(resolve, 150));
  assert.is(project.read('a.md'), '2 again\n', 'the run waits');
  rmSync(project.at('.instr/.state/lock'));
  assert.ok((await waiting).ok);
  assert.is(project.read('a.md'), '3\n');
});

test('leaves a lock alone that cannot be checked, or that was replaced meanwhile', async () => {
  const project = new Project();
  const path = project.at('lock');
  const dead = Number(spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout);
  const write = (pid: number, host: string) => project.write('lock', JSON.stringify({ pid, host }));
  const busy = async (disk: WritableDisk) => {
    const before = project.read('lock');
    try {
      await withLock(disk, path, 0, () => assert.unreachable('it ran'));
    } catch (error) {
      assert.instance(error, LockBusy);
    }
    return before === project.read('lock');
  };
  write(dead, 'another-machine');
  assert.ok(await busy(nodeDisk), 'a process of another machine');
  write(dead, hostname());
  // Another process breaks the lock and takes it just before this one does.
  const late = new Proxy(nodeDisk, {
    get: (target, property: keyof WritableDisk) =>
      property === 'writeBytes'
        ? (at: string, ...rest: [Uint8Array]) => {
            if (at.endsWith('.break')) write(process.ppid, hostname());
            return target.writeBytes(at, ...rest);
          }
        : target[property],
  });
  await busy(late);
  assert.is(JSON.parse(project.read('lock')).pid, process.ppid, 'the lock of the faster process');
});

test('an edit between planning and writing is not lost', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n')]);
  let edited = false;
  const disk = new Proxy(nodeDisk, {
    get: (target, property: keyof WritableDisk) =>
      property === 'writeBytes'
        ? (to: string, ...rest: [Uint8Array, WriteOptions]) => {
            // The lock is taken after the first plan. The user saves the file at this moment.
            if (!edited && to.endsWith('/lock')) writeFileSync(project.at('a.md'), 'by hand\n');
            edited = true;
            return target.writeBytes(to, ...rest);
          }
        : target[property],
  });
  const { ok, codes } = await project.compile([whole('a.md', '2\n')], { disk });
  assert.ok(edited);
  assert.not.ok(ok);
  assert.equal(codes, ['PRS8022']);
  assert.is(project.read('a.md'), 'by hand\n');
});

test.run();
