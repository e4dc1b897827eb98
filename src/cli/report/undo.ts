import type { UndoOutcome } from '../../project/write/undo.ts';
import { fileData, plural } from './files.ts';

/** The JSON members of `undo`. */
export const undoData = ({ entries }: UndoOutcome): Record<string, unknown> => ({
  files: entries.map(fileData),
});

/** What was reverted. */
export function undoText({ entries, time }: UndoOutcome): string {
  const lines = entries
    .filter(({ action }) => action !== 'keep')
    .map(
      ({ action, path, before }) =>
        `  ${action === 'delete' ? 'removed ' : before ? 'restored' : 'brought back'} ${path}\n`,
    );
  const when = time === undefined ? '' : ` of ${time.slice(0, 19).replace('T', ' ')} UTC`;
  const count = lines.length === 0 ? '' : `: ${plural(lines.length, 'file')}`;
  return `${lines.join('')}Took back the run${when}${count}.\n`;
}
