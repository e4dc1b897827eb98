import type { ImportOutcome } from '../../project/import.ts';
import { plural } from './files.ts';

/** The members of the JSON object for import. */
export function importData({ imported, output }: ImportOutcome): Record<string, unknown> {
  const blocks = imported.blocks.map(({ block, startLine, endLine, confidence }) => ({
    block,
    startLine,
    endLine,
    confidence,
  }));
  return { blocks, source: imported.text, output };
}

/** What became of the file, for people. */
export function importText({ file, imported, output, state, written }: ImportOutcome): string {
  const parts = plural(imported.blocks.length, 'part');
  const reviews = imported.reviews > 0 ? `, ${imported.reviews} to review (# REVIEW: comments)` : '';
  const verb = written ? 'wrote' : state === 'unchanged' ? 'is already in' : 'would write';
  return `${file}: ${parts}${reviews}; ${verb} ${output}.\n`;
}
