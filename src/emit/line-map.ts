import type { Origin } from '../model/model.ts';
import { positionAt } from '../text/source.ts';
import { linesOf, type Run, type Traced } from '../text/traced.ts';

/** A line of an output with the origins of its characters, in order. */
interface MappedLine {
  readonly text: string;
  /** Offsets are columns of the line. */
  readonly runs: readonly Run<Origin>[];
}

/** Maps every line of a file to its origins. A `content` changed by a formatter is aligned by words. */
export async function mapLines(made: Traced<Origin>, content: string): Promise<readonly MappedLine[]> {
  const lines = linesOf<Origin>(made).map(line =>
    typeof line === 'string' ? { text: line, runs: [] } : line,
  );
  if (content === made.text) return lines;
  const words = wordsOf(content);
  return mapFormatted(made.text, lines, content, words, await alignWords(wordsOf(made.text), words));
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words without the numbers of list items, which formatters renumber. */
function wordsOf(text: string): Word[] {
  const numbers = new Set(
    [...text.matchAll(/^[ \t]*(\d+)[.)](?=[ \t])/gm)].map(match => match.index + match[0].indexOf(match[1]!)),
  );
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(({ index }) => !numbers.has(index))
    .map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));
}

/** Aligns each word of the later text with an earlier one; formatting moves words and rarely changes them. */
async function alignWords(
  before: readonly Word[],
  after: readonly Word[],
): Promise<readonly (Word | undefined)[]> {
  const isSame = before.length === after.length && before.every(({ text }, at) => text === after[at]!.text);
  if (isSame) return before;
  const { diffArrays } = await import('diff');
  const sources: (Word | undefined)[] = [];
  let at = 0;
  const textsOf = (words: readonly Word[]) => words.map(({ text }) => text);
  for (const { added, removed, count } of diffArrays(textsOf(before), textsOf(after))) {
    if (removed) at += count;
    else for (let n = 0; n < count; n++) sources.push(added ? undefined : before[at++]);
  }
  return sources;
}

function mapFormatted(
  made: string,
  lines: readonly MappedLine[],
  content: string,
  words: readonly Word[],
  sources: readonly (Word | undefined)[],
): MappedLine[] {
  const source = { name: '', text: made };
  let word = 0;
  let start = 0;
  /** The line of `made` with the last word: a line without words, such as a fence, has the same origin. */
  let last = 0;
  return content.split('\n').map(text => {
    const [first, end] = [start, start + text.length];
    start = end + 1;
    const runs: Run<Origin>[] = [];
    for (; word < words.length && words[word]!.start < end; word++) {
      const [now, was] = [words[word]!, sources[word]];
      if (!was) continue;
      const { line, column } = positionAt(source, was.start);
      const [from, to] = [column - 1, column - 1 + was.text.length];
      last = line - 1;
      for (const run of lines[last]!.runs.filter(one => one.start < to && one.end > from)) {
        const at = run.exact ? run.at + Math.max(0, from - run.start) : run.at;
        runs.push({ ...run, start: now.start - first, end: now.end - first, at });
      }
    }
    return { text, runs: runs.length > 0 || text.trim() === '' ? runs : lines[last]!.runs };
  });
}
