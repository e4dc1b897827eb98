import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class ImportCommand extends PrsCommand {
  static override paths = [['import']];
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Convert one instruction file of any tool into a source file.',
    details:
      'All content is kept, and the file itself does not change. Places that need a review are marked by a "# REVIEW:" comment.',
    examples: [
      ['Convert a file', 'prs import docs/instructions.md'],
      ['See the result without writing it', 'prs import docs/instructions.md --dry-run'],
      [
        'Say which tool the file belongs to, and where the source goes',
        'prs import rules.md --format <target> --output .instr/rules.prs',
      ],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, { description: 'Print the source; write nothing.' });
  force = Option.Boolean('--force', false, { description: 'Replace the output file when it exists.' });
  tool = Option.String('--format', { description: 'Id or label of the tool whose file it is.' });
  output = Option.String('--output', { description: 'Where to write the source.' });
  file = Option.String({ name: 'file' });

  async run(context: CompileContext): Promise<Outcome> {
    const { importData, importInstructions, importText } = await import('../rest.ts');
    const { file, tool: format, output, dryRun, force } = this;
    const outcome = await importInstructions(
      {
        file,
        dryRun,
        force,
        ...(format !== undefined && { format }),
        ...(output !== undefined && { output }),
      },
      context,
    );
    if (typeof outcome !== 'object') return outcome;
    return {
      root: outcome.root,
      data: importData(outcome),
      ...(dryRun && { text: () => outcome.imported.text }),
      notes: () => importText(outcome),
    };
  }
}
