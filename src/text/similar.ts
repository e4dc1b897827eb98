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
    const found = isSwap(wanted, name) ? 1 : distance(wanted, name);
    if (found <= allowed && found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  // Two-letter words are all one step apart: only a difference of spelling counts there.
  return wanted.length <= 2 && bestDistance > 0 ? undefined : best;
}

/** Two neighbouring letters in the wrong order are one slip of the fingers, not two. */
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

/** A sentence that begins a hint, or nothing: `Did you mean \`x\`? `. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = suggest(word, candidates);
  return found === undefined ? '' : `Did you mean \`${found}\`? `;
}

/** A word as it is compared, cut at a length: the distance takes quadratic time. */
const plain = (word: string) =>
  word
    .slice(0, 80)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
