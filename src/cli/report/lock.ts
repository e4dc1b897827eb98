import type { Locked } from '../../project/lock.ts';
import { plural } from './files.ts';

/** The changes of the lock file, one line per source, and new executable content. */
export function lockChanges({ changes, newlyExecutable }: Locked): string {
  const lines = changes.map(({ source, before, after }) => {
    if (before === undefined) return `  added   ${source}: ${after}\n`;
    if (after === undefined) return `  dropped ${source}\n`;
    return `  moved   ${source}: ${before === after ? 'other files' : `${before} -> ${after}`}\n`;
  });
  const fresh = newlyExecutable.map(({ name, word, from }) => `  ${word} ${name} from ${from}\n`);
  return lines.join('') + (fresh.length > 0 ? `Newly executable:\n${fresh.join('')}` : '');
}

/** The same, and the state of the lock file. */
export function lockText(locked: Locked): string {
  const hasFresh = locked.newlyExecutable.length > 0;
  const open =
    hasFresh && !locked.accepted
      ? 'None of this is recorded, and nothing compiles with it: read what it does, then run `prs lock` yourself.\n'
      : '';
  return `${lockChanges(locked)}${lastLine(locked.changes.length, locked.rewritten, hasFresh)}${open}`;
}

function lastLine(changes: number, rewritten: boolean, hasFresh: boolean): string {
  if (changes > 0) return `instr.lock: ${plural(changes, 'source')} changed.\n`;
  if (!rewritten) return 'instr.lock is up to date.\n';
  return hasFresh
    ? 'instr.lock records what is newly executable; it pins what it pinned before.\n'
    : 'instr.lock was written anew; it pins what it pinned before.\n';
}
