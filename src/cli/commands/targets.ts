import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class TargetsCommand extends PrsCommand {
  static override paths = [['targets']];
  static override usage = Command.Usage({
    description: 'List the supported tools, or show the files of one.',
    examples: [
      ['List all tools', 'prs targets'],
      ['Show the files, versions, limits and evidence of one tool', 'prs targets <target>'],
    ],
  });

  id = Option.String({ name: 'target', required: false });

  async run({ context }: Invocation): Promise<Outcome> {
    const { describeTarget, detail, listTargets } = await import('../../project/targets.ts');
    const { targetPage, targetTable } = await import('../report/targets.ts');
    if (this.id === undefined) {
      const targets = listTargets();
      return { data: { targets }, text: () => targetTable(targets) };
    }
    const loaded = describeTarget(this.id, context);
    if (!loaded) return { exitCode: 2 };
    const target = detail(loaded);
    return { data: { targets: [target] }, text: () => targetPage(loaded.spec, target) };
  }
}
