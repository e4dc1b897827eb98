/** A named text that positions of diagnostics refer to. */
export interface Source {
  /** The displayed path: `/`-separated and relative to the project root, or a registry reference. */
  readonly name: string;
  /** The complete decoded text without a byte order mark. */
  readonly text: string;
}

/** A half-open range of UTF-16 offsets in one source. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Line and column, both starting at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line starts are computed once per source, when the first position is needed. */
const lineStarts = new WeakMap<Source, readonly number[]>();

function startsOf(source: Source): readonly number[] {
  let starts = lineStarts.get(source);
  if (!starts) {
    const found = [0];
    for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1)) {
      found.push(at + 1);
    }
    starts = found;
    lineStarts.set(source, starts);
  }
  return starts;
}

/** Converts an offset to line and column. An offset past the end is clamped to the end. */
export function positionAt(source: Source, offset: number): Position {
  const starts = startsOf(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}

/** The start position of a span, with the name of its file. */
export const startOf = ({ source, start }: Span): Position & { readonly file: string } => ({
  file: source.name,
  ...positionAt(source, start),
});

/**
 * The span of a line (counted from 1) without its line end; an empty span at the end of the text when there
 * is no such line.
 */
export function lineSpan(source: Source, line: number): Span {
  const { text } = source;
  const starts = startsOf(source);
  const start = starts[line - 1] ?? text.length;
  const end = Math.max(start, (starts[line] ?? text.length + 1) - 1);
  return { source, start, end: end > start && text[end - 1] === '\r' ? end - 1 : end };
}

/** The text of a line (counted from 1); empty when there is no such line. */
export function lineText(source: Source, line: number): string {
  const { start, end } = lineSpan(source, line);
  return source.text.slice(start, end);
}
