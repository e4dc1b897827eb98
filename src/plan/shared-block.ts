import type { SharedFormat } from './shared-format.ts';
import { entriesOf } from './shared-lines.ts';

const start = '# prs: generated files';
const end = '# prs: end of generated files';

/**
 * A list of Git's with a part between two comments that is ours: the entries are the lines of that part. Everything
 * else is the user's and stays.
 */
export const blockFormat: SharedFormat = {
  parse(text) {
    const begin = lineAt(text, start);
    if (begin !== -1 && lineAt(text, end, begin) === -1)
      return { problem: `the line \`${end}\` is missing`, offset: begin };
    return { value: linesIn(text).map(({ text }) => text) };
  },

  set(text, [index], value) {
    const entry = linesIn(text)[Number(index)];
    if (entry) return text.slice(0, entry.start) + String(value) + text.slice(entry.end);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const begin = lineAt(text, start);
    if (begin === -1) {
      const before = text === '' || text.endsWith('\n') ? text : text + eol;
      return `${before}${[start, String(value), end].join(eol)}${eol}`;
    }
    const at = lineAt(text, end, begin);
    return `${text.slice(0, at)}${String(value)}${eol}${text.slice(at)}`;
  },

  remove(text, [index]) {
    const lines = linesIn(text);
    if (lines.length === 1) {
      const begin = lineAt(text, start);
      return text.slice(0, begin) + text.slice(lineEnd(text, lineAt(text, end, begin)));
    }
    const line = lines[Number(index)]!;
    return text.slice(0, line.start) + text.slice(lineEnd(text, line.start));
  },

  isBare: text => text.trim() === '',

  comparable: value => value,

  create: value => [start, ...(value as readonly string[]), end].map(line => `${line}\n`).join(''),
};

/** The entries of our part, with where they stand in the text. */
function linesIn(text: string): { readonly text: string; readonly start: number; readonly end: number }[] {
  const begin = lineAt(text, start);
  if (begin === -1) return [];
  const from = lineEnd(text, begin);
  return entriesOf(text.slice(from, lineAt(text, end, from))).map(entry => ({
    text: entry.text,
    start: entry.start + from,
    end: entry.end + from,
  }));
}

/** Where a line that says nothing else begins; -1: there is none. */
function lineAt(text: string, line: string, from = 0): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const behind = text[at + line.length];
    if ((at === 0 || text[at - 1] === '\n') && (behind === undefined || /[\r\n]/.test(behind))) return at;
  }
  return -1;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}
