import { createContentCache } from '../host/content-cache.ts';
import type { Stat, WritableDisk } from '../host/host.ts';
import { interceptReads, type Question, questions } from '../host/intercept-reads.ts';
import { sameData } from '../text/equal.ts';

/** A question to the disk, and what it said. */
export interface Look {
  readonly method: Question;
  /** Absolute. */
  readonly path: string;
  readonly answer: unknown;
  /** Of a file or folder only what kind it is was looked at: its size and times may change. */
  kindOnly?: boolean;
}

/**
 * What a session reads: answers of the disk, each kept until the session is told that something changed. `revision`
 * counts those messages: what was derived at the same revision still stands.
 */
export interface Inputs {
  readonly revision: number;
  /** The disk as a step sees it, with every look handed to `look`. Failures are given to `fail`, and thrown. */
  observed(look: (look: Look) => void, fail: () => void): WritableDisk;
  /** The disk as it is at every moment, with looks handed to `look`. */
  noted(look: (look: Look) => void): WritableDisk;
  /** Whether the disk still says what it said. */
  stands(look: Look): boolean;
  /** Absolute paths that changed, with all that is below them; absent: anything may have. */
  change(paths?: Iterable<string>): void;
}

/** Inputs of a session that is used once: they do not change, so that no look has to be recorded. */
export const fixedInputs = (disk: WritableDisk): Inputs => ({
  revision: 0,
  observed: () => disk,
  noted: () => disk,
  stands: () => true,
  change: () => {},
});

/** Inputs that change. Contents of files are not read again while their size, times and place on the disk stand. */
export function changingInputs(disk: WritableDisk): Inputs {
  let revision = 0;
  const answers = new Map<Question, Map<string, unknown>>(questions.map(method => [method, new Map()]));
  const contents = createContentCache();

  const readBytes = (path: string): unknown => {
    const stat = disk.stat(path);
    if (stat?.kind !== 'file' || !stat.identity) return disk.readBytes(path);
    return contents.read(path, stat, () => disk.readBytes(path, stat.size));
  };
  const ask = (method: Question, path: string): unknown => {
    const known = answers.get(method)!;
    if (known.has(path)) return known.get(path);
    const answer = method === 'readBytes' ? readBytes(path) : disk[method](path);
    known.set(path, answer);
    return answer;
  };

  return {
    get revision() {
      return revision;
    },
    observed: (look, fail) =>
      interceptReads(disk, (method, path) => {
        try {
          const answer = ask(method, path);
          const one: Look = { method, path, answer };
          look(one);
          return (method === 'stat' || method === 'lstat') && answer ? watched(answer as Stat, one) : answer;
        } catch (error) {
          fail();
          throw error;
        }
      }),
    noted: look =>
      interceptReads(disk, (method, path, size) => {
        const answer = method === 'readBytes' ? disk.readBytes(path, size) : disk[method](path);
        look({ method, path, answer });
        return answer;
      }),
    stands: ({ method, path, answer, kindOnly }) => {
      try {
        const now = ask(method, path);
        if (now === answer) return true;
        if (kindOnly) return (now as Stat | undefined)?.kind === (answer as Stat).kind;
        if (!sameData(now, answer)) return false;
        // Keeps the object, so that the next comparison is one of identity.
        answers.get(method)!.set(path, answer);
        return true;
      } catch {
        return false;
      }
    },
    change: paths => {
      revision++;
      if (!paths) contents.turn();
      const changed = paths && [...paths];
      for (const known of answers.values()) {
        if (changed) forget(known, changed);
        else known.clear();
      }
    },
  };
}

/** The same `stat`, which marks in its look whether anything but the kind is read. */
function watched(stat: Stat, look: Look): Stat {
  look.kindOnly = true;
  const parts = Object.entries(stat).map(([name, value]) => {
    const get = () => {
      if (name !== 'kind') look.kindOnly = false;
      return value;
    };
    return [name, { get, enumerable: true }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(parts)) as Stat;
}

/** Forgets what was said about the paths, what is below them, and the folders above, whose lists may name them. */
function forget(answers: Map<string, unknown>, paths: readonly string[]): void {
  const related = (path: string, changed: string) =>
    path === changed || isBelow(path, changed) || isBelow(changed, path);
  for (const path of answers.keys()) if (paths.some(changed => related(path, changed))) answers.delete(path);
}

const isBelow = (path: string, folder: string): boolean =>
  path.length > folder.length &&
  path.startsWith(folder) &&
  (/[\\/]$/.test(folder) || '/\\'.includes(path[folder.length]!));

/** Absolute paths that were looked at, whether something was there or not. */
export interface Looked {
  readonly files: Set<string>;
  readonly directories: Set<string>;
}

/** Notes a look: a watcher has to know which changes matter. */
export function noteLook({ files, directories }: Looked, { method, path }: Look): void {
  if (method === 'list') directories.add(path);
  else if (method !== 'realpath' && method !== 'readLink') files.add(path);
}
