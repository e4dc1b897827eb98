import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { listOption, type Outcome, PrsCommand } from '../command.ts';

export default class AddCommand extends PrsCommand {
  static override paths = [['add']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Share',
    description: 'Add a shared source: write its @use and lock its version.',
    details:
      'A source is `owner/repo` on GitHub, an https address, `git@host:owner/repo` or an alias, with a version after `@`; `npm:<package>` for a package in node_modules, or the path of a file (`./shared.prs`). To import only some skills, add their names after `#`. New executable content is listed but not accepted: review it, then run `prs lock`.',
    examples: [
      ['Two skills of a repository on GitHub', 'prs add octo/instructions#review,release'],
      ['A file of a registry of the configuration', 'prs add @company/typescript@^1.0.0'],
      ['A package, for one tool', 'prs add npm:@lumen/instructions --targets <target>'],
    ],
  });

  targets = listOption('--targets', 'Only for these targets: ids or labels, separated by commas.');
  reference = Option.String({ name: 'reference' });

  async run(context: CompileContext): Promise<Outcome> {
    const { addSource, changedResult } = await import('../rest.ts');
    return changedResult(
      await addSource({ reference: this.reference, targets: this.targets }, context),
      'Added',
    );
  }
}

export class RemoveCommand extends PrsCommand {
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
