/** Ends the processes that a client started. Some clients leave servers and watchers behind in their own process groups. */
import { readdirSync, readFileSync } from 'node:fs';

/** Timeout for killed processes to disappear, in milliseconds. */
const timeout = 10_000;

/**
 * Ends the process group of `pid` and, on systems with `/proc`, every process whose home is `home`, which no other process
 * uses. Returns when they are gone: a killed process stays in `/proc` for a moment, and a process that starts meanwhile is
 * found in the next iteration.
 */
export function stopAll(pid: number | undefined, home: string): void {
  if (pid !== undefined) end(-pid);
  const until = Date.now() + timeout;
  for (let left = processesOf(home); left.length > 0 && Date.now() < until; left = processesOf(home)) {
    for (const one of left) end(one);
    pause(5);
  }
}

/** Synchronous, because `exit` listeners cannot wait for a promise. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Processes whose `HOME` is `home`; empty on systems without `/proc`. */
export function processesOf(home: string): number[] {
  return pids().filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      // The process has ended or belongs to another user.
      return false;
    }
  });
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter(pid => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
