import type { Ejected } from '../../project/eject.ts';
import { fewNames } from '../../text/names.ts';
import { plural } from './files.ts';

/** What was removed, what stays, and how to revert it. */
export function ejectText(ejected: Ejected, dryRun: boolean): string {
  const { removed, needed, files, unignored, commit, copies } = ejected;
  const lines = [`${dryRun ? 'Would remove' : 'Removed'} ${plural(removed.length, 'file')}:`];
  lines.push(...removed.map(path => `  ${path}`));
  lines.push(
    `${plural(files.length, 'file')} of the tools ${files.length === 1 ? 'stays' : 'stay'} as before.`,
  );
  if (needed.length > 0) lines.push(`They refer to ${fewNames(needed)}, which stays, too.`);
  if (unignored.length > 0)
    lines.push(`Git does not ignore ${plural(unignored.length, 'file')} any more: add what all need.`);
  if (copies !== undefined) lines.push(`Copies of what no commit has: ${copies}`);
  lines.push(
    commit !== undefined
      ? `To come back: \`git checkout ${commit} -- .instr instr.yaml\`, or \`prs migrate\`.`
      : 'To come back: `prs migrate` makes sources of the files of the tools.',
  );
  return `${lines.join('\n')}\n`;
}
