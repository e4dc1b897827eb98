import { Command } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class LockCommand extends PrsCommand {
  static override paths = [['lock']];
  static override usage = Command.Usage({
    description: 'Pin every remote source to what it is now, in instr.lock.',
    details:
      'Sources that are pinned already stay where they are; what nobody refers to any more is dropped. Commit the lock: compile then uses exactly those bytes.',
    examples: [
      ['Write the lock after a new @use or @inherit', 'prs lock'],
      ['Fail in continuous integration when the lock is not complete', 'prs compile --frozen'],
    ],
  });

  async run({ context }: Invocation): Promise<Outcome> {
    const { pinSources } = await import('../../project/pin.ts');
    const pinned = await pinSources(undefined, context);
    if (typeof pinned === 'string') return { exitCode: 2 };
    const { lockText } = await import('../report/lock.ts');
    return { root: pinned.root, ...(pinned.locked && { summary: () => lockText(pinned.locked!) }) };
  }
}
