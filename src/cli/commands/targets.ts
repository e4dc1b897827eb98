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
      ['Show which tools read the files of others', 'prs targets --overlap'],
    ],
  });

  overlap = Option.Boolean('--overlap', false, {
    description: 'Show which of the enabled tools read the main files of others.',
  });

  id = Option.String({ name: 'target', required: false });

  async run({ context }: Invocation): Promise<Outcome> {
    const { detail, listOverlaps, listTargets, targetNamed } = await import('../../project/open/targets.ts');
    const { knownSpecs } = await import('../../project/open/known-specs.ts');
    const { overlapTable, targetPage, targetTable } = await import('../report/targets.ts');
    const { custom } = await knownSpecs(context, context.report);
    if (this.overlap) {
      const overlaps = await listOverlaps(custom, context);
      return { data: { overlaps }, text: width => overlapTable(overlaps, width) };
    }
    if (this.id === undefined) {
      const targets = listTargets(custom);
      return { data: { targets }, text: width => targetTable(targets, width) };
    }
    const loaded = targetNamed(this.id, custom, context.report);
    if (!loaded) return { exitCode: 2 };
    const target = detail(loaded);
    return { data: { targets: [target] }, text: width => targetPage(loaded.spec, target, width) };
  }
}
