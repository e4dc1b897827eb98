import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class FormatCommand extends PrsCommand {
  static override paths = [['format']];
  static override rest = 'file';
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Format .prs files.',
    details:
      'Comments are kept, and the project compiles to the same files. Without arguments, every .prs file of the project is formatted. A file with a syntax error is reported and not changed.',
    examples: [
      ['Format all sources', 'prs format'],
      ['Exit with 1 if a file is not formatted', 'prs format --check'],
      ['For an editor', 'prs format --stdin-file-path .instr/project.prs < .instr/project.prs'],
    ],
  });

  check = Option.Boolean('--check', false, {
    description: 'Write nothing; exit with 1 when a file would change.',
  });
  stdinFilePath = Option.String('--stdin-file-path', {
    description: 'Format standard input and print the result; findings use this path.',
  });
  files = Option.Rest();

  async run(context: CompileContext): Promise<Outcome> {
    const { changedSourcesData, formatProject, formatText, layOut } = await import('../rest.ts');
    if (this.stdinFilePath !== undefined) {
      const { readStandardInput } = await import('../rest.ts');
      const given = readStandardInput();
      const text = layOut(this.stdinFilePath, given, context.report);
      if (text === undefined) return undefined;
      const same = text === new TextDecoder('utf-8', { ignoreBOM: true }).decode(given);
      return {
        ...(this.check && !same && { exitCode: 1 }),
        data: { source: text },
        ...(!this.check && { content: true, text: () => text }),
      };
    }
    const outcome = await formatProject({ files: this.files, check: this.check }, context);
    if (!outcome) return undefined;
    return {
      root: outcome.root,
      ...(this.check && outcome.files.length > 0 && { exitCode: 1 }),
      data: changedSourcesData(outcome),
      summary: () => formatText(outcome, this.check),
    };
  }
}
