import type { Layer } from '../resolve/program.ts';

/**
 * Whether a prefix covers a reference. Prefixes match whole segments: `@core` covers `@core/skills`, not
 * `@core-evil/skills`. A reference that climbs with `..` is covered by nothing.
 */
export function covers(prefix: string, reference: string): boolean {
  const start = prefix.replace(/\/+$/, '');
  if (start === '' || !reference.startsWith(start)) return false;
  if (reference.split('/').includes('..')) return false;
  const next = reference[start.length];
  return next === undefined || next === '/' || next === ':' || (next === '@' && !start.startsWith('git@'));
}

/** The longest of the names that covers a reference. */
export function longestCover(names: readonly string[], reference: string): string | undefined {
  let best: string | undefined;
  for (const name of names) {
    if (covers(name, reference) && (best === undefined || name.length > best.length)) best = name;
  }
  return best;
}

/** The first segment of the reference of a layer: `@core`, `github.com`, `@project`. */
export const firstSegment = (layer: Layer): string => layer.reference.split('/')[0]!;
