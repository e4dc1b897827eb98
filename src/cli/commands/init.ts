import { Command, Option } from 'clipanion';
import type { InitAnswers } from '../../project/init/init.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { planNextCompile } from '../next-compile.ts';

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

  yes = Option.Boolean('-y,--yes', false, { description: 'Ask nothing; accept what is detected.' });
  name = Option.String('--name', { description: 'Id of the project.' });
  targets = Option.Array('--targets', {
    description: 'Ids or labels of the targets, separated by commas.',
  });
  registry = Option.String('--registry', {
    description: 'Git address or folder of a registry to share instructions from.',
  });
  force = Option.Boolean('--force', false, {
    description: 'Replace an existing configuration and entry file; copies are kept.',
  });
  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would be written; write nothing.' });

  async run({ context: given, terminal, silent }: Invocation): Promise<CommandResult> {
    const init = await import('../rest.ts');
    const { context, finished } = await init.recoverInit(this.dryRun ? 'plan' : 'write', given);
    if (finished && !this.force) {
      const note = 'The project that an interrupted `prs init` began here is complete.\n';
      return { data: { files: [] }, notes: () => note };
    }
    const known = await init.specsToChoose(context);
    if (!known) return {};
    const targets = this.targets && init.readTargetNames(this.targets, known.custom, context.report);
    if (this.targets && !targets) return { exitCode: 2 };
    if (!init.mayInit(this.force, context)) return {};
    const suggestion = await init.suggestAnswers(known, context);
    const proposed = {
      ...suggestion,
      ...(this.name !== undefined && { name: this.name }),
      ...(targets && { targets }),
      ...(this.registry !== undefined && { registry: this.registry }),
    };
    const asks = !this.yes && !silent && terminal.interactive;
    const answers = asks
      ? await init.askInit(proposed, known.specs)
      : {
          ...proposed,
          formatter: proposed.formatter && ('found' as const),
          existing: init.proposedFor(suggestion),
        };
    if (!answers) return { exitCode: 130 };
    if (answers.existing === 'convert') return this.convert(answers, context);
    if (answers.existing === 'keep') return this.keep(answers, context);
    const files = init.planInit(answers, known.specs, context);
    if (!files) return {};
    if (!this.dryRun && !(await init.writeInit(files, context))) return {};
    if (!this.dryRun) await init.validateProject({ files: [] }, context);
    const planned = await planNextCompile(this.dryRun, context);
    const { instructions } = suggestion;
    return {
      data: init.initData(files),
      notes: () => init.initNotes({ files, answers, instructions, dryRun: this.dryRun, planned }),
    };
  }

  /** Converts sources of another compiler. */
  private async convert(answers: InitAnswers, context: CompileContext): Promise<CommandResult> {
    const { conflictTexts, convertProject, foreignData, foreignSourceOf, foreignText, mayAnswer } =
      await import('../rest.ts');
    if (!mayAnswer(answers, context)) return {};
    const { name, targets } = answers;
    const { source } = (await foreignSourceOf(context))!;
    const registry = answers.registry;
    const wanted = { dryRun: this.dryRun, name, targets, ...(registry !== undefined && { registry }) };
    const outcome = await convertProject(source, wanted, context);
    if (!outcome) return { exitCode: 1 };
    const planned = await planNextCompile(this.dryRun, context);
    const conflicts = planned ? await conflictTexts(planned) : [];
    return {
      root: outcome.root,
      data: foreignData(outcome),
      notes: () =>
        `Project ${name} for ${targets.join(', ')}.\n${foreignText(outcome, this.dryRun, planned, conflicts)}`,
    };
  }

  /** Adopts a project: every existing text becomes a source unchanged. */
  private async keep(answers: InitAnswers, context: CompileContext): Promise<CommandResult> {
    const { adoptData, adoptProject, adoptText, mayAnswer } = await import('../rest.ts');
    if (!mayAnswer(answers, context)) return {};
    const outcome = await adoptProject({ ...answers, dryRun: this.dryRun, files: [] }, context);
    if (!outcome) return { exitCode: 1 };
    const planned = await planNextCompile(this.dryRun, context);
    return {
      root: outcome.root,
      data: adoptData(outcome),
      notes: () =>
        `Project ${answers.name} for ${answers.targets.join(', ')}.\n${adoptText(outcome, this.dryRun, planned)}`,
    };
  }
}
