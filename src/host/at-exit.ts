const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleanup functions to call when this process ends, the oldest first. */
const unfinished = new Set<() => void>();

/** The number of waits in progress; signals are handled only while there are any. */
let waits = 0;

function undoAll(): void {
  for (const undo of [...unfinished].reverse()) undo();
  unfinished.clear();
}

/** Runs all cleanup functions, then ends the process with the default effect of the signal. */
function stop(signal: NodeJS.Signals): void {
  undoAll();
  for (const name of signals) process.off(name, stop);
  process.kill(process.pid, signal);
}

/**
 * Calls `undo` when the process ends before the returned function was called. `undo` must be synchronous and
 * must not throw. A signal calls it only during a wait (`withCleanup`).
 */
export function onExit(undo: () => void): () => void {
  if (unfinished.size === 0) process.once('exit', undoAll);
  unfinished.add(undo);
  return () => {
    if (unfinished.delete(undo) && unfinished.size === 0) process.off('exit', undoAll);
  };
}

/**
 * Runs asynchronous work. Calls `undo` when it ends, or when the process exits or gets a signal before. Use
 * it only for work that waits for something external: signal handlers run when the event loop is free, so a
 * handler that is installed during synchronous work would delay the end of the process.
 */
export async function withCleanup<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const done = onExit(undo);
  if (waits === 0) for (const name of signals) process.on(name, stop);
  waits += 1;
  try {
    return await work();
  } finally {
    waits -= 1;
    if (waits === 0) for (const name of signals) process.off(name, stop);
    done();
  }
}
