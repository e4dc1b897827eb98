/** A cache that is corrupt, or writable by others: its records are rejected and fetched again. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readRecord, writeRecord } from '../../src/host/records.ts';

const test = suite('records');
const base = mkdtempSync(join(tmpdir(), 'prs-records-'));
test.after(() => rmSync(base, { recursive: true, force: true }));

const header = { commit: 'abc', files: { 'base.prs': [0, 6] } };
const body = Buffer.from('shared');
const write = (path: string) => writeRecord(path, header, [body]);
const isRead = (path: string) => readRecord(path) !== undefined;
const onPosix = process.platform === 'win32' ? test.skip : test;

test('detects any flipped bit of the header, and any truncation', () => {
  const path = join(base, 'flipped');
  write(path);
  const complete = readFileSync(path);
  for (let at = 0; at < complete.length - body.length; at++) {
    for (const bit of [0, 3, 7]) {
      const bytes = Buffer.from(complete);
      bytes[at] = bytes[at]! ^ (1 << bit);
      writeFileSync(path, bytes);
      const found = readRecord(path);
      // Trailing blanks of the first line have no meaning.
      if (found) assert.equal(found.header, header, `${at}`);
    }
  }
  for (let length = 0; length < complete.length - body.length; length += 7) {
    writeFileSync(path, complete.subarray(0, length));
    assert.not(isRead(path), `${length}`);
  }
  write(path);
  assert.equal(readRecord(path)?.header, header);
});

onPosix('links are not followed, neither by reading nor by writing', () => {
  const [target, path] = [join(base, 'target'), join(base, 'link')];
  write(target);
  const before = readFileSync(target);
  symlinkSync(target, path);
  assert.not(isRead(path));
  writeRecord(path, { other: true }, []);
  assert.equal(readFileSync(target), before);
  assert.equal(readRecord(path)?.header, { other: true });
});

onPosix('files that others can write, or own', () => {
  const path = join(base, 'shared');
  write(path);
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(path, mode);
    assert.not(isRead(path), mode.toString(8));
  }
  chmodSync(path, 0o600);
  assert.ok(isRead(path));
  if (process.getuid?.() !== 0) return;
  chownSync(path, 65534, 65534);
  assert.not(isRead(path));
});

onPosix('what is no regular file is passed over at once, and replaced', () => {
  const [pipe, folder] = [join(base, 'pipe'), join(base, 'folder')];
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'full'), { recursive: true });
  for (const path of [pipe, folder]) {
    assert.not(isRead(path));
    write(path);
    assert.ok(isRead(path));
  }
  assert.equal(
    readdirSync(base).filter(name => name.endsWith('.tmp')),
    [],
  );
});

test.run();
