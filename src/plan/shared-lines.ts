import { endOfLine, eolOf, lineEnd, replaceRange, type SharedFormat } from './shared-format.ts';

interface Part {
  readonly from: number;
  readonly to: number;
  /** The range of lines that are removed together with the last entry. */
  readonly around?: { readonly start: number; readonly end: number };
}

/** A text with one entry per line. Blank lines and comments (`#`) are not entries and are kept. */
export const linesFormat = listFormat(text => ({ from: 0, to: text.length }), []);

const start = '# prs: generated files';
const end = '# prs: end of generated files';

/**
 * A list of patterns for Git with an owned part between two comments. Everything else belongs to the user and
 * is kept.
 */
export const blockFormat = listFormat(
  text => {
    const begin = lineAt(text, start);
    if (begin === -1) return undefined;
    const to = lineAt(text, end, begin);
    if (to === -1) return { problem: `the line \`${end}\` is missing`, offset: begin };
    return { from: lineEnd(text, begin), to, around: { start: begin, end: lineEnd(text, to) } };
  },
  [start, end],
);

/** A list of lines. If a text does not have the part, it is appended between the lines of `marks`. */
function listFormat(
  partOf: (text: string) => Part | { readonly problem: string; readonly offset: number } | undefined,
  [before, after]: readonly string[],
): SharedFormat {
  const marked = (lines: readonly string[]) => [before ?? [], lines, after ?? []].flat();
  const entriesOf = (text: string) => {
    const part = partOf(text);
    return part && 'to' in part ? lineEntries(text, part.from, part.to) : [];
  };
  const remove = (text: string, index: number) => {
    const entries = entriesOf(text);
    const part = partOf(text);
    if (entries.length === 1 && part && 'around' in part)
      return replaceRange(text, part.around.start, part.around.end, '');
    const { start } = entries[index]!;
    return replaceRange(text, start, lineEnd(text, start), '');
  };
  return {
    parse(text) {
      const part = partOf(text);
      return part && 'problem' in part ? part : { value: entriesOf(text).map(entry => entry.text) };
    },

    change(text, [index], value) {
      if (value === undefined) return remove(text, Number(index));
      const entry = entriesOf(text)[Number(index)];
      if (entry) return replaceRange(text, entry.start, entry.end, String(value));
      const eol = eolOf(text);
      const part = partOf(text);
      const to = part && 'to' in part ? part.to : text.length;
      const lines = part ? [String(value)] : marked([String(value)]);
      const isLine = to === 0 || text[to - 1] === '\n';
      return replaceRange(text, to, to, (isLine ? '' : eol) + lines.map(line => line + eol).join(''));
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
