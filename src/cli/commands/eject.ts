import { Command, Option } from 'clipanion';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class EjectCommand extends PrsCommand {
  static override paths = [['eject']];
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Leave prs: remove configuration, sources and state, keep the files of the tools.',
    details:
      'The files that tools read stay byte for byte as they are. Each removed file is in the last commit, or a copy is kept in your state folder. Merge driver and hooks of `prs hook install` are removed as well.',
    examples: [
      ['Show what would be removed', 'prs eject --dry-run'],
      ['Leave', 'prs eject'],
      ['Also when the files are not what the sources say', 'prs eject --force'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would be removed; remove nothing.' });
  force = Option.Boolean('--force', false, {
    description: 'Also leave when files of tools are not what the sources say.',
  });

  async run({ context }: Invocation): Promise<CommandResult> {
    const { ejectData, ejectProject, ejectText } = await import('../rest.ts');
    const ejected = await ejectProject({ dryRun: this.dryRun, force: this.force }, context);
    if (typeof ejected === 'string') return { exitCode: 2 };
    if (!ejected) return {};
    return {
      root: ejected.root,
      data: ejectData(ejected),
      summary: () => ejectText(ejected, this.dryRun),
    };
  }
}
