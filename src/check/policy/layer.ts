/**
 * Whether a prefix covers a reference. Prefixes match whole segments: `@core` covers `@core/skills`, not
 * `@core-evil/skills`. A reference with `..` is never covered.
 */
export function covers(prefix: string, reference: string): boolean {
  const start = prefix.replace(/\/+$/, '');
  if (start === '' || !reference.startsWith(start)) return false;
  if (reference.split('/').includes('..')) return false;
  const next = reference[start.length];
  return next === undefined || next === '/' || next === ':' || (next === '@' && !start.startsWith('git@'));
}

/** Whether a prefix covers a source by one of its names; `git@host:path` is also `host/path`. */
export const coversAny = (prefix: string, names: readonly string[]): boolean => {
  const plain = prefix.replace(/^[^/@:\s]+@([^/:@\s]+):/, '$1/').replace(/\.git(?=\/|$)/, '');
  return names.some(name => covers(prefix, name) || (plain !== prefix && covers(plain, name)));
};

/** The longest prefix that covers a source by one of its names. */
export function longestCover(prefixes: readonly string[], names: readonly string[]): string | undefined {
  let best: string | undefined;
  for (const prefix of prefixes) {
    if (coversAny(prefix, names) && (best === undefined || prefix.length > best.length)) best = prefix;
  }
  return best;
}

/** The first segment of a name: `@core`, `github.com`, `@project`. */
export const firstSegment = (name: string): string => name.split('/')[0]!;
