/** Files that another program has open: Windows neither replaces nor removes them. */
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { retryWhileBusy } from '../../src/host/disk.ts';
import { Project, whole } from './support/project.ts';

const test = suite('open files');

const failure = (code: string) => Object.assign(new Error(code), { code });

/** An action that fails the first `times` calls. */
function failing(times: number, code: string) {
  let calls = 0;
  const action = () => {
    if (calls++ < times) throw failure(code);
    return 'done';
  };
  return { action, calls: () => calls };
}

test('retries a file that is in use for two seconds, only on Windows and only for that error', () => {
  for (const code of ['EACCES', 'EBUSY', 'EPERM']) {
    const waits: number[] = [];
    assert.is(retryWhileBusy(failing(3, code).action, 'win32', pause => waits.push(pause)), 'done');
    assert.is(waits.length, 3);
    const never = failing(Number.POSITIVE_INFINITY, code);
    const all: number[] = [];
    assert.throws(() => retryWhileBusy(never.action, 'win32', pause => all.push(pause)), code);
    assert.is(all.reduce((sum, pause) => sum + pause, 0), 2000);
    assert.is(never.calls(), all.length + 1);
  }
  for (const [code, platform] of [['ENOENT', 'win32'], ['EPERM', 'linux'], ['EBUSY', 'darwin']] as const) {
    const { action, calls } = failing(1, code);
    assert.throws(() => retryWhileBusy(action, platform, () => assert.unreachable('nobody waits')), code);
    assert.is(calls(), 1);
  }
});

test('replaces and removes a file that is in use for a moment', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n'), whole('gone.md', '1\n')]);
  const hold = new Worker(
    `const { closeSync, openSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const files = workerData.map(path => openSync(path, 'r'));
    parentPort.postMessage('open');
    setTimeout(() => files.forEach(file => closeSync(file)), 400);`,
    { eval: true, workerData: ['a.md', 'gone.md'].map(path => project.at(path)) },
  );
  await new Promise(resolve => hold.once('message', resolve));
  const { ok, found } = await project.compile([whole('a.md', '2\n')]);
  assert.ok(ok, found.map(({ message }) => message).join(' '));
  assert.is(project.read('a.md'), '2\n');
  assert.not.ok(project.exists('gone.md'));
  await new Promise(resolve => hold.once('exit', resolve));
});

test('reports a file that stays in use, and changes nothing', async () => {
  const project = new Project();
  await project.compile([whole('a.md', '1\n'), whole('b.md', '1\n')]);
  const before = project.tree();
  const file = openSync(project.at('b.md'), 'r');
  const { ok, found } = await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')]);
  closeSync(file);
  // Other systems can replace an open file.
  if (process.platform !== 'win32') return assert.ok(ok);
  assert.not.ok(ok);
  const messages = found.map(({ message }) => message).join('\n');
  assert.match(messages, /\bb\.md cannot be changed: another program has it open/);
  assert.equal(project.tree(), before);
  assert.ok((await project.compile([whole('a.md', '2\n'), whole('b.md', '2\n')])).ok);
  assert.is(readFileSync(project.at('b.md'), 'utf8'), '2\n');
  assert.not.ok(existsSync(project.at('.instr/.state/journal.json')));
});

test.run();
