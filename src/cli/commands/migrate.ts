import { Command, Option } from 'clipanion';
import { conflictingOptions } from '../../generated/diagnostics.ts';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { planNextCompile } from '../next-compile.ts';

export default class MigrateCommand extends PrsCommand {
  static override paths = [['migrate']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Adopt the existing instruction files of a project.',
    details:
      'Copies every text into .instr/ unchanged. After the next compile each file that a tool reads has the same content as before. No existing file is changed.',
    examples: [
      ['Show what would be adopted', 'prs migrate --dry-run'],
      ['Migrate; texts do not change', 'prs migrate'],
      ['Sort the texts into blocks instead', 'prs migrate --static'],
    ],
  });

  static = Option.Boolean('--static', false, {
    description: 'Sort the texts of all instruction files into blocks.',
  });
  llm = Option.Boolean('--llm', false, { description: 'Print a prompt for an assistant; write nothing.' });
  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would be written; write nothing.' });
  files = Option.Array('--files', { description: 'Only files that match this glob; may be repeated.' });

  async run({ context }: Invocation): Promise<CommandResult> {
    const converted = this.static || this.llm ? undefined : await this.convert(context);
    if (converted) return converted;
    if (this.static && this.llm) {
      const hint =
        '`--static` converts the files by itself; `--llm` prints a prompt for an assistant that does it. Without either, every text stays as it is.';
      context.report(conflictingOptions({ first: '--static', second: '--llm' }, { hint }));
      return { exitCode: 2 };
    }
    const options = { dryRun: this.dryRun, files: this.files ?? [] };
    if (!this.static && !this.llm) {
      const { adoptData, adoptProject, adoptText } = await import('../rest.ts');
      const outcome = await adoptProject(options, context);
      if (!outcome) return { exitCode: 1 };
      const planned = await planNextCompile(this.dryRun, context);
      return {
        root: outcome.root,
        data: adoptData(outcome),
        summary: () => adoptText(outcome, this.dryRun, planned),
      };
    }
    const { migrateData, migrateProject, migrateText, promptForMigration } = await import('../rest.ts');
    if (this.llm) {
      const prompt = await promptForMigration(options, context);
      if (!prompt) return { exitCode: 1 };
      return {
        data: { prompt: prompt.text },
        content: true,
        text: () => prompt.text,
        notes: () =>
          `A prompt of about ${prompt.tokens} tokens. Give it to an assistant that can write files.\n`,
      };
    }
    const outcome = await migrateProject(options, context);
    if (!outcome) return { exitCode: 1 };
    const planned = await planNextCompile(this.dryRun, context);
    return {
      root: outcome.root,
      data: migrateData(outcome),
      summary: () => migrateText(outcome, this.dryRun, planned),
    };
  }

  /** Converts a project written in the sources of another compiler; `undefined` when it is not. */
  private async convert(context: Invocation['context']): Promise<CommandResult | undefined> {
    const { conflictTexts, convertProject, foreignData, foreignSourceOf, foreignText } = await import(
      '../rest.ts'
    );
    const found = await foreignSourceOf(context);
    if (!found) return undefined;
    const outcome = await convertProject(found.source, { dryRun: this.dryRun }, context);
    if (!outcome) return { exitCode: 1 };
    const planned = await planNextCompile(this.dryRun, context);
    const conflicts = planned ? await conflictTexts(planned) : [];
    return {
      root: outcome.root,
      data: foreignData(outcome),
      summary: () => foreignText(outcome, this.dryRun, planned, conflicts),
    };
  }
}
