import { Command, Option } from 'clipanion';
import { badOptionValue, missingArgument } from '../../generated/diagnostics.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, type Outcome, option, PrsCommand, refuse } from '../command.ts';

export default class TargetsCommand extends PrsCommand {
  static override paths = [['targets']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'List the supported tools, show the files of one, or enable one.',
    details:
      '`prs targets add <target>` enables a tool and adds it to the `targets` of rules, skills, commands, agents, hooks and servers that are only for another enabled tool. Nothing is written if the project would have errors.',
    examples: [
      ['List all tools', 'prs targets'],
      ['Show the files, versions, limits and evidence of one tool', 'prs targets <target>'],
      ['Show what enabling a tool would change', 'prs targets add <target> --dry-run'],
    ],
  });

  overlap = flag('--overlap', 'Show how often each of the enabled tools loads the main text.');

  like = option(
    '--like',
    'add: the enabled tool whose sources the new one gets; default: the one that most sources name.',
  );
  dryRun = flag('--dry-run', 'add: show what would change; write nothing.');

  id = Option.String({ name: 'target', required: false });
  added = Option.String({ name: 'target', required: false });

  async run(context: CompileContext): Promise<Outcome> {
    const rest = await import('../rest.ts');
    if (this.id === 'add' || this.added !== undefined) return this.add(context);
    const { custom } = await rest.knownSpecs(context, context.report);
    if (this.overlap) {
      const overlap = await rest.listOverlaps(context);
      if (typeof overlap === 'string') return overlap;
      return { data: { overlap }, text: width => rest.overlapTable(overlap, width) };
    }
    if (this.id === undefined) {
      const targets = rest.listTargets(custom);
      return { data: { targets }, paged: true, text: width => rest.targetList(targets, width) };
    }
    const loaded = rest.targetNamed(this.id, custom, context.report);
    if (!loaded) return 'wrong-request';
    const target = rest.describeTarget(loaded);
    return { data: { targets: [target] }, text: width => rest.targetPage(loaded, target, width) };
  }

  private async add(context: CompileContext): Promise<Outcome> {
    const { id, added: name, like, dryRun } = this;
    if (name === undefined)
      return refuse(context, missingArgument({ command: 'targets add', argument: '<target>' }));
    if (id !== 'add')
      return refuse(context, badOptionValue({ option: '<action>', value: id!, allowed: 'add' }));
    const { addedTargetText, addTarget } = await import('../rest.ts');
    const added = await addTarget({ name, like, dryRun }, context);
    if (typeof added !== 'object') return added;
    const { root, files, ...data } = added;
    const text = (width: number) => addedTargetText(added, dryRun, width);
    return { root, data: { ...data, changedFiles: files }, text };
  }
}
