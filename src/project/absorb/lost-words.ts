import { isMarkdownPath } from '../../text/places.ts';

/** What a change of a source does to its text. */
export interface Rewritten {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Fewer words in a line are names, patterns and values of lists, which each tool may have its own words for. */
const leastOfProse = 3;

/**
 * Words that sources would lose although the edit takes nothing of the kind away: a line that only names an item goes
 * with it from one file, and the item's text, which other tools have, would go from the sources.
 */
export function lostWords(changes: readonly Rewritten[], removed: readonly string[]): string[] {
  const gone = new Set(removed.flatMap(wordsOf));
  const lost = new Set<string>();
  for (const { file, before, after } of changes) {
    const now = new Map<string, number>();
    for (const word of wordsOf(after)) now.set(word, (now.get(word) ?? 0) + 1);
    const kept = new Set(after.split('\n'));
    const proseOf = isMarkdownPath(file) ? wordsOf : proseIn;
    for (const line of before.split('\n'))
      if (!kept.has(line))
        for (const word of proseOf(line)) if (!now.has(word) && !gone.has(word)) lost.add(word);
  }
  return [...lost];
}

/** The words that a line of a `.prs` source says, without the names of its fields. */
function proseIn(line: string): string[] {
  const said = line.replace(/(?<![\w"])#.*$|@[\w-]+|[\w-]+[!?]?:(?=\s)|"[^"\s]*"(?::)?/g, ' ');
  const words = wordsOf(said);
  return words.length < leastOfProse ? [] : words;
}

/** Lower-case words; those of names that are written together count one by one. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map(word => word.toLowerCase());
