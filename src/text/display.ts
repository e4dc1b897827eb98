import { findHidden } from './hidden.ts';

/** A piece of a displayed line and the offset in the text that it represents. */
export interface Cell {
  readonly text: string;
  /** Width in terminal columns. */
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

const tabStop = 4;

/**
 * Splits a line into cells: tabs become blanks, hidden and control characters become their code point (so
 * that a line can neither hide text nor control the terminal), and wide characters count twice.
 */
export function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  const push = (text: string, width: number, start: number, end: number) => {
    cells.push({ text, width, start, end });
    column += width;
  };
  const hidden = hiddenIn(line);
  for (const { segment, index } of segments(line)) {
    if (segment === '\t') {
      const width = tabStop - (column % tabStop);
      push(' '.repeat(width), width, index, index + 1);
    } else if (hidden.size > 0) {
      showHidden(segment, index, hidden, push);
    } else push(segment, widthOf(segment), index, index + segment.length);
  }
  return cells;
}

/** Splits a segment so that each hidden character in it becomes a cell such as `<U+202E>`. */
function showHidden(
  segment: string,
  index: number,
  hidden: ReadonlyMap<number, string>,
  push: (text: string, width: number, start: number, end: number) => void,
): void {
  let from = 0;
  for (let at = 0; at < segment.length; ) {
    const length = segment.codePointAt(at)! > 0xffff ? 2 : 1;
    const name = hidden.get(index + at);
    if (name !== undefined) {
      if (at > from)
        push(segment.slice(from, at), widthOf(segment.slice(from, at)), index + from, index + at);
      const shown = `<${name}>`;
      push(shown, shown.length, index + at, index + at + length);
      from = at + length;
    }
    at += length;
  }
  if (from < segment.length)
    push(segment.slice(from), widthOf(segment.slice(from)), index + from, index + segment.length);
}

/** Characters that control a terminal or change the display order, in any context. */
const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g;

function hiddenIn(text: string): Map<number, string> {
  if (isPlain(text)) return new Map();
  const named = [...text.matchAll(steering)].map(({ 0: found, index }) => [index, nameOf(found)] as const);
  return new Map([...findHidden(text).map(({ start, name }) => [start, name] as const), ...named]);
}

const nameOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Escapes a text for a terminal: line breaks and tabs stay, all other control and hidden characters become
 * `<U+202E>`.
 */
export function escapeForTerminal(text: string): string {
  const hidden = hiddenIn(text);
  if (hidden.size === 0) return text;
  return Array.from(text.matchAll(/[\s\S]/gu), ({ 0: character, index }) => {
    const name = hidden.get(index);
    return name === undefined ? character : `<${name}>`;
  }).join('');
}

const isPlain = (text: string): boolean => !/[^\x20-\x7e\n\t]/.test(text);

let segmenter: Intl.Segmenter | undefined;

/** Splits a line into grapheme clusters. ASCII text does not need the segmenter, which is slow to create. */
function* segments(line: string): Iterable<{ segment: string; index: number }> {
  if (isPlain(line)) {
    for (let index = 0; index < line.length; index++) yield { segment: line[index]!, index };
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  yield* segmenter.segment(line);
}

/** The number of columns of one grapheme cluster: two for wide East Asian characters and emoji. */
export function widthOf(segment: string): number {
  const point = segment.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/^\p{M}+$/u.test(segment)) return 0;
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(segment)) return 2;
  return /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u.test(
    segment,
  )
    ? 2
    : 1;
}
