import { parseDocument } from '../../syntax/parse.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Hunk } from './hunks.ts';

/** What a change of a source does to its text. */
export interface Rewritten {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Texts of fewer words are names, patterns and values of lists, which each tool may have its own words for. */
const leastOfProse = 3;

/**
 * Words that sources would lose although the edit takes nothing of the kind away: a line that only names an item goes
 * with it from one file, and the item's text, which other tools have, would go from the sources.
 */
export function lostFromSources(changes: readonly Rewritten[], removed: readonly string[]): string[] {
  const gone = new Set(removed.flatMap(wordsOf));
  const lost = new Set<string>();
  for (const { file, before, after } of changes) {
    const now = new Set(wordsOf(after));
    const kept = new Set(textsOf(file, after));
    for (const text of textsOf(file, before))
      if (!kept.has(text))
        for (const word of wordsOf(text)) if (!now.has(word) && !gone.has(word)) lost.add(word);
  }
  return [...lost];
}

/**
 * Words that another generated file would lose with an edit that does not take them away: an item that a tool has no
 * more. `before` and `after` are texts by path.
 */
export function lostElsewhere(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  path: string,
  removed: readonly string[],
): string[] {
  const gone = new Set([...removed, path].flatMap(wordsOf));
  for (const [file, text] of before) {
    const now = after.get(file);
    if (file === path || now === text) continue;
    const kept = new Set(wordsOf(now ?? ''));
    const lost = [...new Set(wordsOf(withoutRemarks(text)))].filter(
      word => !kept.has(word) && !gone.has(word),
    );
    if (lost.length >= leastOfProse && (now !== undefined || !gone.has(wordsOf(file).at(-2) ?? '')))
      return lost;
  }
  return [];
}

/**
 * A text without comments of its front matter: in a file in the layout of its user nothing of the sources says them, and
 * they go with that layout, as with any change of the sources.
 */
function withoutRemarks(text: string): string {
  const { lines } = readFrontMatter(text);
  return text
    .split('\n')
    .filter((line, at) => at >= lines || !/^\s*#/.test(line))
    .join('\n');
}

/**
 * Words that another generated file would say more often than before though the edit brings none of them: a value that
 * stood for two was taken apart, and the file says both now. `strict`: also words that it did not say at all, which
 * are otherwise those of a layout.
 */
export function repeatedElsewhere(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  path: string,
  { removed, added }: Pick<Hunk, 'removed' | 'added'>,
  strict: boolean,
): string[] {
  const came = countWords(added.join('\n'));
  const gone = countWords(removed.join('\n'));
  for (const [file, text] of before) {
    const now = after.get(file);
    if (file === path || now === undefined || now === text) continue;
    const had = countWords(text);
    const more = [...countWords(now)].filter(([word, count]) => {
      const old = had.get(word) ?? 0;
      return (strict || old > 0) && count > old && (came.get(word) ?? 0) <= (gone.get(word) ?? 0);
    });
    if (more.length >= (strict ? 1 : leastOfProse)) return more.map(([word]) => word);
  }
  return [];
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The texts of a source that somebody is meant to read: lines of Markdown, without names of fields, sentences of others. */
function textsOf(file: string, text: string): string[] {
  if (isMarkdownPath(file)) {
    const { lines } = readFrontMatter(text);
    return text.split('\n').map((line, at) => (at < lines ? line.replace(/^[\w-]+:/, '') : line));
  }
  if (!file.endsWith('.prs')) return [];
  const texts: string[] = [];
  collectTexts(parseDocument({ name: file, text }, () => {}).declarations, texts);
  return texts.filter(one => wordsOf(one).length >= leastOfProse);
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as { kind?: unknown; value?: unknown };
  if (node.kind === 'string') texts.push(...String(node.value).split('\n'));
  else for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) collectTexts(part, texts);
}

/** Lower-case words; those of names that are written together count one by one. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map(word => word.toLowerCase());
