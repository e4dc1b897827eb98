import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import type { UndoOutcome } from '../../project/write/undo.ts';
import { flag, type Outcome, PrsCommand, userOption } from '../command.ts';
import { fileData } from '../report/files.ts';
import { plural } from '../report/table.ts';

export default class UndoCommand extends PrsCommand {
  static override paths = [['undo']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Revert the last run that wrote something.',
    details: 'Restores the files as they were before that run. The last ten runs are kept.',
    examples: [
      ['Revert the last run', 'prs undo'],
      ['Also restore files that were edited since', 'prs undo --force'],
      ['The last run with --user', 'prs undo --user'],
    ],
  });

  override user = userOption();
  force = flag('--force', 'Also restore files that were edited since.');

  async run(context: CompileContext): Promise<Outcome> {
    const { projectRoot, undoLastRun } = await import('../rest.ts');
    const { root } = projectRoot(context);
    const { disk, clock, report } = context;
    const outcome = await undoLastRun({ root, disk, clock, force: this.force }, report);
    const data = { files: outcome.entries.map(fileData) };
    return { root, data, ...(outcome.ok && { summary: () => undoText(outcome) }) };
  }
}

/** What was reverted. */
function undoText({ entries, time }: UndoOutcome): string {
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
