import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand, userOption } from '../command.ts';

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
  force = Option.Boolean('--force', false, { description: 'Also restore files that were edited since.' });

  async run(context: CompileContext): Promise<Outcome> {
    const { projectRoot, undoData, undoLastRun, undoText } = await import('../rest.ts');
    const { root } = projectRoot(context);
    const { disk, clock, report } = context;
    const outcome = await undoLastRun({ root, disk, clock, force: this.force }, report);
    return { root, data: undoData(outcome), ...(outcome.ok && { summary: () => undoText(outcome) }) };
  }
}
