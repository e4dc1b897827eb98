import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Hunk } from './hunks.ts';
import { isString, nodesOf } from './prs-source.ts';
import type { SourceChange } from './workspace.ts';

/** A text with fewer words is a name, a pattern or a list value, which each tool may write differently. */
const minProse = 3;

/** Lower-case words; camel-case names are split. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map(word => word.toLowerCase());

type Texts = ReadonlyMap<string, string>;

/**
 * Words that the sources would lose although the edit does not remove them. Example: deleting a line that only names
 * an item must not delete the text of the item, which other tools have.
 */
export function lostFromSources(changes: readonly SourceChange[], removed: readonly string[]): string[] {
  const gone = new Set(removed.flatMap(wordsOf));
  const lost = changes.flatMap(({ path, before = '', after = '' }) => {
    const now = new Set(wordsOf(after));
    const kept = new Set(proseOf(path, after));
    const texts = proseOf(path, before).filter(text => !kept.has(text));
    return texts.flatMap(wordsOf).filter(word => !now.has(word) && !gone.has(word));
  });
  return [...new Set(lost)];
}

/** The prose of a source: lines of Markdown without field names, and sentences of `.prs` sources. */
function proseOf(file: string, text: string): string[] {
  if (isMarkdownPath(file)) {
    const { lines } = readFrontMatter(text);
    return text.split('\n').map((line, at) => (at < lines ? line.replace(/^[\w-]+:/, '') : line));
  }
  if (!file.endsWith('.prs')) return [];
  const texts = nodesOf({ name: file, text }).filter(isString);
  return texts.flatMap(({ value }) => value.split('\n')).filter(one => wordsOf(one).length >= minProse);
}

/**
 * Pairs of texts of other generated files, before and after a change of the sources; the second is missing when the
 * file disappears.
 */
const changedTexts = (before: Texts, after: Texts, path: string) =>
  [...before]
    .filter(([file, text]) => file !== path && after.get(file) !== text)
    .map(([file, text]) => ({ file, text, now: after.get(file) }));

/** Words that another generated file would lose although the edit does not remove them. */
export function wordsLostInOthers(
  before: Texts,
  after: Texts,
  path: string,
  removed: readonly string[],
): string[] {
  const gone = new Set([...removed, path].flatMap(wordsOf));
  for (const { file, text, now } of changedTexts(before, after, path)) {
    const kept = new Set(wordsOf(now ?? ''));
    const had = new Set(wordsOf(withoutComments(text)));
    const lost = [...had].filter(word => !kept.has(word) && !gone.has(word));
    if (lost.length >= minProse && (now !== undefined || !gone.has(wordsOf(file).at(-2) ?? ''))) return lost;
  }
  return [];
}

/** A text without the comments of its front matter, which are the user's when the file has its own layout. */
function withoutComments(text: string): string {
  const { lines } = readFrontMatter(text);
  const isKept = (line: string, at: number) => at >= lines || !/^\s*#/.test(line);
  return text.split('\n').filter(isKept).join('\n');
}

/**
 * Words that another generated file would repeat although the edit does not add them: a value with two outputs was
 * split, and the file now contains both. `isStrict`: also words that are new in the file.
 */
export function repeatedInOthers(
  before: Texts,
  after: Texts,
  path: string,
  { removed, added }: Pick<Hunk, 'removed' | 'added'>,
  isStrict: boolean,
): string[] {
  const [came, gone] = [countWords(added.join('\n')), countWords(removed.join('\n'))];
  for (const { text, now } of changedTexts(before, after, path)) {
    const had = countWords(text);
    const more = [...countWords(now ?? '')].filter(([word, count]) => {
      const old = had.get(word) ?? 0;
      return (isStrict || old > 0) && count > old && (came.get(word) ?? 0) <= (gone.get(word) ?? 0);
    });
    if (more.length >= (isStrict ? 1 : minProse)) return more.map(([word]) => word);
  }
  return [];
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
