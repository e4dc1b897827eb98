import { Command, Option } from 'clipanion';
import type { ImportOutcome } from '../../project/move-in/import.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, type Outcome, option, PrsCommand } from '../command.ts';
import { blockData } from '../report/made.ts';
import { plural, table } from '../report/table.ts';

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

  dryRun = flag('--dry-run', 'Print the source; write nothing.');
  force = flag('--force', 'Replace the output file when it exists.');
  tool = option('--format', 'Id or label of the tool whose file it is.');
  output = option('--output', 'Where to write the source.');
  file = Option.String({ name: 'file' });

  async run(context: CompileContext): Promise<Outcome> {
    const { importInstructions } = await import('../rest.ts');
    const { file, tool: format, output, dryRun, force } = this;
    const outcome = await importInstructions({ file, dryRun, force, format, output }, context);
    if (typeof outcome !== 'object') return outcome;
    return {
      root: outcome.root,
      data: {
        blocks: blockData(outcome.imported.blocks),
        source: outcome.imported.text,
        output: outcome.output,
      },
      ...(dryRun && { text: () => outcome.imported.text }),
      notes: () => importText(outcome),
    };
  }
}

/** The result of an import as text. */
function importText({ file, imported, output, state, written }: ImportOutcome): string {
  const parts = plural(imported.blocks.length, 'part');
  const reviews = imported.reviews > 0 ? `, ${imported.reviews} to review (# REVIEW: comments)` : '';
  const verb = written ? 'wrote' : state === 'unchanged' ? 'is already in' : 'would write';
  const mapping = written ? '' : mappingTable(imported.blocks);
  return `${mapping}${file}: ${parts}${reviews}; ${verb} ${output}.\n`;
}

/** Which lines of the file go to which block, with the confidence. */
function mappingTable(blocks: ImportOutcome['imported']['blocks']): string {
  const rows = blocks.map(({ block, startLine, endLine, confidence }) => [
    startLine === endLine ? String(startLine) : `${startLine}-${endLine}`,
    block.startsWith('@') ? block : `@${block}`,
    confidence.toFixed(2),
  ]);
  return `${table([['Lines', 'Block', 'Confidence'], ...rows], Number.POSITIVE_INFINITY)}\n`;
}
