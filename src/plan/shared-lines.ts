import { endOfLine, eolOf, lineEnd, replaceRange, type SharedFormat } from './shared-format.ts';

/** The owned part of a text. */
interface Part {
  readonly from: number;
  readonly to: number;
  /** The range of lines that are removed together with the last entry. */
  readonly around?: { readonly start: number; readonly end: number };
}

/** A text with one entry per line. Blank lines and comments (`#`) are not entries and are kept. */
export const linesFormat = listFormat();

/**
 * A list of patterns for Git with an owned part between two comments. Everything else belongs to the user and
 * is kept.
 */
export const blockFormat = listFormat(['# prs: generated files', '# prs: end of generated files']);

/** A list of lines. If a text does not have the part between the lines of `marks`, it is appended with them. */
function listFormat(marks?: readonly [string, string]): SharedFormat {
  const read = (text: string): Part | { readonly problem: string; readonly offset: number } | undefined => {
    if (!marks) return { from: 0, to: text.length };
    const start = lineAt(text, marks[0]);
    if (start === -1) return undefined;
    const to = lineAt(text, marks[1], start);
    if (to === -1) return { problem: `the line \`${marks[1]}\` is missing`, offset: start };
    return { from: lineEnd(text, start), to, around: { start, end: lineEnd(text, to) } };
  };
  const partOf = (text: string): Part | undefined => {
    const part = read(text);
    return part && 'to' in part ? part : undefined;
  };
  const entriesOf = (text: string, part = partOf(text)) =>
    part ? lineEntries(text, part.from, part.to) : [];
  const marked = (lines: readonly string[]) => (marks ? [marks[0], ...lines, marks[1]] : lines);
  return {
    parse(text) {
      const part = read(text);
      return part && 'problem' in part ? part : { value: entriesOf(text).map(entry => entry.text) };
    },

    change(text, [index], value) {
      const part = partOf(text);
      const entries = entriesOf(text, part);
      const entry = entries[Number(index)];
      if (value === undefined) {
        const { start, end } =
          entries.length === 1 && part?.around
            ? part.around
            : { start: entry!.start, end: lineEnd(text, entry!.start) };
        return replaceRange(text, start, end, '');
      }
      if (entry) return replaceRange(text, entry.start, entry.end, String(value));
      const eol = eolOf(text);
      const to = part?.to ?? text.length;
      const added = part ? [String(value)] : marked([String(value)]);
      const isLine = to === 0 || text[to - 1] === '\n';
      return replaceRange(text, to, to, (isLine ? '' : eol) + added.map(line => line + eol).join(''));
    },

    isBare: text => text.trim() === '',

    create: value =>
      marked(value as readonly string[])
        .map(line => `${line}\n`)
        .join(''),
  };
}

/** The entries of a part of a text with their offsets. */
export const lineEntries = (text: string, from = 0, to = text.length) =>
  [...text.slice(from, to).matchAll(/[^\r\n]+/g)]
    .map(({ 0: line, index }) => ({ text: line, start: from + index, end: from + index + line.length }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'));

function lineAt(text: string, line: string, from = 0): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const isStart = at === 0 || text[at - 1] === '\n';
    if (isStart && endOfLine(text, at) === at + line.length) return at;
  }
  return -1;
}
