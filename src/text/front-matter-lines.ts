/** Where front matter stands in a text, by offsets. */
export interface FrontMatterLines {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

const opening = /^\ufeff?---[ \t]*(?:\r\n?|\n)/;
const closing = /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g;

/**
 * The lines between the first line of a text, `---`, and the next `---` or `...`; `undefined` without both. Whether
 * they are front matter or stand between two rules of Markdown is decided by the caller.
 */
export function findFrontMatter(text: string): FrontMatterLines | undefined {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  closing.lastIndex = start;
  const close = closing.exec(text);
  return close ? { start, end: close.index, bodyStart: close.index + close[0].length } : undefined;
}
