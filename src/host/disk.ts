import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { failureCode, hostError } from './failure.ts';
import type { DirEntry, Stat, WritableDisk } from './host.ts';

/** Error codes for a path that does not exist, or whose parent is missing or not a directory. */
const absent = new Set(['ENOENT', 'ENOTDIR']);

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw hostError(error, path);
  }
}

/** Like `attempt`, but returns `undefined` when the path does not exist. */
function lookup<T>(path: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (absent.has(failureCode(error))) return undefined;
    throw hostError(error, path);
  }
}

const kindOf = (found: Stats | Dirent): Stat['kind'] =>
  found.isFile() ? 'file' : found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'link' : 'other';

function statOf(found: Stats): Stat {
  return {
    kind: kindOf(found),
    size: found.size,
    executable: (found.mode & 0o111) !== 0,
    mtimeMs: found.mtimeMs,
    mode: found.mode & 0o777,
  };
}

const byName = (a: DirEntry, b: DirEntry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * Reads a regular file; refuses anything else. It is opened in non-blocking mode, because opening a pipe
 * would wait for a writer.
 */
function readRegular(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!found.isFile()) throw Object.assign(new Error(), { code: 'ENXIO' });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The disk of this machine. */
export const nodeDisk: WritableDisk = {
  readBytes: path => lookup(path, () => readRegular(path)),

  stat(path) {
    const found = lookup(path, () => statSync(path, { throwIfNoEntry: false }));
    return found && statOf(found);
  },

  lstat(path) {
    const found = lookup(path, () => lstatSync(path, { throwIfNoEntry: false }));
    return found && statOf(found);
  },

  list(path) {
    const found = lookup(path, () => readdirSync(path, { withFileTypes: true }));
    return found?.map(entry => ({ name: entry.name, kind: kindOf(entry) })).sort(byName);
  },

  realpath: path => lookup(path, () => realpathSync.native(path)),

  makeDirectory(path) {
    attempt(path, () => mkdirSync(path, { recursive: true }));
  },

  writeBytes(path, bytes, { mode = 0o644, exclusive = false } = {}) {
    attempt(path, () => writeFileSync(path, bytes, { mode, flag: exclusive ? 'wx' : 'w' }));
  },

  async sync(path) {
    // On Windows `fsync` needs a file that is open for writing.
    const file = attempt(path, () => retryWhileBusy(() => openSync(path, 'r+')));
    const failure = await new Promise<Error | null>(done => {
      // With Node's permission model `fsync` throws, although the file was written.
      if (process.permission) done(null);
      else fsync(file, done);
    });
    attempt(path, () => closeSync(file));
    if (failure) throw hostError(failure, path);
  },

  rename(from, to) {
    attempt(to, () => retryWhileBusy(() => renameSync(from, to)));
  },

  makeLink(target, path) {
    attempt(path, () => symlinkSync(target, path));
  },

  setMode(path, mode) {
    attempt(path, () => chmodSync(path, mode));
  },

  removeFile(path) {
    const removed = lookup(path, () => {
      retryWhileBusy(() => unlinkSync(path));
      return true;
    });
    return removed ?? false;
  },

  removeEmptyDirectory(path) {
    try {
      retryWhileBusy(() => rmdirSync(path));
      return true;
    } catch (error) {
      if (absent.has(failureCode(error)) || ['ENOTEMPTY', 'EEXIST'].includes(failureCode(error)))
        return false;
      throw hostError(error, path);
    }
  },

  removeTree(path) {
    attempt(path, () => rmSync(path, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 }));
  },

  readLink(path) {
    try {
      return readlinkSync(path);
    } catch (error) {
      if (absent.has(failureCode(error)) || failureCode(error) === 'EINVAL') return undefined;
      throw hostError(error, path);
    }
  },
};

/** Error codes of Windows for a file that another program has open, or that is deleted but not yet closed. */
const busy = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Milliseconds between attempts: two seconds in total. */
const pauses = [10, 20, 50, 100, 200, 300, 400, 400, 520];

/**
 * Runs an operation on a file that another program may have open. On Windows an open file can neither be
 * replaced nor removed, and virus scanners, search indexers and editors open new files for a moment, so the
 * operation is retried there for two seconds. Other systems need no retry. Throws the error of the last
 * attempt.
 */
export function retryWhileBusy<T>(
  action: () => T,
  platform: NodeJS.Platform = process.platform,
  wait: (milliseconds: number) => void = sleep,
): T {
  if (platform !== 'win32') return action();
  for (const pause of pauses) {
    try {
      return action();
    } catch (error) {
      if (!busy.has(failureCode(error))) throw error;
      wait(pause);
    }
  }
  return action();
}

/** Blocks the thread, because files are written synchronously. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
