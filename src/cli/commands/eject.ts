import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

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

  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would be removed; remove nothing.' });
  force = Option.Boolean('--force', false, {
    description: 'Proceed even if files of tools are not up to date with the sources.',
  });

  async run(context: CompileContext): Promise<Outcome> {
    const { ejectProject, ejectText } = await import('../rest.ts');
    const ejected = await ejectProject({ dryRun: this.dryRun, force: this.force }, context);
    if (typeof ejected !== 'object') return ejected;
    const { root, ...data } = ejected;
    return { root, data, summary: () => ejectText(ejected, this.dryRun) };
  }
}
