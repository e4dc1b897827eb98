import { distance } from 'fastest-levenshtein';

/**
 * The candidate that a mistyped word most likely stands for, or `undefined` when none is close.
 * Letter case, `-`, `_` and blanks do not count as differences; of equally close candidates the first wins.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = plain(candidate);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (Math.abs(wanted.length - name.length) > allowed) continue;
    const found = distance(wanted, name);
    if (found <= allowed && found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  // Two-letter words are all one step apart: only a difference of spelling counts there.
  return wanted.length <= 2 && bestDistance > 0 ? undefined : best;
}

/** A sentence that begins a hint, or nothing: `Did you mean \`x\`? `. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = suggest(word, candidates);
  return found === undefined ? '' : `Did you mean \`${found}\`? `;
}

/** Very long words are cut: the distance is quadratic, and nobody mistypes a page. */
const plain = (word: string) =>
  word
    .slice(0, 80)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
