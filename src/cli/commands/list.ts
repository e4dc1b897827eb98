import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class ListCommand extends PrsCommand {
  static override paths = [['list']];
  static override usage = Command.Usage({
    description: 'List the pinned sources of the project.',
    details: 'Nobody is asked but the lock, unless --outdated wants to know what is newer.',
    examples: [
      ['What is used, in which version', 'prs list'],
      ['What has something newer', 'prs list --outdated'],
    ],
  });

  outdated = Option.Boolean('--outdated', false, { description: 'Only sources that have something newer.' });

  async run({ context }: Invocation): Promise<Outcome> {
    const { findOutdated, listSources } = await import('../../project/outdated.ts');
    const found = await (this.outdated ? findOutdated(context) : listSources(context));
    if (typeof found === 'string') return { exitCode: 2 };
    const { listText, outdatedText } = await import('../report/update.ts');
    const newer = found.sources.filter(({ state }) => state !== 'current');
    const sources = this.outdated ? newer : found.sources;
    return {
      root: found.root,
      data: { outdated: sources },
      text: width => (this.outdated ? outdatedText(sources, width) : listText(sources, width)),
    };
  }
}
