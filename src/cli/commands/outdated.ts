import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class OutdatedCommand extends PrsCommand {
  static override paths = [['outdated']];
  static override usage = Command.Usage({
    description: 'Show which pinned sources have something newer.',
    details:
      '`wanted` is what the reference means now, and where `prs update` goes; `latest` is the highest released version, which may need another reference.',
    examples: [
      ['List the sources of the lock', 'prs outdated'],
      ['Fail in continuous integration when something is outdated', 'prs outdated --exit-code'],
    ],
  });

  exitCode = Option.Boolean('--exit-code', false, { description: 'Exit with 1 when a source is outdated.' });

  async run({ context }: Invocation): Promise<Outcome> {
    const { findOutdated } = await import('../../project/outdated.ts');
    const found = await findOutdated(context);
    if (typeof found === 'string') return { exitCode: 2 };
    const { outdatedText } = await import('../report/update.ts');
    const isOutdated = found.sources.some(({ state }) => state === 'outdated');
    return {
      ...(this.exitCode && isOutdated && { exitCode: 1 }),
      root: found.root,
      data: { outdated: found.sources },
      text: width => outdatedText(found.sources, width),
    };
  }
}
