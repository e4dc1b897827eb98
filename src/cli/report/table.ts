import { columnsOf, escapeText } from '../../text/style.ts';
import { wrapWords } from '../../text/wrap.ts';

/** Blanks between two columns. */
const gap = 2;

/** If the last column were narrower than this, rows flow instead. */
const narrowest = 24;

/**
 * Lays out rows; each line ends with a newline. Columns are as wide as their widest cell; the last one is not
 * padded. Text wider than `width` is wrapped in the last column; if that would be too narrow, every row flows
 * on its own.
 */
export function table(cells: readonly (readonly string[])[], width: number): string {
  // A line break in a cell would look like another row.
  const rows = cells.map(row => row.map(cell => escapeText(cell).replaceAll('\n', '<U+000A>')));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell));
    });
  }
  const used = widths.findLastIndex(cells => cells > 0);
  const start = widths.slice(0, used).reduce((sum, cells) => sum + cells + gap, 0);
  const fits = start + (widths[used] ?? 0) <= width;
  if (!fits && width - start < narrowest) return rows.map(row => flow(row, width)).join('');
  return rows.map(row => columns(row, widths, used, start, fits ? Number.POSITIVE_INFINITY : width)).join('');
}

function columns(
  row: readonly string[],
  widths: readonly number[],
  last: number,
  start: number,
  width: number,
): string {
  const cells = row
    .slice(0, last)
    .map((cell, column) => cell + ' '.repeat(widths[column]! + gap - columnsOf(cell)));
  const lines = wrapWords(row[last] ?? '', width - start);
  const text = cells.join('') + lines.join(`\n${' '.repeat(start)}`);
  return `${text.trimEnd()}\n`;
}

/** The cells of a row in sequence, with continuation lines indented. */
function flow(row: readonly string[], width: number): string {
  const indent = /^ */.exec(row[0] ?? '')![0];
  const words = row
    .map(cell => cell.trim())
    .filter(Boolean)
    .join('  ');
  const [first = '', ...rest] = wrapWords(words, width - indent.length - 4);
  return [indent + first, ...rest.map(line => `${indent}    ${line}`)].map(line => `${line}\n`).join('');
}

/** A number with its noun in singular or plural. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
