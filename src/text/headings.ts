import { fencedLines } from './fences.ts';
import { joinTexts, linesOf, plainText, replaceText, type Text } from './traced.ts';

const atx = /^ {0,3}(#{1,6})(?=[ \t]|$)/;

/**
 * Calls back for each line outside code fences, with the heading depth or 0 for a line that is not a heading.
 */
export function scanLines(
  lines: readonly string[],
  visit: (line: string, depth: number, index: number) => void,
): void {
  const fenced = fencedLines(lines);
  lines.forEach((line, index) => {
    if (!fenced[index]) visit(line, line.includes('#') ? (atx.exec(line)?.[1]?.length ?? 0) : 0, index);
  });
}

/** The smallest heading depth in a Markdown text outside code fences; 0 without a heading. */
export function minHeadingDepth(text: string): number {
  if (!text.includes('#')) return 0;
  let top = 0;
  scanLines(text.split('\n'), (_, depth) => {
    if (depth > 0 && (top === 0 || depth < top)) top = depth;
  });
  return top;
}

/** Depth of the heading that a text begins with; 0 when it begins with something else. */
export function leadingHeadingDepth(text: string): number {
  return atx.exec(text.trimStart().split('\n', 1)[0]!)?.[1]?.length ?? 0;
}

const wordsOf = (line: string): string =>
  line
    .replace(atx, '')
    .replace(/[ \t]#+[ \t]*$/, '')
    .trim();

/** A heading: its first line, and the line where its content begins. */
interface HeadingLine {
  readonly title: string;
  readonly depth: number;
  readonly start: number;
  readonly body: number;
}

/** The headings of a Markdown text outside code fences, including underlined (setext) ones. */
export function headingLines(lines: readonly string[]): HeadingLine[] {
  const found: HeadingLine[] = [];
  let above = -1;
  scanLines(lines, (line, depth, index) => {
    const title = depth > 0 ? wordsOf(line) : lines[index - 1]?.trim();
    const underline = depth === 0 && above === index - 1 && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
    if (depth > 0) found.push({ title: title!, depth, start: index, body: index + 1 });
    else if (underline)
      found.push({ title: title!, depth: line.includes('=') ? 1 : 2, start: index - 1, body: index + 1 });
    // Only a paragraph can become a setext heading.
    above =
      depth === 0 && !underline && /^ {0,3}[^\s>|]/.test(line) && !/^ {0,3}(?:[-*+]|\d+[.)])\s/.test(line)
        ? index
        : -1;
  });
  return found;
}

/** The titles of all headings of a Markdown text outside code fences, as written. */
export function headingTitles(text: string): string[] {
  const titles: string[] = [];
  if (!text.includes('#')) return titles;
  scanLines(text.split('\n'), (line, depth) => {
    if (depth > 0) titles.push(wordsOf(line));
  });
  return titles;
}

/** Replaces the headings of a text outside code fences; a callback result of `undefined` keeps a heading. */
function changeHeadings<O>(
  text: Text<O>,
  change: (line: Text<O>, depth: number) => Text<O> | undefined,
): Text<O> {
  const all = plainText(text);
  if (!all.includes('#')) return text;
  const lines = linesOf(text);
  scanLines(all.split('\n'), (_, depth, index) => {
    if (depth > 0) lines[index] = change(lines[index]!, depth) ?? lines[index]!;
  });
  return joinTexts(lines, '\n');
}

/** Changes the titles of headings. `wording` gets each title; `undefined` keeps it. */
export const rewordHeadings = <O>(text: Text<O>, wording: (title: string) => Text<O> | undefined): Text<O> =>
  changeHeadings(text, (line, depth) => {
    const words = wording(wordsOf(plainText(line)));
    return words === undefined ? undefined : joinTexts([`${'#'.repeat(depth)} `, words]);
  });

/**
 * Moves the headings of a Markdown text down until the topmost has at least `depth`, so that the text can be
 * placed below a heading. The depth never exceeds six. Code fences do not change.
 */
export function nestHeadings(text: string, depth: number): string;
export function nestHeadings<O>(text: Text<O>, depth: number): Text<O>;
export function nestHeadings<O>(text: Text<O>, depth: number): Text<O> {
  const top = minHeadingDepth(plainText(text));
  const by = depth - top;
  if (top === 0 || by <= 0) return text;
  return changeHeadings(text, (line, own) => replaceText(line, atx, () => '#'.repeat(Math.min(6, own + by))));
}

/** Moves the headings of a Markdown text up by a number of levels. The depth never gets below 1. */
export const raiseHeadings = (text: string, by: number): string =>
  plainText(
    changeHeadings(text, (line, depth) => plainText(line).replace(atx, '#'.repeat(Math.max(1, depth - by)))),
  );

/** Whether a line without indentation begins a list item. */
export const isListItem = (line: string): boolean => /^(?:[-*+]|\d+[.)])\s/.test(line);
