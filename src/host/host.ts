/**
 * The only door to disk, network, git, clock, watcher and terminal.
 * Disk access is synchronous: for the many small files of a project it is the fastest way, and a run
 * cannot be interleaved with another one in the same process.
 */
export interface Disk {
  /** Bytes of a regular file, or `undefined` when nothing is there. Other failures throw `HostError`. */
  readBytes(path: string): Uint8Array | undefined;
  /** Follows links. */
  stat(path: string): Stat | undefined;
  /** Does not follow links. */
  lstat(path: string): Stat | undefined;
  /** Names in a directory, sorted by code unit; `undefined` when it is no directory. */
  list(path: string): readonly DirEntry[] | undefined;
  /** The path with all links resolved; `undefined` when nothing is there. */
  realpath(path: string): string | undefined;
}

export interface Stat {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly size: number;
  readonly executable: boolean;
  readonly mtimeMs: number;
  readonly mode: number;
}

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
