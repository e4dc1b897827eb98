import { Command } from 'clipanion';
import type { InitAnswers } from '../../project/init/init.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { fewNames } from '../../text/names.ts';
import { flag, listOption, type Outcome, option, PrsCommand } from '../command.ts';
import { createdData, createdFilesText } from '../report/made.ts';
import type { Terminal } from '../terminal.ts';

export default class InitCommand extends PrsCommand {
  static override paths = [['init']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Start a project: configuration, entry file and language skill.',
    details:
      'Detects the name, the languages and the assistants in use, asks questions on a terminal, and never overwrites files. If instruction files exist, it migrates the project like `prs migrate`.',
    examples: [
      ['Answer a few questions', 'prs init'],
      ['Accept what is detected', 'prs init --yes'],
      [
        'Decide everything on the command line',
        'prs init --yes --name my-project --targets <target>,<target>',
      ],
    ],
  });

  yes = flag('-y,--yes', 'Ask nothing; accept what is detected.');
  name = option('--name', 'Id of the project.');
  targets = listOption('--targets', 'Ids or labels of the targets, separated by commas.');
  registry = option('--registry', 'Git address or folder of a registry to share instructions from.');
  force = flag('--force', 'Replace an existing configuration and entry file; copies are kept.');
  dryRun = flag('--dry-run', 'Show what would be written; write nothing.');

  async run(context: CompileContext, terminal: Terminal): Promise<Outcome> {
    const init = await import('../rest.ts');
    if (!this.dryRun) await init.recoverProject(context.cwd, context.disk, context.report);
    const known = await init.specsToChoose(context);
    if (!known) return undefined;
    const targets = this.targets && init.readTargetNames(this.targets, known.custom, context.report);
    if (this.targets && !targets) return 'wrong-request';
    if (!init.mayInit(this.force, context)) return undefined;
    const suggestion = await init.suggestAnswers(known, context);
    const proposed = {
      ...suggestion,
      ...(this.name !== undefined && { name: this.name }),
      ...(targets && { targets }),
      ...(this.registry !== undefined && { registry: this.registry }),
    };
    const asks = !this.yes && !this.silent && terminal.interactive;
    const answers = asks
      ? await init.askInit(proposed, known.specs)
      : {
          ...proposed,
          formatter: proposed.formatter && ('found' as const),
          existing: init.proposedFor(suggestion),
        };
    if (!answers) return { exitCode: 130 };
    if (answers.existing !== 'leave') {
      if (!init.mayAnswer(answers, context)) return undefined;
      const moved = await init.moveIn({ ...answers, dryRun: this.dryRun, files: [] }, context);
      return moved && { root: moved.root, data: moved.data, notes: () => titleOf(answers) + moved.text };
    }
    const files = init.planInit(answers, known.specs, context);
    if (!files) return undefined;
    if (!this.dryRun && !(await init.writeInit(files, context))) return undefined;
    if (!this.dryRun) await init.validateProject({ files: [] }, context);
    return {
      data: { files: files.map(({ content: text, ...file }) => createdData({ ...file, text })) },
      notes: () =>
        titleOf(answers) +
        createdFilesText(files, this.dryRun) +
        (this.dryRun ? 'Nothing was written.\n' : nextSteps(suggestion.instructions)),
    };
  }
}

const titleOf = ({ name, targets }: Pick<InitAnswers, 'name' | 'targets'>): string =>
  `Project ${name} for ${targets.join(', ')}.\n`;

function nextSteps(instructions: readonly string[]): string {
  const next = 'Next: edit .instr/project.prs, then run `prs compile`.\n';
  if (instructions.length === 0)
    return `${next}For yourself alone there may be an instr.local.yaml: further targets, servers of your own, what you switch off.\n`;
  return `${next}There are instructions already: ${fewNames(instructions)}. They are never overwritten without --force.\n\`prs migrate\` makes sources of them, as they are.\n`;
}
