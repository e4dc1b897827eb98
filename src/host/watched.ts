import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { WritableDisk } from './host.ts';
import { type Look, type Looks, lookAgain } from './looks.ts';
import { askedOutside } from './outside.ts';

/** A record of everything that a run reads. */
export interface Watched {
  readonly disk: WritableDisk;
  readonly environment: NodeJS.ProcessEnv;
  /** The paths that were looked at, by how; `undefined` when the run wrote, or asked for what no look answers. */
  looks(): Readonly<Record<Look, ReadonlySet<string>>> | undefined;
}

/**
 * Wraps the disk and the environment and records everything that is asked of them. Values of variables that go into
 * outputs may be secret, and are kept nowhere: a run that asks for others than the `known` ones gets no stamp.
 */
export function watchReading(
  below: WritableDisk,
  variables: NodeJS.ProcessEnv,
  known: ReadonlySet<PropertyKey>,
): Watched {
  const looks: Readonly<Record<Look, Set<string>>> = {
    kind: new Set(),
    entry: new Set(),
    names: new Set(),
    place: new Set(),
  };
  let isCovered = true;
  const note = (path: string, how: Look) => {
    if (isCovered) looks[how].add(path);
  };
  // Every method that is not listed below writes.
  const disk = Object.fromEntries(
    Object.entries(below).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        isCovered = false;
        return (method as (...all: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as WritableDisk;
  return {
    disk: {
      ...disk,
      readBytes(path, size, place) {
        note(path, 'entry');
        return below.readBytes(path, size, place);
      },
      stat(path) {
        note(path, 'kind');
        return below.stat(path);
      },
      lstat(path) {
        note(path, 'kind');
        return below.lstat(path);
      },
      list(path) {
        note(path, 'names');
        return below.list(path);
      },
      realpath(path) {
        note(path, 'kind');
        note(path, 'place');
        return below.realpath(path);
      },
      readLink(path) {
        note(path, 'kind');
        return below.readLink(path);
      },
    },
    environment: new Proxy(variables, {
      get(target, name) {
        if (!known.has(name)) isCovered = false;
        return target[name as string];
      },
      has(target, name) {
        if (!known.has(name)) isCovered = false;
        return name in target;
      },
      ownKeys(target) {
        isCovered = false;
        return Reflect.ownKeys(target);
      },
    }),
    looks: () => (isCovered && askedOutside().size === 0 ? looks : undefined),
  };
}

/**
 * Types of file systems, as `statfs` numbers them, that only this machine writes: ext, XFS, Btrfs, tmpfs, overlay,
 * ZFS, F2FS, Bcachefs.
 */
const ownDisks: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/**
 * Whether only this machine can write to a disk. On a shared one `lstat` may be older than the content. The numbers
 * of macOS change; the disk that its temporary files lie on is its own.
 */
function isOwnDisk(path: string, disk: number): boolean {
  if (process.platform === 'linux') return ownDisks.has(statfsSync(path).type);
  return process.platform === 'darwin' && statSync('/private/var/tmp').dev === disk;
}

/** Whether the clock was set while this process ran: then times of before and after cannot be compared. */
const wasClockSet = (): boolean => Math.abs(performance.timeOrigin + performance.now() - Date.now()) > 500;

/** Milliseconds for which a file must have been unchanged: a later change may not show in its times. */
const margin = 2000;

/**
 * Leaves a file that says what a run saw below its root, for `stillStand`: the text that `print` makes of its looks, at `path`.
 * Every file must have been left alone since before the run, by the clock of the disk that it lies on: then what is
 * there now is what was read. Where that is in doubt, or the file cannot be written, there is none.
 */
export function leaveLooks(
  root: string,
  path: string,
  watched: Watched,
  print: (looks: Looks) => string,
): void {
  const read = watched.looks();
  if (!read || wasClockSet()) return;
  const folder = dirname(join(root, path));
  const draft = join(root, `${path}.${process.pid}`);
  let file: number | undefined;
  try {
    file = openSync(draft, 'wx', 0o600);
    const { mtimeMs, dev } = fstatSync(file);
    const looks = looksBelow(root, folder, read);
    const began = mtimeMs - process.uptime() * 1000 - margin;
    // What was read and then taken from the root would look as if it had never been there.
    const isWhole = lstatSync(root).mtimeMs < began;
    if (looks && isWhole && isOwnDisk(draft, dev) && areOld(looks, dev, began)) {
      writeSync(file, print(looks));
      renameSync(draft, join(root, path));
    } else unlinkSync(draft);
  } catch {
    // It only saves time. What is left of it is no harm: a draft is never read.
    if (file !== undefined) remove(draft);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Removing it failed because it is gone.
  }
}

/** What is to be looked at, and what is there now; `undefined` when something lies outside of the root. */
function looksBelow(
  root: string,
  own: string,
  read: ReturnType<Watched['looks']> & object,
): Looks | undefined {
  const looks = new Map<string, Set<Look>>();
  const add = (path: string, how: Look) => looks.set(path, (looks.get(path) ?? new Set()).add(how));
  for (const how of Object.keys(read) as Look[]) {
    for (const path of read[how]) {
      // A look at the content or the listing implies one at the kind of the path.
      if (how === 'kind' && (read.entry.has(path) || read.names.has(path))) continue;
      if (path !== root && !path.startsWith(root + sep)) return undefined;
      const free =
        read.place.has(path) || lstatSync(path, { throwIfNoEntry: false })
          ? undefined
          : folderOf(path, root, own);
      if (free !== undefined) add(free, 'names');
      else add(relative(root, path) || '.', how);
    }
  }
  return [...looks].flatMap(([path, hows]) =>
    [...hows]
      // The names of a folder are also looked at for what is not in it.
      .filter(how => how !== 'kind' || !(hows.has('entry') || hows.has('names')))
      .map(how => [path, how, ...lookAgain(join(root, path), how)] as const),
  );
}

/**
 * The folder below the root whose names say that nothing is at a path: one look for all that it lacks. The root gets files of
 * all kinds, and the folder `own` these very looks; there every path is looked at.
 */
function folderOf(path: string, root: string, own: string): string | undefined {
  const folder = dirname(path);
  if (folder === root || folder === own) return undefined;
  if (!lstatSync(folder, { throwIfNoEntry: false })) return folderOf(folder, root, own);
  return relative(root, folder);
}

/**
 * Whether the contents and the place of everything last changed before a time, by the clock of one disk that can tell
 * two changes within a second.
 */
function areOld(looks: Looks, disk: number, time: number): boolean {
  const facts = looks.flatMap(([, how, ...answer]) =>
    how === 'place' || answer.length < 6 ? [] : [answer.slice(0, 6), answer.slice(6)],
  ) as number[][];
  return (
    facts.every(([dev = disk, , , , mtime = 0, ctime = 0]) => dev === disk && mtime < time && ctime < time) &&
    facts.some(([, , , , , ctime = 0]) => ctime % 1000 !== 0)
  );
}
