import { hostname as hostName } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { HostError, type WritableDisk } from './host.ts';

/** How a lock of a project is taken. */
export interface LockOptions {
  /** Milliseconds to wait for another holder. */
  readonly wait: number;
}

/** A lock that was not free in time; `holder` is the number of the process that has it, when that is known. */
export class LockBusy extends Error {
  readonly holder: number | undefined;

  constructor(holder: number | undefined) {
    super('the lock is held by another process');
    this.name = 'LockBusy';
    this.holder = holder;
  }
}

/** A holder that shows no sign for so long is taken for dead even when its number is in use again. */
const abandonedAfter = 10 * 60_000;
/** Breaking a lock takes a moment; a breaker that is older was killed meanwhile. */
const breakerAbandonedAfter = 5_000;

/** The clock of a file server may be ahead by so many milliseconds. */
const clockSkew = 60_000;

/** Locks that this process holds. */
const held = new Set<string>();

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `body` while no other process that asks for the same lock does. The lock is a file that says who holds it;
 * that of a dead process is broken. Throws `LockBusy` when it does not become free in time.
 */
export async function withLock<T>(
  disk: WritableDisk,
  path: string,
  { wait }: LockOptions,
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
  dropLeftovers(disk, path);
  try {
    return await body();
  } finally {
    // What was done is done, also when the lock cannot be removed: the next run finds that nobody holds it.
    held.delete(path);
    if (!dropQuietly(disk, path)) dropQuietly(disk, path);
  }
}

/** Removes a file of ours; one that stays behind is swept up by a later run. */
function dropQuietly(disk: WritableDisk, path: string): boolean {
  try {
    disk.removeFile(path);
    return true;
  } catch (error) {
    if (error instanceof HostError) return false;
    throw error;
  }
}

/** The lock appears with its text in one step: written aside, then linked to its name. */
function take(disk: WritableDisk, path: string, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  const aside = `${path}.${process.pid}`;
  try {
    disk.removeFile(aside);
    disk.writeBytes(aside, bytes, { exclusive: true });
    try {
      disk.link(aside, path);
    } catch (error) {
      if (isTaken(error)) return false;
      // Some file systems know no second names; there the exclusive write has to do.
      disk.writeBytes(path, bytes, { exclusive: true });
    }
    return true;
  } catch (error) {
    if (isTaken(error) || isGoing(error, path)) return false;
    throw error;
  } finally {
    dropQuietly(disk, aside);
  }
}

/** Processes that were killed while they asked for the lock leave the file they wrote aside. */
function dropLeftovers(disk: WritableDisk, path: string): void {
  for (const { name } of disk.list(dirname(path)) ?? []) {
    const pid = name.startsWith(`${basename(path)}.`)
      ? Number(name.slice(basename(path).length + 1))
      : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) dropQuietly(disk, join(dirname(path), name));
  }
}

const isTaken = (error: unknown) => error instanceof HostError && error.code === 'EEXIST';

/** On Windows the name of a file that was removed is free when the last who has it open lets go of it. */
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

/** Only one process at a time breaks locks, so that none removes the lock of the one that was faster. */
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

/** Milliseconds since a lock was taken. One from the future counts as old: its time was not set by a process that waits. */
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
    // EPERM: it lives, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
