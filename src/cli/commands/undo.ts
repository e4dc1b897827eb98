import { Command, Option } from 'clipanion';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { contextInScope, userOption } from '../user-scope.ts';

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

  user = userOption();
  force = Option.Boolean('--force', false, { description: 'Also restore files that were edited since.' });

  async run({ context: given }: Invocation): Promise<CommandResult> {
    const context = await contextInScope(this, given);
    if (!context) return { exitCode: 2 };
    const { projectRoot, undoData, undoLastRun, undoText } = await import('../rest.ts');
    const { root } = projectRoot(context);
    const { disk, clock, report } = context;
    const outcome = await undoLastRun({ root, disk, clock, force: this.force }, report);
    return { root, data: undoData(outcome), ...(outcome.ok && { summary: () => undoText(outcome) }) };
  }
}
