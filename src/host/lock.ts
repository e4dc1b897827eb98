import { hostname as hostName } from 'node:os';
import { HostError, ignoreHostErrors, type WritableDisk } from './host.ts';

/** The lock was not free in time. `holder` is the id of the process that holds it, if known. */
export class LockBusy extends Error {
  readonly holder: number | undefined;

  constructor(holder: number | undefined) {
    super('the lock is held by another process');
    this.name = 'LockBusy';
    this.holder = holder;
  }
}

/** A lock that was not renewed for this time is broken, even when a process with its id exists. */
const abandonedAfter = 10 * 60_000;
/** Breaking a lock takes a moment; if the marker of a breaking process is older, that process was killed. */
const breakerAbandonedAfter = 5_000;

/** Milliseconds that the clock of a file server may be ahead. */
const clockSkew = 60_000;

/** Locks that this process holds. */
const held = new Set<string>();

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `body` while this process holds a lock that excludes other processes. The lock is a file that names
 * its holder; the lock of a dead process is broken. Throws `LockBusy` when the lock is not free within `wait`
 * milliseconds.
 */
export async function withLock<T>(
  disk: WritableDisk,
  path: string,
  wait: number,
  body: () => T | Promise<T>,
): Promise<T> {
  const mine = `${JSON.stringify({ pid: process.pid, host: hostName() })}\n`;
  const end = Date.now() + wait;
  for (let pause = 2; !take(disk, path, mine); pause = Math.min(pause * 2, 50)) {
    if (breakAbandoned(disk, path)) continue;
    if (Date.now() >= end) throw new LockBusy(holderOf(disk, path)?.pid);
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  held.add(path);
  try {
    return await body();
  } finally {
    // The work is done even when the lock file cannot be removed: the next run detects that nobody holds it.
    held.delete(path);
    dropQuietly(disk, path);
  }
}

const dropQuietly = (disk: WritableDisk, path: string) => ignoreHostErrors(() => disk.removeFile(path));

/** Creates the lock file. If this process is killed before the file has its content, it counts as abandoned. */
function take(disk: WritableDisk, path: string, text: string): boolean {
  try {
    disk.writeBytes(path, new TextEncoder().encode(text), { exclusive: true });
    return true;
  } catch (error) {
    if (isTaken(error) || isGoing(error, path)) return false;
    dropQuietly(disk, path);
    throw error;
  }
}

const isTaken = (error: unknown) => error instanceof HostError && error.code === 'EEXIST';

/** On Windows the name of a removed file is free only after all programs have closed it. */
const isGoing = (error: unknown, path: string) =>
  process.platform === 'win32' &&
  error instanceof HostError &&
  error.path === path &&
  ['EACCES', 'EBUSY', 'EPERM'].includes(error.code);

function holderOf(disk: WritableDisk, path: string): Holder | undefined {
  try {
    const holder = JSON.parse(new TextDecoder().decode(disk.readBytes(path))) as Holder;
    return typeof holder.pid === 'number' && typeof holder.host === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Only one process at a time breaks locks, so that no process removes the new lock of a faster one. */
function breakAbandoned(disk: WritableDisk, path: string): boolean {
  if (!isAbandoned(disk, path)) return false;
  const breaker = `${path}.break`;
  const since = ageOf(disk, breaker);
  if (since !== undefined && since > breakerAbandonedAfter) disk.removeFile(breaker);
  try {
    disk.writeBytes(breaker, new Uint8Array(), { exclusive: true });
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
  try {
    if (isAbandoned(disk, path)) disk.removeFile(path);
  } finally {
    disk.removeFile(breaker);
  }
  return true;
}

function isAbandoned(disk: WritableDisk, path: string): boolean {
  const age = ageOf(disk, path);
  if (age === undefined) return false;
  if (age > abandonedAfter) return true;
  const holder = holderOf(disk, path);
  if (!holder) return age > breakerAbandonedAfter;
  if (holder.host !== hostName()) return false;
  return holder.pid === process.pid ? !held.has(path) : !isAlive(holder.pid);
}

/**
 * The age of a lock in milliseconds. A lock from the future counts as old: no waiting process has set its
 * time.
 */
function ageOf(disk: WritableDisk, path: string): number | undefined {
  const found = disk.lstat(path);
  if (!found) return undefined;
  if (found.kind !== 'file') throw new HostError(`${path} is no regular file.`, path, 'EINVAL');
  const age = Date.now() - found.mtimeMs;
  return age < -clockSkew ? Number.POSITIVE_INFINITY : age;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
