/**
 * Files of the cache. A record is a file that is written atomically and verified when it is read: a line with a
 * checksum and the length of the header, the header as JSON, and a body.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onExit, withCleanup } from './at-exit.ts';
import { failureCode, hostError } from './failure.ts';
import { sha256 } from './hash.ts';
import { withOwnFile } from './own-file.ts';

const MAGIC = 'instr-cache-2';

/** A valid record of the cache. */
export interface StoredRecord<Header> {
  readonly header: Header;
  readonly body: Uint8Array;
}

/**
 * Reads a record. Returns `undefined` when it is missing or damaged; both mean that it must be fetched again.
 */
export function readRecord<Header>(path: string): StoredRecord<Header> | undefined {
  return withOwnFile(path, file => {
    const bytes = readFileSync(file);
    const start = bytes.indexOf('\n') + 1;
    const [magic, checksum, digits] = bytes.subarray(0, start).toString('latin1').trimEnd().split(' ');
    const content = bytes.subarray(start);
    if (magic !== MAGIC || sha256(content) !== checksum) return undefined;
    const length = Number(digits);
    const header = JSON.parse(content.subarray(0, length).toString('utf8')) as Header;
    return { header, body: content.subarray(length) };
  });
}

/**
 * Writes a record to a temporary file and renames it, so that other processes see the old record or the new
 * one. Throws a `HostError` when the disk refuses it.
 */
export function writeRecord(path: string, header: unknown, body: readonly Uint8Array[]): void {
  const text = Buffer.from(JSON.stringify(header));
  const content = Buffer.concat([text, ...body]);
  const head = Buffer.from(`${MAGIC} ${sha256(content)} ${text.length}\n`, 'latin1');
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([head, content]), { flag: 'wx', mode: 0o600 });
    renameIntoPlace(temporary, path);
  } catch (error) {
    throw hostError(error, path);
  } finally {
    // Must not throw, which would hide why the record was not written.
    remove(temporary);
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
