import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import {
  flag,
  listOption,
  type Outcome,
  option,
  PrsCommand,
  recursiveOption,
  reportFormats,
  userOption,
} from '../command.ts';
import { waiverData } from '../report/files.ts';

export default class ValidateCommand extends PrsCommand {
  static override paths = [['validate']];
  static override listed = true;
  static override rest = 'file';
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Check sources and configuration; write nothing.',
    examples: [
      ['Check the project', 'prs validate'],
      ['Fail on warnings too', 'prs validate --strict'],
      ['Write a log for code scanning', 'prs validate --format sarif > instr.sarif'],
    ],
  });

  override strict = flag('--strict', 'Exit with 1 when there are warnings.');
  override format = option(
    '--format',
    'Format of findings: text, github (annotations) or sarif (a log on stdout).',
  );
  policy = listOption(
    '--policy',
    'Check the policies of this configuration too: a path or git.example.com/…; may be repeated.',
  );
  recursive = recursiveOption();
  override user = userOption();
  files = Option.Rest();
  override formats = reportFormats;

  async run(context: CompileContext): Promise<Outcome> {
    const { findPackages, validatePackages, validateProject } = await import('../core.ts');
    const packages =
      this.files.length > 0 || this.user ? undefined : await findPackages(context, this.recursive);
    if (packages) return validatePackages(packages, this.policy, context);
    const result = await validateProject({ files: this.files, policies: this.policy }, context);
    if (typeof result === 'string') return result;
    return {
      data: waiverData(result.waivers, context),
      root: result.root,
      settled: true,
      notes: () => `${result.checked} ${result.checked === 1 ? 'file' : 'files'} checked.\n`,
    };
  }
}
