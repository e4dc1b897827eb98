import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class UpgradeCommand extends PrsCommand {
  static override paths = [['upgrade']];
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Convert source files to the newest syntax version.',
    details: 'Comments and layout are kept, and the project compiles to the same files as before.',
    examples: [
      ['Show what would change', 'prs upgrade --dry-run'],
      ['Upgrade all source files', 'prs upgrade'],
      ['Upgrade another project', 'prs upgrade --cwd .'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would change; write nothing.' });

  async run(context: CompileContext): Promise<Outcome> {
    const { changedSourcesData, upgradeProject, upgradeText } = await import('../rest.ts');
    const outcome = await upgradeProject(this.dryRun, context);
    if (!outcome) {
      const { projectRoot } = await import('../rest.ts');
      return projectRoot(context).config === undefined ? 'no-configuration' : undefined;
    }
    return {
      root: outcome.root,
      data: changedSourcesData(outcome),
      summary: () => upgradeText(outcome, this.dryRun),
    };
  }
}
