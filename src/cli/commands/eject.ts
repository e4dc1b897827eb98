import { Command } from 'clipanion';
import type { Ejected } from '../../project/eject.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { fewNames } from '../../text/names.ts';
import { flag, type Outcome, PrsCommand } from '../command.ts';
import { plural } from '../report/table.ts';

export default class EjectCommand extends PrsCommand {
  static override paths = [['eject']];
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Stop using prs: remove configuration, sources and state; keep the files of the tools.',
    details:
      'Files that tools read do not change. Each removed file is in the last commit, or a copy is kept in your state folder. The merge driver and hooks of `prs hook install` are removed as well.',
    examples: [
      ['Show what would be removed', 'prs eject --dry-run'],
      ['Leave', 'prs eject'],
      ['Proceed even if the files are not up to date', 'prs eject --force'],
    ],
  });

  dryRun = flag('--dry-run', 'Show what would be removed; remove nothing.');
  force = flag('--force', 'Proceed even if files of tools are not up to date with the sources.');

  async run(context: CompileContext): Promise<Outcome> {
    const { ejectProject } = await import('../rest.ts');
    const ejected = await ejectProject({ dryRun: this.dryRun, force: this.force }, context);
    if (typeof ejected !== 'object') return ejected;
    const { root, ...data } = ejected;
    return { root, data, summary: () => ejectText(ejected, this.dryRun) };
  }
}

/** What was removed, what stays, and how to revert it. */
function ejectText(ejected: Ejected, dryRun: boolean): string {
  const { removed, needed, files, unignored, commit, copies } = ejected;
  const lines = [
    `${dryRun ? 'Would remove' : 'Removed'} ${plural(removed.length, 'file')}:`,
    ...removed.map(path => `  ${path}`),
    `${plural(files.length, 'file')} of the tools ${files.length === 1 ? 'stays' : 'stay'} as before.`,
  ];
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
