/**
 * The only door to disk, network, git, clock, watcher and terminal.
 * Disk access is synchronous: for the many small files of a project it is the fastest way, and a run
 * cannot be interleaved with another one in the same process.
 */
export interface Disk {
  /** The bytes of a regular file; `undefined` when nothing is there. Other failures throw `HostError`. */
  readBytes(path: string): Uint8Array | undefined;
  /** Follows links. */
  stat(path: string): Stat | undefined;
  /** Does not follow links. */
  lstat(path: string): Stat | undefined;
  /** Names in a directory, sorted by code unit; `undefined` when it is no directory. */
  list(path: string): readonly DirEntry[] | undefined;
  /** The path with all links resolved; `undefined` when nothing is there. */
  realpath(path: string): string | undefined;
  /** Where a link points, as written; `undefined` when it is no link. */
  readLink(path: string): string | undefined;
}

/** The text of a file; `undefined` when nothing is there. */
export function textAt(disk: Disk, path: string): string | undefined {
  const bytes = disk.readBytes(path);
  return bytes && new TextDecoder().decode(bytes);
}

/** What a disk knows about a path without reading it. */
export interface Stat {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly size: number;
  readonly executable: boolean;
  readonly mtimeMs: number;
  readonly mode: number;
  /** What else tells one state of a file from another, on disks that know it. */
  readonly identity?: { readonly inode: number; readonly ctimeMs: number };
}

/** A name in a directory; links are not followed. */
export interface DirEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** A failure of the outside world in words for the user; never a bug. `path` is absolute. */
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

/** The writing side of the door. Every failure is a `HostError`; nothing here decides what may be written. */
export interface WritableDisk extends Disk {
  /** Makes a directory and its parents; one that exists already is fine. */
  makeDirectory(path: string): void;
  /**
   * Writes a file, replacing what is there. `exclusive` fails with code `EEXIST` when something is there.
   * `mode` counts for a new file, within the umask.
   */
  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): void;
  /** Settles when the bytes of a file are on the medium, for which the caller need not wait to do other work. */
  sync(path: string): Promise<void>;
  /** Replaces `to` in one step, so that a reader sees the old file or the new one. */
  rename(from: string, to: string): void;
  /** Gives a file a second name without copying it; fails with `EEXIST` when `to` is taken. */
  link(from: string, to: string): void;
  /** Makes a symbolic link at `path` that says `target`. */
  makeLink(target: string, path: string): void;
  /** Sets exactly these permission bits. */
  setMode(path: string, mode: number): void;
  /** Removes a file or a link (never what it leads to); `false` when nothing was there. */
  removeFile(path: string): boolean;
  /** Removes an empty directory; `false` when it is not empty, not there, or no directory. */
  removeEmptyDirectory(path: string): boolean;
  /** Removes a directory with all it holds; links in it are not followed. */
  removeTree(path: string): void;
}

/** How a file is written: its mode, and whether it must not exist yet. */
export interface WriteOptions {
  readonly mode?: number;
  readonly exclusive?: boolean;
}

/** The only source of time: a run asks it once and hands the value on. */
export type Clock = () => Date;
