/**
 * Finds the processes that a library starts, in order to end them with all of their children. The Git library
 * gives no access to its processes and does not support process groups, but Node announces every process
 * before it is started.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/** A process that Node announces before it calls `spawn`. */
type Announced = ChildProcess & { spawn(options: SpawnOptions): unknown };

const hasGroups = process.platform !== 'win32';

type Watcher = (child: ChildProcess) => void;

let watchers: AsyncLocalStorage<Watcher> | undefined;

/** The storage of the current watcher, created on first use. */
function watching(): AsyncLocalStorage<Watcher> {
  if (watchers) return watchers;
  const made = new AsyncLocalStorage<Watcher>();
  subscribe('child_process', message => {
    const watcher = made.getStore();
    if (!watcher) return;
    const { process: child } = message as { process: Announced };
    const { spawn } = child;
    child.spawn = options => spawn.call(child, { ...options, detached: hasGroups });
    watcher(child);
  });
  watchers = made;
  return made;
}

/**
 * Runs `work` and passes every process that it starts to `watcher` before the process runs. Each process
 * leads a process group of its own. Processes started by other code are not affected.
 */
export const watchProcesses = <T>(watcher: Watcher, work: () => Promise<T>): Promise<T> =>
  watching().run(watcher, work);

/**
 * Ends a watched process and its group. The rest of the group is also ended when the process itself has
 * already exited.
 */
export function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, 'SIGTERM');
    else child.kill();
  } catch {
    // The process has exited in the meantime.
  }
}
