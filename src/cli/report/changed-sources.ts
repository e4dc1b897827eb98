import type { FormatOutcome } from '../../project/format-sources.ts';
import type { UpgradeOutcome } from '../../project/move-in/upgrade.ts';
import { plural } from './files.ts';
import { createdData } from './made.ts';

/** The JSON members of `format` and `upgrade`. */
export const changedSourcesData = ({ files }: FormatOutcome | UpgradeOutcome): Record<string, unknown> => ({
  files: files.map(file => createdData({ ...file, state: 'changed' })),
});

/** The files whose layout changed or would change. */
export function formatText({ files, checked }: FormatOutcome, check: boolean): string {
  const lines = files.map(({ path }) => `  ${check ? 'would change' : 'changed'} ${path}\n`);
  return lines.join('') + countLine(checked, files.length, check);
}

/** The changes in each file. */
export function upgradeText({ files, checked }: UpgradeOutcome, dryRun: boolean): string {
  const lines = files.flatMap(({ path, from, to, changes }) => [
    `  ${dryRun ? 'would change' : 'changed'} ${path}${from === undefined ? '' : ` (${from} -> ${to})`}\n`,
    ...changes.map(change => `    ${change}\n`),
  ]);
  return lines.join('') + countLine(checked, files.length, dryRun);
}

const countLine = (checked: number, changed: number, isDry: boolean): string =>
  `${plural(checked, 'source file')} checked, ${changed} ${isDry ? 'to change' : 'changed'}.\n`;
