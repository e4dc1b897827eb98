import { randomBytes } from 'node:crypto';
import { fstatSync, linkSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeDisk } from './disk.ts';
import { failureCode } from './failure.ts';
import { userFolders } from './home.ts';
import { ignoreHostErrors } from './host.ts';
import { withOwnFile } from './own-file.ts';

const length = 32;

/** The path of the user's secret, in the state folder of the platform. */
export const secretPath = (environment: NodeJS.ProcessEnv): string =>
  join(userFolders(environment).state, 'secret');

/**
 * The secret of this user on this machine, which proves that state was written by this user. With `create`, a
 * missing secret is created. Returns `undefined` when there is none that only this user can read, or when it
 * cannot be stored.
 */
export function userSecret(path: string, create: boolean): Uint8Array | undefined {
  const secret = read(path);
  if (secret || !create || exists(path)) return secret;
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    makeFolder(dirname(path));
    writeSecret(draft);
    // A hard link to an existing name fails, so of two processes one creates the secret and both read the
    // same.
    linkSync(draft, path);
  } catch (error) {
    if (isWithoutHardLinks(error)) ignoreHostErrors(() => writeSecret(path));
  } finally {
    ignoreHostErrors(() => nodeDisk.removeFile(draft));
  }
  return read(path);
}

/**
 * Creates folders one by one: the recursive call of Node hangs where the system refuses to create a folder,
 * as in `/proc`.
 */
function makeFolder(path: string): void {
  if (exists(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (failureCode(error) !== 'EEXIST') throw error;
  }
}

const isWithoutHardLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(failureCode(error));

const writeSecret = (path: string): void =>
  nodeDisk.writeBytes(path, randomBytes(length), { exclusive: true, mode: 0o600 });

/** A file that others can read is not secret. Windows has no such modes. */
const read = (path: string): Uint8Array | undefined =>
  withOwnFile(path, file => {
    const { size, mode } = fstatSync(file);
    const isSecret = !process.getuid || (mode & 0o077) === 0;
    return size === length && isSecret ? readFileSync(file) : undefined;
  });

const exists = (path: string): boolean => ignoreHostErrors(() => nodeDisk.lstat(path)) !== undefined;
