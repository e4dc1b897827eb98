import { failureCode } from './failure.ts';

/** Error codes of Windows for a file that another program has open, or that is deleted but not yet closed. */
const busy = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Milliseconds between attempts: two seconds in total. */
const pauses = [10, 20, 50, 100, 200, 300, 400, 400, 520];

/**
 * Runs an operation on a file that another program may have open. On Windows an open file can neither be
 * replaced nor removed, and virus scanners, search indexers and editors open new files for a moment, so the
 * operation is retried there for two seconds. Other systems need no retry. Throws the error of the last
 * attempt.
 */
export function retryWhileBusy<T>(
  action: () => T,
  platform: NodeJS.Platform = process.platform,
  wait: (milliseconds: number) => void = sleep,
): T {
  if (platform !== 'win32') return action();
  for (const pause of pauses) {
    try {
      return action();
    } catch (error) {
      if (!busy.has(failureCode(error))) throw error;
      wait(pause);
    }
  }
  return action();
}

/** Blocks the thread, because files are written synchronously. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
