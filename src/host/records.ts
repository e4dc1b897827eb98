/**
 * Files of the cache. A record is one file that appears whole or not at all, and proves on reading that nobody
 * cut or changed it: a line with the checksum and length of its header, the header as JSON, and a body.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onExit, withCleanup } from './at-exit.ts';
import { nodeDisk } from './disk.ts';
import { failureCode, hostError } from './failure.ts';
import { sha256 } from './hash.ts';
import { LockBusy, withLock } from './lock.ts';
import { withOwnFile } from './own-file.ts';

const MAGIC = 'instr-cache-1';
const FIRST_LINE = MAGIC.length + 1 + 64 + 1 + 12 + 1;

/** A record of the cache that was found whole: its header, and its body on demand. */
export interface StoredRecord<Header> {
  readonly header: Header;
  /** Bytes of the body; `undefined` when the file is gone or too short by now. */
  readonly body: (offset: number, length: number) => Uint8Array | undefined;
}

function readExactly(file: number, offset: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, offset + done);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
}

/**
 * Reads the header of a record. `undefined` when there is none, or when it is damaged: both mean that it has to
 * be fetched again. The body is not checked here; whoever reads a part of it knows the checksum of that part.
 */
export function readRecord<Header>(path: string): StoredRecord<Header> | undefined {
  return withOwnFile(path, file => {
    const first = readExactly(file, 0, FIRST_LINE)?.toString('latin1').trimEnd().split(' ');
    const [magic, checksum, digits] = first ?? [];
    const length = Number(digits);
    if (magic !== MAGIC || !Number.isSafeInteger(length) || length > fstatSync(file).size) return undefined;
    const text = readExactly(file, FIRST_LINE, length);
    if (!text || sha256(text) !== checksum) return undefined;
    const header = JSON.parse(text.toString('utf8')) as Header;
    return {
      header,
      body: (offset: number, size: number) =>
        withOwnFile(path, body => readExactly(body, FIRST_LINE + length + offset, size)),
    };
  });
}

/**
 * Writes a record beside its place and renames it, so that other processes see the old one or the new one.
 * A disk that does not take it is a `HostError`.
 */
export function writeRecord(path: string, header: unknown, body: readonly Uint8Array[]): void {
  const text = Buffer.from(JSON.stringify(header));
  const first = `${MAGIC} ${sha256(text)} ${String(text.length).padStart(12, '0')}\n`;
  writeWhole(path, [Buffer.from(first, 'latin1'), text, ...body]);
}

/** The same for a file that other programs read. */
export function writeWhole(path: string, parts: readonly Uint8Array[]): void {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeParts(temporary, parts);
    putInPlace(temporary, path);
  } catch (error) {
    throw hostError(error, path);
  } finally {
    // Without a throw of its own, which would hide why the record was not written.
    remove(temporary);
  }
}

function writeParts(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const part of parts) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    }
  } finally {
    closeSync(file);
  }
}

function putInPlace(temporary: string, path: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    // On Windows a record that another process has open cannot be replaced; its content is as good as ours.
    if (readRecord(path)) return;
    // What stands there is no record, perhaps a directory: nothing that anybody could still want from a cache.
    if (!['EISDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(failureCode(error))) throw error;
    rmSync(path, { recursive: true, force: true });
    renameSync(temporary, path);
  }
}

/** Does work in a new empty folder below `parent`, which is gone afterwards. */
export async function inWorkFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = newFolder(join(parent, 'work-'));
  try {
    return await withCleanup(
      () => remove(folder),
      () => work(folder),
    );
  } finally {
    remove(folder);
  }
}

/** A temporary folder that is removed when this process ends; it is the cache of a run without one. */
export function temporaryFolder(): string {
  const folder = newFolder(join(tmpdir(), 'instr-'));
  onExit(() => remove(folder));
  return folder;
}

function newFolder(prefix: string): string {
  try {
    mkdirSync(dirname(prefix), { recursive: true, mode: 0o700 });
    return mkdtempSync(prefix);
  } catch (error) {
    throw hostError(error, dirname(prefix));
  }
}

/** Removes a file or folder, and leaves what cannot be removed. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next run ignores it.
  }
}

/** `undefined` when files can be written to the folder, else why not. */
export function unwritableReason(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `.probe-${process.pid}-${randomBytes(4).toString('hex')}`);
    writeFileSync(probe, '', { flag: 'wx' });
    unlinkSync(probe);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/**
 * Lets one process at a time do a piece of work, so that ten of them do not fetch the same thing ten times.
 * It saves work and is not needed for safety (records are replaced as a whole): after `patience` milliseconds
 * the work is done without the lock.
 */
export async function withRecordLock<T>(path: string, timeout: number, work: () => Promise<T>): Promise<T> {
  nodeDisk.makeDirectory(dirname(path));
  try {
    return await withLock(nodeDisk, path, { wait: timeout }, () => withCleanup(() => remove(path), work));
  } catch (error) {
    if (error instanceof LockBusy) return work();
    throw error;
  }
}
