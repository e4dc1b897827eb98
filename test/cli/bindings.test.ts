/** What the program asks of Node's bindings is what the modules of Node say, by whatever way this Node has. */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { sha256 } from '../../src/host/hash.ts';
import { hostName } from '../../src/host/os.ts';

const tests = suite('bindings');
const base = mkdtempSync(join(tmpdir(), 'prs-bindings-'));
const at = (name: string) => join(base, name);

tests.before(() => {
  mkdirSync(at('folder'));
  writeFileSync(at('file'), 'one');
  writeFileSync(at('program\u00e9'), 'two');
  chmodSync(at('program\u00e9'), 0o755);
  symlinkSync('nowhere', at('link'));
});
tests.after(() => rmSync(base, { recursive: true, force: true }));

for (const [name, kind] of [
  ['folder', 'directory'],
  ['file', 'file'],
  ['program\u00e9', 'file'],
  ['link', 'link'],
] as const)
  tests(`lstat of ${name}`, () => {
    const found = lstatSync(at(name));
    assert.equal(nodeDisk.lstat(at(name)), {
      kind,
      size: found.size,
      executable: (found.mode & 0o111) !== 0,
      mtimeMs: found.mtimeMs,
      mode: found.mode & 0o777,
      identity: { inode: found.ino, ctimeMs: found.ctimeMs },
    });
  });

tests('lstat of nothing, below a file, and of what is no path', () => {
  assert.is(nodeDisk.lstat(at('absent')), undefined);
  assert.is(nodeDisk.lstat(at('file/below')), undefined);
  assert.throws(() => nodeDisk.lstat(at('file\0')));
});

tests('a folder is made with those above it, and stays where it is', () => {
  for (let time = 0; time < 2; time++) nodeDisk.makeDirectory(at('new/inner'));
  assert.ok(lstatSync(at('new/inner')).isDirectory());
  assert.throws(() => nodeDisk.makeDirectory(at('file')), /exists already/);
});

tests('hashes', () => {
  for (const size of [0, 1, 55, 64, 1000, 100_000]) {
    const bytes = new Uint8Array(size).fill(7);
    const part = bytes.subarray(size >> 2, size >> 1);
    for (const one of [bytes, part])
      assert.is(sha256(one), createHash('sha256').update(one).digest('hex'), `${one.length}`);
  }
});

tests('the name of the machine', () => assert.is(hostName(), hostname()));

tests.run();
