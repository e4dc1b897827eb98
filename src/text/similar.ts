import { distance } from 'fastest-levenshtein';

/**
 * The candidate that a misspelt word most likely means, or `undefined` when none is close. Case, `-`, `_` and
 * blanks are ignored; of equally close candidates the first wins.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = plain(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (Math.abs(wanted.length - name.length) > allowed) continue;
    const found = isSwap(wanted, name) ? 1 : distance(wanted, name);
    if (found <= allowed && found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  // All two-letter words are one edit apart, so only differences of spelling are accepted there.
  return wanted.length <= 2 && bestDistance > 0 ? undefined : best;
}

/** A transposition of two neighbouring letters counts as one edit, not two. */
function isSwap(word: string, name: string): boolean {
  if (word.length !== name.length) return false;
  let at = 0;
  while (at < word.length && word[at] === name[at]) at++;
  return (
    at + 1 < word.length &&
    word[at] === name[at + 1] &&
    word[at + 1] === name[at] &&
    word.slice(at + 2) === name.slice(at + 2)
  );
}

/** The beginning of a hint, or an empty text: `Did you mean \`x\`? `. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = suggest(word, candidates);
  return found === undefined ? '' : `Did you mean \`${found}\`? `;
}

/** Normalizes a word for comparison. It is cut because the distance takes quadratic time. */
const plain = (word: string) =>
  word
    .slice(0, 80)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
