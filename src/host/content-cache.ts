import type { Stat } from './host.ts';

/** Caches contents of files from one run of a watch to the next. */
export interface ContentCache {
  readonly read: ReadContent;
  /** Begins a run. */
  readonly turn: () => void;
}

/** Reads the file at an absolute path that `stat` was found for. */
export type ReadContent = <T extends Uint8Array | undefined>(path: string, stat: Stat, read: () => T) => T;

/**
 * Clocks of file systems tick: what is written within one tick looks the same. A file is known by its times only when
 * it has rested for longer; where times are whole seconds, ticks are long.
 */
const restOf = ({ mtimeMs }: Stat): number => (mtimeMs % 1000 === 0 ? 3000 : 100);

/**
 * Reads files and keeps their contents, for runs that follow one another: a file whose size, times and place on the
 * disk are as they were is not read again. (The time of a change of its data or properties cannot be set by programs,
 * so that an edit shows whatever an editor does to the other times.) `turn` begins a run; what a run did not ask for
 * is forgotten with the next one.
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
