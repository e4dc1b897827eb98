import { findBlock } from '../../resolve/catalogue.ts';
import type { ProvenanceStep } from '../../resolve/program.ts';
import { compileGlobs } from '../../text/globs.ts';
import type { NamesOf } from './kind.ts';

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

/**
 * All ways in which a pattern may write the name of an entry: `@core/skills/review` and `skills.review`,
 * every name of a block, and a command with or without its slash. A name that contains slashes also counts as
 * one segment.
 */
export function qualifiedNames(
  [block, entry]: readonly string[],
  base: ProvenanceStep,
  namesOf: NamesOf,
): string[] {
  const firsts = [...new Set(namesOf(base.layer.reference).map(name => name.split('/')[0]!))];
  const { name = block!, aliases = [] } = findBlock(block!) ?? {};
  const entries = entry === undefined ? [] : [entry, entry.replace(/^\//, ''), entry.replace(/\W*\//g, '')];
  return [...new Set([name, ...aliases])].flatMap(word =>
    [...new Set(entries.length > 0 ? entries : [undefined])].flatMap(part => {
      const names = part === undefined ? [word] : [word, part];
      return [...firsts.map(first => `${first}/${names.join('/')}`), names.join('.')];
    }),
  );
}

/** The compiled pattern of a policy. */
export interface NamePattern {
  /** Whether it matches the name of an entry, or the name of a block whose entries it could match. */
  readonly matches: (name: string) => boolean;
  /** Whether it matches exactly this name. */
  readonly whole: (name: string) => boolean;
  /** Whether it is written for this very name, without wildcards. */
  readonly names: (name: string) => boolean;
}

/** Compiles the pattern of a policy; without a pattern everything matches. */
export function compilePattern(pattern: string | undefined): NamePattern {
  if (pattern === undefined) return { matches: () => true, whole: () => true, names: () => false };
  const make = (glob: string) => compileGlobs([glob], { names: true });
  const dotted = !pattern.includes('/');
  const whole = make(pattern);
  const block = make(dotted ? pattern.split('.')[0]! : pattern.split('/').slice(0, 2).join('/'));
  const isBlock = (name: string) => name.split(dotted ? '.' : '/').length === (dotted ? 1 : 2);
  return {
    whole,
    matches: name => whole(name) || (isBlock(name) && (block(name) || pattern.includes('**'))),
    names: name => !pattern.includes('**') && whole(name),
  };
}
