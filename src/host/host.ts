/**
 * The only access to disk, network, Git, clock, file watching and terminal. Disk access is synchronous: that
 * is fastest for the many small files of a project, and runs in one process cannot interleave.
 */
export interface Disk {
  /**
   * The bytes of a regular file; `undefined` when the path does not exist. Other failures throw `HostError`.
   */
  readBytes(path: string): Uint8Array | undefined;
  /** Follows symlinks. */
  stat(path: string): Stat | undefined;
  /** Does not follow symlinks. */
  lstat(path: string): Stat | undefined;
  /** The names in a directory, sorted by code unit; `undefined` when it is not a directory. */
  list(path: string): readonly DirEntry[] | undefined;
  /** The path with all symlinks resolved; `undefined` when it does not exist. */
  realpath(path: string): string | undefined;
  /** The target of a symlink as written; `undefined` when the path is not a symlink. */
  readLink(path: string): string | undefined;
}

/** The decoded text of a file; `undefined` when the path does not exist. */
export function readTextAt(disk: Disk, path: string): string | undefined {
  const bytes = disk.readBytes(path);
  return bytes && new TextDecoder().decode(bytes);
}

/** What a disk knows about a path without reading its content. */
export interface Stat {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly size: number;
  readonly executable: boolean;
  readonly mtimeMs: number;
  readonly mode: number;
}

/** An entry of a directory; symlinks are not followed. */
export interface DirEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/**
 * An error of the environment (disk, network, Git) with a message for the user, as opposed to a bug. `path`
 * is absolute.
 */
export class HostError extends Error {
  readonly path: string;
  readonly code: string;

  constructor(message: string, path: string, code: string) {
    super(message);
    this.name = 'HostError';
    this.path = path;
    this.code = code;
  }
}

/** The result of an action; `undefined` after a `HostError`, for work that the next run can repeat. */
export function ignoreHostErrors<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

/** Write access to a disk. Every failure is a `HostError`. What may be written is decided elsewhere. */
export interface WritableDisk extends Disk {
  /** Creates a directory and its parents; an existing one is fine. */
  makeDirectory(path: string): void;
  /**
   * Writes a file, replacing an existing one. `exclusive` fails with code `EEXIST` when the path exists.
   * `mode` applies to a new file, subject to the umask.
   */
  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): void;
  /**
   * Resolves when the content of a file is on the storage device. The caller need not wait for it to do other
   * work.
   */
  sync(path: string): Promise<void>;
  /** Replaces `to` atomically: readers see the old file or the new one. */
  rename(from: string, to: string): void;
  /** Creates a symlink at `path` with the given target. */
  makeLink(target: string, path: string): void;
  /** Sets exactly these permission bits. */
  setMode(path: string, mode: number): void;
  /** Removes a file or a symlink, not its target; returns `false` when the path does not exist. */
  removeFile(path: string): boolean;
  /**
   * Removes an empty directory; returns `false` when it is not empty, does not exist, or is not a directory.
   */
  removeEmptyDirectory(path: string): boolean;
  /** Removes a directory recursively; symlinks in it are not followed. */
  removeTree(path: string): void;
}

/** Options for writing a file: its mode, and whether it must not exist yet. */
export interface WriteOptions {
  readonly mode?: number;
  readonly exclusive?: boolean;
}

/** The only source of time. A run calls it once and passes the value on. */
export type Clock = () => Date;
