import { HostError } from './host.ts';

/** Explanations of error codes of the operating system, which complete the sentence "<path> …". */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'cannot be used: the permissions do not allow it',
  EAGAIN: 'cannot be read: it waits for another program, as a device does',
  ERR_ACCESS_DENIED:
    "cannot be used: Node's permission model does not allow it (`--allow-fs-read`, `--allow-fs-write`)",
  EBUSY: 'is in use by another program',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EEXIST: 'exists already',
  EFBIG: 'is larger than the system allows',
  EINVAL: 'has a name that the file system does not take',
  EIO: 'cannot be used: the disk reported an error',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'goes through symbolic links that lead in a circle',
  EMFILE: 'cannot be opened: too many files are open',
  ENAMETOOLONG: 'has a name that is too long for the file system',
  ENFILE: 'cannot be opened: too many files are open on this system',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written: the disk is full',
  ENOTDIR: 'cannot be reached: a part of the path is a file, not a folder',
  ENOTEMPTY: 'is a folder that is not empty',
  ENXIO: 'is a pipe, a socket or a device, not a file',
  EPERM: 'cannot be changed: the system does not allow it',
  EROFS: 'cannot be written: the file system is read-only',
  EXDEV: 'is on another file system',
};

/** On Windows these codes can also mean that another program has the file open. */
const onWindows: typeof meanings = {
  EACCES: 'cannot be used: another program has it open, or the permissions do not allow it',
  EPERM: 'cannot be changed: another program has it open, or the permissions do not allow it',
};

/** The error code of a system error; empty for any other value. */
export function failureCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/**
 * Converts an error of a call on `path` to a `HostError`. Any other error is a bug and is returned unchanged.
 */
export function hostError(error: unknown, path: string): unknown {
  if (error instanceof HostError) return error;
  const code = failureCode(error);
  if (!code) return error;
  const meaning = (process.platform === 'win32' && onWindows[code]) || meanings[code];
  return new HostError(`${path} ${meaning ?? `cannot be used (${code})`}.`, path, code);
}
