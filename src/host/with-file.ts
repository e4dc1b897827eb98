import { closeSync, openSync } from 'node:fs';

/** What `work` makes of a file that is open for reading; `undefined` when it cannot be opened, or the work throws. */
export function withFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    return work(file);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
