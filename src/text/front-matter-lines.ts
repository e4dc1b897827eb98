/** Offsets of front matter in a text. */
export interface FrontMatterLines {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

const opening = /^\ufeff?---[ \t]*(?:\r\n?|\n)/;
const closing = /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g;

/**
 * Finds the lines between a `---` in the first line of a text and the next `---` or `...`; `undefined` when
 * one of them is missing. The caller decides whether this is front matter or text between two thematic
 * breaks.
 */
export function findFrontMatter(text: string): FrontMatterLines | undefined {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  closing.lastIndex = start;
  const close = closing.exec(text);
  return close ? { start, end: close.index, bodyStart: close.index + close[0].length } : undefined;
}
