import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, listOption, type Outcome, PrsCommand, recursiveOption, userOption } from '../command.ts';

export default class DiffCommand extends PrsCommand {
  static override paths = [['diff']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Compare what compile would write with the existing files.',
    details: 'Without --all, the first enabled target is compared. Nothing is written.',
    examples: [
      ['Compare the first target', 'prs diff'],
      ['Compare all targets, every line', 'prs diff --all --full'],
      ['Fail when there are differences', 'prs diff --all --exit-code'],
    ],
  });

  all = flag('--all', 'Compare all enabled targets.');
  full = flag('--full', 'Show complete files instead of hunks.');
  target = listOption('--target', 'Only this target, by id or label; may be repeated.');
  build = listOption('--build', 'Compare this build profile; may be repeated.');
  recursive = recursiveOption();
  override user = userOption();
  exitCode = flag('--exit-code', 'Exit with 1 when there are differences.');

  async run(context: CompileContext): Promise<Outcome> {
    const request = { all: this.all, full: this.full, targets: this.target, builds: this.build };
    const { diffData, diffPackages, diffProject, diffText, findPackages } = await import('../core.ts');
    const packages = this.user ? undefined : await findPackages(context, this.recursive);
    if (packages) return diffPackages(packages, request, context, this.exitCode);
    const differences = await diffProject(request, context);
    if (typeof differences === 'string') return differences;
    return {
      ...(this.exitCode && differences.files.length > 0 && { exitCode: 1 }),
      root: differences.compiled.root,
      data: diffData(differences),
      text: () => diffText(differences, this.full),
      content: true,
      paged: true,
    };
  }
}
