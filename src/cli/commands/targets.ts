import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class TargetsCommand extends PrsCommand {
  static override paths = [['targets']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'List the supported tools, or show the files of one.',
    examples: [
      ['List all tools', 'prs targets'],
      ['Show the files, versions, limits and evidence of one tool', 'prs targets <target>'],
      ['Show how often each tool loads the main text', 'prs targets --overlap'],
    ],
  });

  overlap = Option.Boolean('--overlap', false, {
    description: 'Show how often each of the enabled tools loads the main text.',
  });

  id = Option.String({ name: 'target', required: false });

  async run({ context }: Invocation): Promise<Outcome> {
    const { detail, knownSpecs, listTargets, overlapTable, targetNamed, targetPage, targetTable } =
      await import('../rest.ts');
    const { custom } = await knownSpecs(context, context.report);
    if (this.overlap) {
      const { listOverlaps } = await import('../rest.ts');
      const overlap = await listOverlaps(context);
      if (typeof overlap === 'string') return { exitCode: 2 };
      return { data: { overlap }, text: width => overlapTable(overlap, width) };
    }
    if (this.id === undefined) {
      const targets = listTargets(custom);
      return { data: { targets }, paged: true, text: width => targetTable(targets, width) };
    }
    const loaded = targetNamed(this.id, custom, context.report);
    if (!loaded) return { exitCode: 2 };
    const target = detail(loaded);
    return { data: { targets: [target] }, text: width => targetPage(loaded, target, width) };
  }
}
