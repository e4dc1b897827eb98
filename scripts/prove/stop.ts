/** Ends what a client has started: some leave servers, watchers and hubs behind that make groups of their own. */
import { readdirSync, readFileSync } from 'node:fs';

/** Longest time to wait until processes that were ended are gone, in milliseconds. */
const patience = 10_000;

/**
 * Ends the group of `pid`, and where the system tells it every process whose home is `home`, which no one else has.
 * Returns when they are gone: a process that was sent the signal still stands in `/proc` until the system gets to it,
 * and one that is started while others are ended is found by the next look.
 */
export function stopAll(pid: number | undefined, home: string): void {
  if (pid !== undefined) end(-pid);
  const until = Date.now() + patience;
  for (let left = processesOf(home); left.length > 0 && Date.now() < until; left = processesOf(home)) {
    for (const one of left) end(one);
    pause(5);
  }
}

/** Synchronous, because the last call comes from the `exit` event, where nothing waits for a promise. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Processes in whose environment `home` is the home; nothing where there is no `/proc`. */
export function processesOf(home: string): number[] {
  return pids().filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      // It has ended, or is not ours.
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
