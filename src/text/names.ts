/**
 * Lists names in a message: all of them when they are few, else the first three and the number of the rest.
 */
export function fewNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/** The same with each name as code. */
export const fewQuoted = (names: readonly string[]): string => fewNames(names.map(name => `\`${name}\``));

/** At most `most` lines, and one that tells the number of the rest. */
export const fewLines = (
  lines: readonly string[],
  most: number,
  tell: (rest: number) => string,
): readonly string[] => (lines.length <= most ? lines : [...lines.slice(0, most), tell(lines.length - most)]);

/** Joins words with commas and "or", without duplicates. */
export function joinWithOr(words: readonly string[]): string {
  const all = [...new Set(words)];
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
