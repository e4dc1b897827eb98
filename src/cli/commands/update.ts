import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class UpdateCommand extends PrsCommand {
  static override paths = [['update']];
  static override usage = Command.Usage({
    description: 'Move pinned sources to their newest version and write instr.lock.',
    details: 'Names are those of the lock, with or without version. Without a name, all sources move.',
    examples: [
      ['Move all sources', 'prs update'],
      ['Move one source', 'prs update @company'],
      ['See what changes in the generated files', 'prs diff --all'],
    ],
  });

  sources = Option.Rest({ name: 'source' });

  async run({ context }: Invocation): Promise<Outcome> {
    const { pinSources } = await import('../../project/pin.ts');
    const pinned = await pinSources(this.sources.length > 0 ? this.sources : 'all', context);
    if (typeof pinned === 'string') return { exitCode: 2 };
    const { lockText } = await import('../report/lock.ts');
    return { root: pinned.root, ...(pinned.locked && { summary: () => lockText(pinned.locked!) }) };
  }
}
