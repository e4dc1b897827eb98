import type { ImportOutcome } from '../../project/move-in/import.ts';
import { plural } from './files.ts';
import { table } from './table.ts';

type Blocks = ImportOutcome['imported']['blocks'];

/** Which lines of a file became which block. */
export const blockData = (blocks: Blocks): object[] =>
  blocks.map(({ block, startLine, endLine, confidence }) => ({ block, startLine, endLine, confidence }));

/** The JSON members of `import`. */
export const importData = ({ imported, output }: ImportOutcome): Record<string, unknown> => ({
  blocks: blockData(imported.blocks),
  source: imported.text,
  output,
});

/** The result of an import as text. */
export function importText({ file, imported, output, state, written }: ImportOutcome): string {
  const parts = plural(imported.blocks.length, 'part');
  const reviews = imported.reviews > 0 ? `, ${imported.reviews} to review (# REVIEW: comments)` : '';
  const verb = written ? 'wrote' : state === 'unchanged' ? 'is already in' : 'would write';
  const mapping = written ? '' : mappingTable(imported.blocks);
  return `${mapping}${file}: ${parts}${reviews}; ${verb} ${output}.\n`;
}

/** Which lines of the file go to which block, with the confidence. */
function mappingTable(blocks: Blocks): string {
  const rows = blocks.map(({ block, startLine, endLine, confidence }) => [
    startLine === endLine ? String(startLine) : `${startLine}-${endLine}`,
    block.startsWith('@') ? block : `@${block}`,
    confidence.toFixed(2),
  ]);
  return `${table([['Lines', 'Block', 'Confidence'], ...rows], Number.POSITIVE_INFINITY)}\n`;
}
