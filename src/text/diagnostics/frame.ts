import { type Cell, cellsOf } from '../display.ts';
import { maskSecrets } from '../secrets.ts';
import { lineText, positionAt, type Span } from '../source.ts';
import type { Palette } from './palette.ts';

/** The number of lines shown of a longer span. */
const maxLines = 3;

/**
 * Renders the source lines of a span with carets below it. Lines longer than `width` columns are cut to a
 * window around the carets. Text that looks like a credential is masked.
 */
export function renderFrame(
  span: Span,
  width: number,
  paint: (text: string) => string,
  palette: Palette,
): string[] {
  const start = positionAt(span.source, span.start);
  const end = positionAt(span.source, Math.max(span.start, span.end));
  // A span that ends in column 1 does not include that line.
  const last = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
  const shown = Math.min(last, start.line + maxLines - 1);
  const gutter = String(shown).length;
  const room = Math.max(20, width - gutter - 5);
  const lines: string[] = [];
  for (let line = start.line; line <= shown; line++) {
    const text = lineText(span.source, line);
    const from = line === start.line ? Math.min(start.column - 1, text.length) : indentOf(text);
    const to = line === end.line ? end.column - 1 : text.length;
    const { shown: visible, before, length } = layOut(text, from, Math.max(to, from), room);
    lines.push(`  ${palette.dim(`${String(line).padStart(gutter)} |`)} ${visible}`.trimEnd());
    if (length > 0 && (line === start.line || text.trim() !== ''))
      lines.push(
        `  ${palette.dim(`${' '.repeat(gutter)} |`)} ${' '.repeat(before)}${paint('^'.repeat(length))}`,
      );
  }
  if (last > shown) lines.push(`  ${palette.dim(`${' '.repeat(gutter)} |`)} …`);
  return lines;
}

const indentOf = (text: string): number => /^\s*/.exec(text)![0].length;

/** Returns the visible part of a line, the columns before the carets, and the number of carets. */
function layOut(
  text: string,
  from: number,
  to: number,
  room: number,
): { shown: string; before: number; length: number } {
  // Very long lines are cut before they are measured. A margin of a few windows on both sides is enough.
  const margin = 4 * room;
  const cutStart = Math.max(0, from - margin);
  const cut = maskSecrets(text.slice(cutStart, Math.max(from, Math.min(to, from + margin)) + margin));
  const cells = cellsOf(cut);
  const first = cells.findIndex(cell => cell.end + cutStart > from);
  const head = first === -1 ? cells.length : first;
  let tail = head;
  while (tail < cells.length && cells[tail]!.start + cutStart < to) tail += 1;
  const cutEnd = cutStart + cut.length < text.length;
  const window = chooseWindow(cells, head, tail, room, cutStart > 0, cutEnd);
  const lead = window.from > 0 || cutStart > 0 ? '…' : '';
  const trail = window.to < cells.length || cutEnd ? '…' : '';
  const visible = cells.slice(window.from, window.to);
  const before = lead.length + widthOf(cells.slice(window.from, Math.min(head, window.to)));
  const marked = widthOf(cells.slice(head, Math.min(tail, window.to)));
  return {
    shown: lead + visible.map(cell => cell.text).join('') + trail,
    before,
    length: from === to || marked === 0 ? (from <= text.length ? 1 : 0) : marked,
  };
}

/**
 * Chooses the range of cells that fits into `room` columns. In a longer line, a third of the window lies left
 * of the carets.
 */
function chooseWindow(
  cells: readonly Cell[],
  head: number,
  tail: number,
  room: number,
  cutBefore: boolean,
  cutAfter: boolean,
): { from: number; to: number } {
  if (!cutBefore && !cutAfter && widthOf(cells) <= room) return { from: 0, to: cells.length };
  const space = room - 2;
  const marked = Math.min(widthOf(cells.slice(head, tail)), space);
  let left = Math.min(Math.floor(space / 3), space - marked);
  let from = head;
  while (from > 0 && cells[from - 1]!.width <= left) {
    from -= 1;
    left -= cells[from]!.width;
  }
  let to = from;
  let used = 0;
  while (to < cells.length && used + cells[to]!.width <= space) {
    used += cells[to]!.width;
    to += 1;
  }
  // When the line ends inside the window, the unused columns show more text on the left.
  while (to === cells.length && from > 0 && used + cells[from - 1]!.width <= space) {
    from -= 1;
    used += cells[from]!.width;
  }
  return { from, to };
}

const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0);
