import { failureCode } from './failure.ts';

/**
 * Error codes of Windows for a file that is open in another program, or that is removed as soon as it is closed
 * there.
 */
const busy = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Milliseconds between attempts: two seconds in all. */
const pauses = [10, 20, 50, 100, 200, 300, 400, 400, 520];

/**
 * Does something to a file that another program may have open just now. On Windows an open file can neither be
 * replaced nor removed, and scanners for viruses, search indexes and editors open what was just written for a moment:
 * there it is tried again for two seconds. Other systems replace and remove open files. Throws the error of the last
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

/** Blocks for a while: files are written synchronously, one by one. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
