import type { Stat } from './host.ts';

/** Caches file contents between the runs of a watch. */
export interface ContentCache {
  readonly read: ReadContent;
  /** Starts a run. */
  readonly turn: () => void;
}

/** Reads the file at an absolute path, given its current `stat`. */
export type ReadContent = <T extends Uint8Array | undefined>(path: string, stat: Stat, read: () => T) => T;

/**
 * File system times have a limited resolution: two writes within one tick look the same. A content is cached
 * only when the file has not changed for longer than a tick. File systems with times in whole seconds have
 * long ticks.
 */
const restOf = ({ mtimeMs }: Stat): number => (mtimeMs % 1000 === 0 ? 3000 : 100);

/**
 * Creates a cache of file contents for consecutive runs. A file is read again when its size, times or inode
 * change. (Programs cannot set the ctime, so an edit is noticed whatever an editor does to the other times.)
 * `turn` starts a run; contents that a run did not use are dropped at the start of the next one.
 */
export function createContentCache(now: () => number = Date.now): ContentCache {
  let before = new Map<string, { stat: Stat; bytes: Uint8Array | undefined }>();
  let current: typeof before = new Map();
  return {
    read<T extends Uint8Array | undefined>(path: string, stat: Stat, read: () => T): T {
      const known = current.get(path) ?? before.get(path);
      if (known && isSame(known.stat, stat)) {
        current.set(path, known);
        return known.bytes as T;
      }
      const time = now();
      const bytes = read();
      const changed = Math.max(stat.mtimeMs, stat.identity?.ctimeMs ?? Infinity);
      if (changed + restOf(stat) < time) current.set(path, { stat, bytes });
      return bytes;
    },
    turn() {
      before = current;
      current = new Map();
    },
  };
}

const isSame = (a: Stat, b: Stat): boolean =>
  a.size === b.size &&
  a.mtimeMs === b.mtimeMs &&
  a.identity?.inode === b.identity?.inode &&
  a.identity?.ctimeMs === b.identity?.ctimeMs;
