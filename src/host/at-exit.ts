/** How to undo what must not outlive this process, the oldest first. */
const unfinished = new Set<() => void>();

function undoAll(): void {
  for (const undo of [...unfinished].reverse()) undo();
}

/** A terminal that is closed ends the program without a word; with work to undo, it ends like one that is stopped. */
const hangUp = (): never => process.exit(130);

/**
 * Calls `undo` when the process ends, by itself, stopped by the user, or by a bug, before the returned function was
 * called. `undo` has to be done when it returns, and must not throw.
 */
export function untilExit(undo: () => void): () => void {
  if (unfinished.size === 0) process.once('exit', undoAll).once('SIGHUP', hangUp);
  unfinished.add(undo);
  return () => {
    if (unfinished.delete(undo) && unfinished.size === 0) process.off('exit', undoAll).off('SIGHUP', hangUp);
  };
}
