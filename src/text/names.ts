/** Names for a message: all of a few, else the first three and how many more. */
export function fewNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/** The same as words of a source. */
export const fewQuoted = (names: readonly string[]): string => fewNames(names.map(name => `\`${name}\``));

/** Words as a choice, each once. */
export function joinWithOr(words: readonly string[]): string {
  const all = [...new Set(words)];
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
