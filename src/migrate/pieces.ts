import type { MappedBlock } from '../kinds/document/read/map.ts';
import { fencedLines } from '../text/fences.ts';
import { isListItem } from '../text/headings.ts';

/** With at least this share of common pieces, two parts are versions of one another. */
export const similarityThreshold = 0.5;

/** The block that already contains a text, or a version of it. */
export function blockOfText(text: string, parts: readonly MappedBlock[]): string | undefined {
  const pieces = splitText(text).filter(piece => !/^#+\s/.test(piece));
  return parts.find(part => {
    if (part.content.kind === 'fields' || part.content.kind === 'parameters') return false;
    const others = piecesOf(part).filter(piece => !/^#+\s/.test(piece));
    return commonShare(others, pieces) >= similarityThreshold && keepsOrder(others, pieces);
  })?.block;
}

/** The list items and paragraphs of a text, which are compared and counted. */
export function piecesOf({ content }: MappedBlock): string[] {
  switch (content.kind) {
    case 'items':
      return [...content.items];
    case 'pairs':
      return content.pairs.map(pair => pair.join(': '));
    case 'parameters':
      return content.parameters.map(({ name, value }) => `${name}: ${value}`);
    case 'fields':
      return splitText(String(content.fields.get('content') ?? ''));
    case 'text':
      return splitText(content.text);
  }
}

/** Splits at blank lines and top-level list items; code fences stay whole. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.some(line => line.trim() !== '')) pieces.push(open.join('\n').trimEnd());
    open = [];
  };
  const lines = text.split('\n');
  const fenced = fencedLines(lines, 'inside');
  for (const [index, line] of lines.entries()) {
    if (!fenced[index] && (line.trim() === '' || isListItem(line))) close();
    open.push(line);
  }
  close();
  return pieces.map(piece => piece.replace(/^\n+/, ''));
}

/** A piece without list marker, case and blanks. */
export const normalizePiece = (text: string): string =>
  text
    .replace(/^(?:[-*+]|\d+[.)]|#+)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Whether two lists of pieces are equal. */
export const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((piece, index) => normalizePiece(piece) === normalizePiece(b[index]!));

/** The share of common pieces in the shorter list. */
export function commonShare(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const normalized = new Set(a.map(normalizePiece));
  const common = b.filter(piece => normalized.has(normalizePiece(piece))).length;
  return common / Math.min(a.length, b.length);
}

/** Whether the common pieces are in the same order. */
export function keepsOrder(a: readonly string[], b: readonly string[]): boolean {
  const pairs = commonPieces(a, b);
  const normalized = new Set(a.map(normalizePiece));
  return pairs.length === b.filter(piece => normalized.has(normalizePiece(piece))).length;
}

/** Indexes of the common pieces, in order. */
export const commonPieces = (a: readonly string[], b: readonly string[]): [number, number][] => {
  const left = a.map(normalizePiece);
  const right = b.map(normalizePiece);
  return commonPairs(a.length, b.length, (x, y) => (left[x] === right[y] ? 1 : 0));
};

/** The increasing sequence of index pairs with the greatest total value. */
export function commonPairs(
  left: number,
  right: number,
  worth: (a: number, b: number) => number,
): [number, number][] {
  const sums = Array.from({ length: left + 1 }, () => new Array<number>(right + 1).fill(0));
  for (let a = left - 1; a >= 0; a--)
    for (let b = right - 1; b >= 0; b--) {
      const pair = worth(a, b);
      sums[a]![b] = Math.max(sums[a + 1]![b]!, sums[a]![b + 1]!, pair > 0 ? pair + sums[a + 1]![b + 1]! : 0);
    }
  const pairs: [number, number][] = [];
  for (let a = 0, b = 0; a < left && b < right; ) {
    const pair = worth(a, b);
    if (pair > 0 && sums[a]![b] === pair + sums[a + 1]![b + 1]!) pairs.push([a++, b++]);
    else if (sums[a]![b] === sums[a + 1]![b]) a++;
    else b++;
  }
  return pairs;
}
