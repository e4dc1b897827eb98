import { resolve } from 'node:path';

/** The absolute form of a path; `undefined` for a relative path when the working directory was removed. */
export function absolutePath(path: string): string | undefined {
  try {
    return resolve(path);
  } catch {
    return undefined;
  }
}
