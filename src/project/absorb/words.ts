import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Hunk } from './hunks.ts';
import { isString, nodesOf } from './prs-source.ts';
import type { SourceChange } from './workspace.ts';

/** Fewer words are names, patterns and values of lists, for which each tool may have its own words. */
const minProse = 3;

/** Lower-case words; those of camel-case names count one by one. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map(word => word.toLowerCase());

type Texts = ReadonlyMap<string, string>;

/**
 * Words that sources would lose although the edit does not remove them: where a line only names an item, its deletion
 * must not delete the item's text, which other tools have.
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

/** Texts of a source for readers: lines of Markdown without names of fields, and sentences of `.prs` sources. */
function proseOf(file: string, text: string): string[] {
  if (isMarkdownPath(file)) {
    const { lines } = readFrontMatter(text);
    return text.split('\n').map((line, at) => (at < lines ? line.replace(/^[\w-]+:/, '') : line));
  }
  if (!file.endsWith('.prs')) return [];
  const texts = nodesOf({ name: file, text }).filter(isString);
  return texts.flatMap(({ value }) => value.split('\n')).filter(one => wordsOf(one).length >= minProse);
}

/** Pairs of texts of other generated files that a change of the sources changes; the second is missing where one is gone. */
const changedTexts = (before: Texts, after: Texts, path: string) =>
  [...before]
    .filter(([file, text]) => file !== path && after.get(file) !== text)
    .map(([file, text]) => ({ file, text, now: after.get(file) }));

/** Words that another generated file would lose although the edit does not remove them. */
export function wordsLostElsewhere(
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

/** A text without the comments of its front matter, which are the user's in a file with a layout of its own. */
function withoutComments(text: string): string {
  const { lines } = readFrontMatter(text);
  const isKept = (line: string, at: number) => at >= lines || !/^\s*#/.test(line);
  return text.split('\n').filter(isKept).join('\n');
}

/**
 * Words that another generated file would say more often although the edit adds none of them: a value that gave two was
 * split, and the file says both now. `isStrict`: also words that are new to the file.
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
