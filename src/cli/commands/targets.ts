import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class TargetsCommand extends PrsCommand {
  static override paths = [['targets']];
  static override usage = Command.Usage({
    description: 'List the supported tools, or show the files of one.',
    examples: [
      ['List all tools', 'prs targets'],
      ['Show the files, versions, limits and evidence of one tool', 'prs targets t02'],
      ['Show where enabled targets read the same files', 'prs targets --overlap'],
    ],
  });

  overlap = Option.Boolean('--overlap', false, {
    description: 'Show which enabled targets shadow one another or load a text twice.',
  });
  id = Option.String({ name: 'target', required: false });

  async run(invocation: Invocation): Promise<Outcome> {
    const { targetsCommand } = await import('../run-targets.ts');
    return targetsCommand(this, invocation);
  }
}
