import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class RemoveCommand extends PrsCommand {
  static override paths = [['remove']];
  static override usage = Command.Usage({
    category: 'Share',
    description: 'Remove a source from the entry file and the lock file.',
    details: 'Pass the reference as written, without its version. Only the entry file is changed.',
    examples: [
      ['Stop using a file of a registry', 'prs remove @company/base'],
      ['The same, with the changes as JSON', 'prs remove @company/base --json'],
      ['The same in another project', 'prs remove @company/base --cwd .'],
    ],
  });

  reference = Option.String({ name: 'reference' });

  async run(context: CompileContext): Promise<Outcome> {
    const { changedResult, removeSource } = await import('../rest.ts');
    return changedResult(await removeSource(this.reference, context), 'Removed');
  }
}
