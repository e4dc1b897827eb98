/** Undoes runs from the copies that they kept. */
import { readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { undoLastRun } from '../../src/project/write/undo.ts';
import { needing } from '../support/machine.ts';
import { element, Project, set, shared, whole } from './support/project.ts';

const test = suite('undo');

test('undoes run by run, back to the beginning', async () => {
  const project = new Project();
  project.write('mine.md', 'by hand\n');
  const trees = [project.tree()];
  const runs = [
    [whole('a.md', '1\n'), whole('deep/b.md', '1\n')],
    [whole('a.md', '2\n'), whole('run.sh', '#!', { executable: true })],
    [whole('a.md', '2\n'), whole('run.sh', '#!', { executable: true }), whole('mine.md', 'ours\n')],
  ];
  for (const files of runs) {
    assert.ok((await project.compile(files, { force: true })).ok);
    trees.push(project.tree());
  }
  for (let at = runs.length - 1; at >= 0; at--) {
    const { ok, found } = await project.undo();
    assert.ok(ok, found.map(({ message }) => message).join(' '));
    assert.equal(project.tree(), trees[at]);
  }
  assert.not.ok(project.exists('deep'));
  assert.equal((await project.undo()).codes, ['PRS8020']);
});

test('leaves no files behind if there is no run to undo', async () => {
  const project = new Project();
  const tree = project.tree();
  assert.equal((await project.undo()).codes, ['PRS8020']);
  assert.equal(project.tree(), tree);
  assert.not.ok(project.exists('.instr'));
});

needing(test, 'permission bits')('restores the mode with the content', async () => {
  const project = new Project();
  await project.compile([whole('run.sh', '#!1', { executable: true })]);
  await project.compile([]);
  await project.undo();
  assert.is(statSync(project.at('run.sh')).mode & 0o777, 0o755);
});

test('restores a file that became a folder, and a folder that became a file', async () => {
  const project = new Project();
  await project.compile([whole('place', 'file\n'), whole('other/inner/a.md', 'a\n')]);
  const tree = project.tree();
  await project.compile([whole('place/inner/b.md', 'b\n'), whole('other', 'file\n')]);
  project.write('place/mine.md', 'mine\n');
  assert.equal((await project.undo()).codes, ['PRS8021'], 'a file of the user is in the folder');
  rmSync(project.at('place/mine.md'));
  const { ok, found } = await project.undo();
  assert.ok(ok, found.map(({ message }) => message).join(' '));
  assert.equal(project.tree(), tree);
});

needing(test, 'symbolic links')('a run that replaces a link writes a file, and undo restores the link', async () => {
  for (const [link, file] of [['b.md', 'c.md'], ['a.md', 'c.md']] as const) {
    const project = new Project();
    project.write(file, 'by hand\n');
    symlinkSync(file, project.at(link));
    const tree = project.tree();
    assert.ok((await project.compile([whole('a.md', '1\n'), whole('b.md', '2\n')], { force: true })).ok);
    assert.equal([project.read('a.md'), project.read('b.md')], ['1\n', '2\n'], link);
    const { ok, found } = await project.undo();
    assert.ok(ok, found.map(({ message }) => message).join(' '));
    assert.equal(project.tree(), tree);
    assert.is(readlinkSync(project.at(link)), file);
  }
});

test('an undo that was killed and is repeated undoes one run', async () => {
  for (let operation = 0; operation < 40; operation++) {
    const project = new Project();
    for (const text of ['1\n', '2\n', '3\n']) await project.compile([whole('a.md', text), whole('b.md', text)]);
    let left = operation;
    const changing = ['writeBytes', 'rename', 'makeDirectory', 'removeFile', 'removeEmptyDirectory', 'removeTree'];
    const disk = new Proxy(nodeDisk, {
      get: (target, name: keyof typeof nodeDisk) => {
        if (!changing.includes(name)) return target[name];
        return (...args: never[]) => {
          if (left-- <= 0) throw new Error('killed');
          return (target[name] as (...all: never[]) => unknown)(...args);
        };
      },
    });
    const request = { root: project.root, disk, clock: () => new Date(), force: false };
    const killed = await undoLastRun(request, () => {}).then(() => false, () => true);
    rmSync(project.at('.instr/.state/lock'), { force: true });
    // An undo is complete after its cleanup. A further undo would be a new request.
    const pending = ['journal', 'rollback'].some(name => project.exists(`.instr/.state/${name}.json`));
    const unswept = readdirSync(project.at('.instr/.state/runs')).some(id => project.exists(`.instr/.state/runs/${id}/undone.json`));
    if (killed && (pending || unswept || project.read('a.md') === '3\n'))
      assert.ok((await project.undo()).ok, `operation ${operation}`);
    const text = project.read('a.md');
    assert.is(project.read('b.md'), text);
    assert.is(text, '2\n', `operation ${operation}`);
    if (!killed) return;
  }
  assert.unreachable('forty operations are enough for an undo');
});

test('does not change a file edited since the run without force; with force it keeps a copy', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n'), whole('b.md', '1\n')]);
  await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')]);
  project.write('a.md', 'edited\n');
  const refused = await project.undo();
  assert.not.ok(refused.ok);
  assert.equal(refused.codes, ['PRS8021']);
  assert.is(project.read('b.md'), '2\n', 'all or nothing');
  const forced = await project.undo(true);
  assert.ok(forced.ok);
  assert.is(project.read('a.md') + project.read('b.md'), '1\n1\n');
  assert.is(project.read(forced.backups[0]!.copy!), 'edited\n');
});

