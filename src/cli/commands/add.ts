import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class AddCommand extends PrsCommand {
  static override paths = [['add']];
  static override usage = Command.Usage({
    description: 'Bring a source in: write its @use and lock it.',
    details:
      '`owner/repo` on GitHub, an https address, `git@host:owner/repo` or an alias, with a version behind `@` and names of skills behind `#`. What is newly executable is listed and not recorded: read it, then run `prs lock`.',
    examples: [
      ['Two skills of a repository on GitHub', 'prs add octo/instructions#review,release'],
      ['A file of a registry of the configuration', 'prs add @company/typescript@^1.0.0'],
    ],
  });

  reference = Option.String({ name: 'reference' });

  async run({ context }: Invocation): Promise<Outcome> {
    const { addSource } = await import('../../project/add.ts');
    const changed = await addSource(this.reference, context);
    if (typeof changed === 'string') return { exitCode: 2 };
    if (!changed) return {};
    const { changedData, changedText } = await import('../report/add.ts');
    return {
      root: changed.root,
      data: changedData(changed),
      ...(changed.locked && { summary: width => changedText(changed, 'Added', width) }),
    };
  }
}
