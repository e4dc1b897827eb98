const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What must not outlive this process, the oldest first. */
const unfinished = new Set<() => void>();

/** How many of these belong to a wait, during which signals are handled. */
let waits = 0;

function undoAll(): void {
  for (const undo of [...unfinished].reverse()) undo();
  unfinished.clear();
}

/** Undoes what is unfinished, then ends the process in the way that the signal ends one without a handler. */
function stop(signal: NodeJS.Signals): void {
  undoAll();
  for (const name of signals) process.off(name, stop);
  process.kill(process.pid, signal);
}

/**
 * Calls `undo` when the process ends before the returned function was called. `undo` is synchronous and must not throw.
 * A signal calls it only while something waits, see `whileWaiting`.
 */
export function onExit(undo: () => void): () => void {
  if (unfinished.size === 0) process.once('exit', undoAll);
  unfinished.add(undo);
  return () => {
    if (unfinished.delete(undo) && unfinished.size === 0) process.off('exit', undoAll);
  };
}

/**
 * Does asynchronous work that `undo` cleans up when the process is stopped by a signal meanwhile, or exits. Only for work
 * that waits for something outside: a handler runs when the event loop is free, so that one which is installed during
 * synchronous work would keep the signal from ending the process at once.
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