test('restores shared files by key, and keeps what the user added since', async () => {
  for (const kind of ['json', 'toml', 'yaml'] as const) {
    const project = new Project();
    const path = `s.${kind}`;
    const text = { json: '{\n  "mine": 1\n}\n', toml: 'mine = 1\n', yaml: 'mine: 1\n' }[kind];
    project.write(path, text);
    await project.compile([shared(path, [set('servers.a', { x: 1 })], kind)]);
    await project.compile([shared(path, [set('servers.a', { x: 2 }), set('servers.b', { x: 1 })], kind)]);
    project.write(path, project.read(path).replace(/mine(.*)1/, 'mine$1 42'));
    const second = await project.undo();
    assert.ok(second.ok, second.found.map(({ message }) => message).join(' '));
    assert.match(project.read(path), '42');
    assert.not.match(project.read(path), 'b');
    assert.ok((await project.undo()).ok);
    assert.is(project.read(path), text.replace(/mine(.*)1/, 'mine$1 42'));
  }
});

test('does not restore an owned key that the user changed since, without force', async () => {
  const project = new Project();
  project.write('s.json', '{ "mine": 1 }');
  await project.compile([shared('s.json', [set('ours', 1)])]);
  project.write('s.json', '{ "mine": 2, "ours": 3 }');
  const { ok, found } = await project.undo();
  assert.not.ok(ok);
  assert.match(found[0]!.message, 'ours');
  assert.ok((await project.undo(true)).ok);
  assert.is(project.read('s.json'), '{ "mine": 2 }');
});

test('restores the previous value of a replaced parent of keys', async () => {
  const project = new Project();
  project.write('s.json', '{ "a": "mine" }');
  assert.ok((await project.compile([shared('s.json', [set('a.b', 1), set('a.c', 2)])], { force: true })).ok);
  const { ok, found } = await project.undo();
  assert.ok(ok, found.map(({ message }) => message).join(' '));
  assert.equal(JSON.parse(project.read('s.json')), { a: 'mine' });
});

test('does not restore an element twice if the user has restored it', async () => {
  const project = new Project();
  project.write('s.json', '{ "mine": 1 }');
  await project.compile([shared('s.json', [element('hooks', 'one')])]);
  await project.compile([shared('s.json', [element('hooks', 'two')])]);
  project.write('s.json', '{ "mine": 1, "hooks": ["two", "one"] }');
  assert.ok((await project.undo()).ok);
  assert.equal(JSON.parse(project.read('s.json')), { mine: 1, hooks: ['one'] });
});

test('keeps the last ten runs', async () => {
  const project = new Project();
  for (let run = 1; run <= 14; run++) await project.compile([whole('a.md', `${run}\n`)]);
  assert.is(readdirSync(project.at('.instr/.state/runs')).length, 10);
  let taken = 0;
  while ((await project.undo()).ok) taken++;
  assert.is(taken, 10);
  assert.is(project.read('a.md'), '4\n');
});

test('a run without changes is not recorded', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n')]);
  await project.compile([whole('a.md', '1\n')]);
  await project.undo();
  assert.equal(project.tree(), {});
});

test('keeps what other runs recorded since', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n'), whole('gone.md', '1\n')]);
  await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')]);
  // As after a merge: the record contains files that the last run did not know.
  const record = new Project();
  await record.compile([whole('a.md', '2\n'), whole('b.md', '2\n'), whole('c.md', 'by somebody else\n')]);
  project.write('.instr/manifest.json', record.read('.instr/manifest.json'));
  project.write('c.md', 'by somebody else\n');
  assert.ok((await project.undo()).ok);
  assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['a.md', 'c.md', 'gone.md']);
  const { states } = await project.compile([]);
  assert.equal(states, { 'a.md': 'removed', 'c.md': 'removed', 'gone.md': 'removed' });
});

test('removes a shared file created by the run, even if the user reformatted it', async () => {
  const project = new Project();
  await project.compile([shared('s.json', [set('servers.ours', { run: true })])]);
  project.write('s.json', '{"servers":{"ours":{"run":true}}}');
  assert.ok((await project.undo()).ok);
  assert.not.ok(project.exists('s.json'));
});

test('does not guess the content of a broken record', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n')]);
  project.write('.instr/manifest.json', '{ "files": ');
  const tree = project.tree();
  const { ok, codes } = await project.undo();
  assert.not.ok(ok);
  assert.is(codes.length, 1);
  assert.equal(project.tree(), tree);
});

test('reports a missing copy, and changes nothing', async () => {
  const project = new Project();
  project.write('mine.md', 'by hand\n');
  await project.compile([whole('mine.md', 'ours\n')], { force: true });
  const [run] = readdirSync(project.at('.instr/.state/runs'));
  rmSync(project.at(`.instr/.state/runs/${run}/old`), { recursive: true });
  const tree = project.tree();
  const { ok, found } = await project.undo();
  assert.not.ok(ok);
  assert.match(found[0]!.message, /old.*does not exist/);
  assert.equal(project.tree(), tree);
});

test.run();
