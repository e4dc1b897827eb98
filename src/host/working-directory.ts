import { resolve } from 'node:path';

/** The absolute form of a path; `undefined` when it is relative to a present directory that is gone. */
export function absolutePath(path: string): string | undefined {
  try {
    return resolve(path);
  } catch {
    return undefined;
  }
}
