import type { Locked } from '../../project/lock.ts';
import { plural } from './files.ts';

/** What changed in the lock, one line for each source. */
export function lockText({ changes, rewritten }: Locked): string {
  if (changes.length === 0)
    return rewritten
      ? 'instr.lock was written anew; it pins what it pinned before.\n'
      : 'instr.lock is up to date.\n';
  const lines = changes.map(({ source, before, after }) => {
    if (before === undefined) return `  added   ${source}: ${after}\n`;
    if (after === undefined) return `  dropped ${source}\n`;
    return `  moved   ${source}: ${before === after ? 'other files' : `${before} -> ${after}`}\n`;
  });
  return `${lines.join('')}instr.lock: ${plural(changes.length, 'source')} changed.\n`;
}
