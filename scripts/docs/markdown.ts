/** Helpers for Markdown. */

/** Text for a table cell: on one line, with escaped bars. */
export const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');

export const code = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
};

/** A table. Empty columns are omitted. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_, index) => rows.some(row => (row[index] ?? '') !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, index) => kept[index]).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(row => line(row.map(cell)))].join('\n');
}

/** The anchor that Markdown renderers generate for a heading. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
