/** Ends what a client has started: some leave servers, watchers and hubs behind that make groups of their own. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ends the group of `pid`, and where the system tells it every process whose home is `home`, which no one else has. */
export function stopAll(pid: number | undefined, home: string): void {
  if (pid !== undefined) end(-pid);
  // One that is started while others are ended is found the second time.
  for (let round = 0; round < 3; round++) {
    const left = processesOf(home);
    if (left.length === 0) return;
    for (const one of left) end(one);
  }
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
