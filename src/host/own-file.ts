import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** Windows has neither flag. Opening a pipe must not wait for its writer. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether a file or folder belongs to this user, and nobody else can write it. Windows has no such modes. */
export const isOwn = ({ uid, mode }: Stats): boolean =>
  !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);

/**
 * Runs `work` on a cache file that is open for reading. Only a regular file that belongs to this user and
 * that nobody else can write is accepted. Returns `undefined` for any other file, and when `work` throws.
 */
export function withOwnFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, flags);
    const found = fstatSync(file);
    return found.isFile() && isOwn(found) ? work(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
