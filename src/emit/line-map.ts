import type { Origin } from '../model/origin.ts';
import { linesOf, plain, type Run, type Traced } from '../text/traced.ts';

/** A line of an output with the origins of its characters, in order. */
export interface MappedLine {
  readonly text: string;
  readonly runs: readonly Run<Origin>[];
}

/** A line with runs by its own columns. */
const mapped = (line: Traced<Origin> | string): MappedLine =>
  typeof line === 'string' ? { text: line, runs: [] } : line;

/**
 * Every line of a file with its origins: exact for what was written as it was made, by the position of its words for
 * what a formatter laid out anew. `made` is the text before formatting.
 */
export async function mapLines(made: Traced<Origin>, content: string): Promise<readonly MappedLine[]> {
  if (content === made.text) return linesOf<Origin>(made).map(mapped);
  const before = wordsOf(made.text);
  const after = wordsOf(content);
  const sources = await alignWords(before, after);
  return mapFormatted(made, content, after, sources);
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words without the numbers of list items, which formatters count anew. */
function wordsOf(text: string): Word[] {
  const marks = new Set(
    [...text.matchAll(/^[ \t]*(\d+)[.)](?=[ \t])/gm)].map(match => match.index + match[0].indexOf(match[1]!)),
  );
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(match =>
    marks.has(match.index)
      ? []
      : [{ text: match[0], start: match.index, end: match.index + match[0].length }],
  );
}

/** For each word of the later text the one it was; formatting moves words and seldom changes one. */
async function alignWords(
  before: readonly Word[],
  after: readonly Word[],
): Promise<readonly (Word | undefined)[]> {
  const same = before.length === after.length && before.every(({ text }, at) => text === after[at]!.text);
  if (same) return before;
  const { diffArrays } = await import('diff');
  const sources: (Word | undefined)[] = [];
  let at = 0;
  const texts = [before, after].map(words => words.map(({ text }) => text)) as [string[], string[]];
  for (const { added, removed, count } of diffArrays(...texts)) {
    if (removed) at += count;
    else for (let n = 0; n < count; n++) sources.push(added ? undefined : before[at++]);
  }
  return sources;
}

function mapFormatted(
  made: Traced<Origin>,
  content: string,
  words: readonly Word[],
  sources: readonly (Word | undefined)[],
): MappedLine[] {
  const old = linesOf<Origin>(made).map(mapped);
  const starts = startsOf(made.text);
  const find = runFinder(made.runs);
  let word = 0;
  let start = 0;
  /** Lines without words, such as fences, are those between the words around them. */
  let next = 0;
  return content.split('\n').map(text => {
    const end = start + text.length;
    const runs: Run<Origin>[] = [];
    for (; word < words.length && words[word]!.start < end; word++) {
      const [now, was] = [words[word]!, sources[word]];
      if (!was) continue;
      next = lineAt(starts, was.start);
      for (const run of find(was)) {
        const shift = Math.max(0, was.start - run.start);
        const at = run.exact ? run.at + shift : run.at;
        runs.push({ ...run, start: now.start - start, end: now.end - start, at });
      }
    }
    if (runs.length === 0 && text.trim() !== '') {
      const same = old.findIndex((line, index) => index >= next && looksLike(plainOf(line), text));
      if (same !== -1) {
        next = same + 1;
        start = end + 1;
        return { text, runs: old[same]!.runs };
      }
    }
    start = end + 1;
    return { text, runs };
  });
}

const plainOf = ({ text }: MappedLine): string => plain(text);

/** Rules, fences and rows of tables, whatever their length. */
const looksLike = (one: string, other: string): boolean => {
  const kind = (text: string) =>
    text
      .trim()
      .replace(/([^\s])\1*/g, '$1')
      .replace(/\s/g, '')
      .replace(/[*_]/g, '-');
  return one.trim() !== '' && kind(one) === kind(other);
};

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Gives a function that finds the runs of a word. */
function runFinder(runs: readonly Run<Origin>[]): (word: Word) => Run<Origin>[] {
  const starts = runs.map(({ start }) => start);
  return ({ start, end }) => {
    const found: Run<Origin>[] = [];
    for (let at = Math.max(0, lineAt(starts, start)); at < runs.length && runs[at]!.start < end; at++)
      if (runs[at]!.end > start) found.push(runs[at]!);
    return found;
  };
}
