/**
 * Files of the cache. A record is a file that is written atomically and verified when it is read: a line with
 * checksum and length of its header, the header as JSON, and a body.
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

/** A valid record of the cache: its header, and its body on demand. */
export interface StoredRecord<Header> {
  readonly header: Header;
  /** Reads bytes of the body; `undefined` when the file has disappeared or is too short. */
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
 * Reads the header of a record. Returns `undefined` when the record is missing or damaged; both mean that it
 * must be fetched again. The body is not verified here; the reader of a part knows the checksum of that part.
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
 * Writes a record to a temporary file and renames it, so that other processes see the old record or the new
 * one. Throws a `HostError` when the disk refuses it.
 */
export function writeRecord(path: string, header: unknown, body: readonly Uint8Array[]): void {
  const text = Buffer.from(JSON.stringify(header));
  const first = `${MAGIC} ${sha256(text)} ${String(text.length).padStart(12, '0')}\n`;
  writeAtomically(path, [Buffer.from(first, 'latin1'), text, ...body]);
}

/** The same for a file that other programs read. */
function writeAtomically(path: string, parts: readonly Uint8Array[]): void {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeParts(temporary, parts);
    renameIntoPlace(temporary, path);
  } catch (error) {
    throw hostError(error, path);
  } finally {
    // Must not throw, which would hide why the record was not written.
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

function renameIntoPlace(temporary: string, path: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    // On Windows a record that another process has open cannot be replaced. A valid record there has the same
    // content.
    if (readRecord(path)) return;
    // The path is occupied by something else, perhaps a directory. In a cache it is safe to remove it.
    if (!['EISDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(failureCode(error))) throw error;
    rmSync(path, { recursive: true, force: true });
    renameSync(temporary, path);
  }
}

/** Runs `work` with a new empty folder below `parent`, which is removed afterwards. */
export async function withWorkFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
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

/**
 * A temporary folder that is removed when this process ends; used as the cache when no cache folder is
 * available.
 */
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

/** Removes a file or folder; ignores errors. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next run ignores it.
  }
}

/** Why files cannot be written to the folder; `undefined` when they can. */
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
 * Serializes work between processes, so that they do not all fetch the same thing. It is an optimization and
 * not needed for correctness (records are replaced atomically): after `timeout` milliseconds the work is done
 * without the lock.
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
