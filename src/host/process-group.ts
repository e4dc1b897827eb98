/**
 * Finds the processes that a library starts on our behalf, and ends them with all that they started themselves. The
 * library for git hands out no process and knows no groups; Node announces every process before it is started.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/** A process that Node has announced; `spawn` is what starts it. */
type Announced = ChildProcess & { spawn(options: SpawnOptions): unknown };

const hasGroups = process.platform !== 'win32';

type Watcher = (child: ChildProcess) => void;

let watchers: AsyncLocalStorage<Watcher> | undefined;

/** Where the watcher of a piece of work is kept; made when the first one is watched. */
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
 * Does work, and hands every process that it starts to `watcher`, before the process runs. Each leads a group of its
 * own, to which belongs what it starts. Processes that others start meanwhile are left as they are.
 */
export const watchProcesses = <T>(watcher: Watcher, work: () => Promise<T>): Promise<T> =>
  watching().run(watcher, work);

/** Stops a process that was watched, and its group; what is left of the group also when the process has ended. */
export function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, 'SIGTERM');
    else child.kill();
  } catch {
    // The process has ended meanwhile.
  }
}
