import type { SharedFormat } from './shared-format.ts';

/**
 * A text with an entry on each line, as a list of entries: blank lines, and comments that begin with `#`, are no entries and stay
 * where they are.
 */
export const linesFormat: SharedFormat = {
  parse: text => ({ value: entriesOf(text).map(({ text }) => text) }),

  set(text, [index], value) {
    const entry = entriesOf(text)[Number(index)];
    if (entry) return text.slice(0, entry.start) + String(value) + text.slice(entry.end);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const before = text === '' || text.endsWith('\n') ? text : text + eol;
    return `${before}${String(value)}${eol}`;
  },

  remove(text, [index]) {
    const { start, end } = entriesOf(text)[Number(index)]!;
    const behind = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
    return text.slice(0, start) + text.slice(end + behind);
  },

  isBare: text => text.trim() === '',

  comparable: value => value,

  create: value => (value as readonly string[]).map(line => `${line}\n`).join(''),
};

interface Entry {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines that say something, with where they stand. */
export function entriesOf(text: string): Entry[] {
  return [...text.matchAll(/[^\r\n]+/g)]
    .map(({ 0: line, index }) => ({ text: line, start: index, end: index + line.length }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'));
}
