import { escapeRegex } from '../escape-regex.ts';
import { normalizePathPattern, type Subject, serverAndTool } from './subject.ts';

/**
 * Whether two subjects can match the same thing. In doubt the answer is yes: it decides whether a permission
 * may be granted beside one that denies a part of it.
 */
export function overlap(a: Subject, b: Subject): boolean {
  if (a.kind !== b.kind) return false;
  const others = starPatterns(b);
  return starPatterns(a).some(one => others.some(other => patternsOverlap(one, other)));
}

/** Converts a subject to patterns in which `*` matches any characters. */
function starPatterns({ kind, pattern }: Subject): readonly string[] {
  switch (kind) {
    case 'read':
    case 'write':
      return globAlternatives(normalizePathPattern(pattern)).map(one => one.replaceAll('?', '*'));
    case 'shell':
      return shellAlternatives(pattern);
    case 'mcp': {
      const { server, tool } = serverAndTool(pattern);
      return [`${server}/${tool}`];
    }
    default:
      return [pattern.toLowerCase()];
  }
}

/** `git push *` also matches `git push`. */
const shellAlternatives = (pattern: string): readonly string[] =>
  pattern.endsWith(' *') ? [pattern.slice(0, -2), pattern] : [pattern];

/** Whether some text matches both of two patterns with `*`. */
export function patternsOverlap(a: string, b: string): boolean {
  const literal = (text: string) => (text.includes('*') ? text.slice(0, text.indexOf('*')) : text);
  const length = Math.min(literal(a).length, literal(b).length);
  if (a.slice(0, length) !== b.slice(0, length)) return false;
  // meets[j]: whether some text matches both the rest of `a` and the rest of `b` from index j.
  let meets = Array.from({ length: b.length + 1 }, (_, j) => /^\**$/.test(b.slice(j)));
  for (let i = a.length - 1; i >= 0; i--) {
    const below = meets;
    meets = new Array(b.length + 1).fill(false);
    for (let j = b.length; j >= 0; j--) {
      const other = b[j];
      if (a[i] === '*') meets[j] = below[j] || (j < b.length && meets[j + 1]!);
      else if (other === '*') meets[j] = meets[j + 1]! || below[j]!;
      else meets[j] = other === a[i] && below[j + 1]!;
    }
  }
  return meets[0]!;
}

/**
 * Converts a glob to patterns in which `*` crosses folders: a leading `**` matches nothing or any folders,
 * and `a/**` matches everything below `a`. Each alternative of a whole segment becomes a pattern of its own.
 * A single `*` stays, and so matches more than before.
 */
export function globAlternatives(glob: string): readonly string[] {
  let alternatives = [''];
  const parts = glob.split('/');
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    const end = last ? '' : '/';
    if (part !== '**') alternatives = alternatives.map(one => `${one}${part}${end}`);
    else if (last) alternatives = alternatives.map(one => `${one}*`);
    else alternatives = alternatives.flatMap(one => (one.endsWith('*/') ? [one] : [one, `${one}*/`]));
  }
  return [...new Set(alternatives)];
}

/**
 * Converts a pattern whose `*` crosses folders to globs: `src/*.ts` matches files in `src` and below it. With
 * `narrow`, a star within a name does not cross folders.
 */
export function globsFromStars(text: string, narrow: boolean): readonly string[] {
  const parts = text.split('/').map((part, index, all) => {
    if (part !== '*') return part;
    return index === all.length - 1 ? '**' : '*/**';
  });
  const glob = parts.join('/');
  if (narrow || !hasSingleStar(parts.filter(part => part !== '*/**').join('/'))) return [glob];
  let globs = [''];
  for (const [index, part] of parts.entries()) {
    const end = index === parts.length - 1 ? '' : '/';
    const stars = part === '**' || part === '*/**' ? [part] : deepened(part);
    globs = globs.flatMap(one => stars.map(star => `${one}${star}${end}`));
  }
  return globs;
}

/**
 * Expands a segment with a star: the segment itself, and its two halves with folders between them. Empty when
 * globs cannot express that.
 */
function deepened(part: string): readonly string[] {
  const at = part.indexOf('*');
  if (at === -1) return [part];
  const [before, after] = [part.slice(0, at), part.slice(at)];
  if (/^\*[^*]+\*$/.test(part)) return [`**/${part}`, `**/${part}/**`];
  if (after.lastIndexOf('*') > 0) return [];
  if (before === '') return [`**/${part}`];
  return after === '*' ? [part, `${part}/**`] : [part, `${before}*/**/${after}`];
}

/** Whether a glob contains a single star or a question mark, which do not cross folders. */
export const hasSingleStar = (glob: string): boolean =>
  glob.split('/').some(part => part !== '**' && /[*?]/.test(part));

/** Converts a glob to a regular expression for whole paths relative to the root of the project. */
export function globRegex(glob: string): string {
  const parts = glob.split('/');
  return parts
    .map((part, index) => {
      const last = index === parts.length - 1;
      if (part === '**') return last ? '.*' : '(?:.*/)?';
      const text = escapeRegex(part).replaceAll('\\*', '[^/]*').replaceAll('\\?', '[^/]');
      return last ? text : `${text}/`;
    })
    .join('');
}

/**
 * Converts a `.gitignore` pattern to globs relative to the root of the project. A name matches in every
 * folder, a path from the root, and a folder includes its content. Empty for a negated pattern.
 */
export function ignoredGlobs(pattern: string): readonly string[] {
  const text = pattern.replace(/\s+$/, '').replace(/^\\(?=[!#])/, '');
  if (pattern.startsWith('!') || text === '' || text === '/') return [];
  const isFolder = text.endsWith('/');
  const body = text.replace(/^\/+|\/+$/g, '');
  const isRooted = text.replace(/\/+$/, '').includes('/');
  const glob = isRooted || body.startsWith('**/') ? body : `**/${body}`;
  if (glob.endsWith('/**') || glob === '**') return [glob];
  return isFolder ? [`${glob}/**`] : [glob, `${glob}/**`];
}

/**
 * The inverse: the `.gitignore` patterns that mean exactly these globs, and the globs that remain because no
 * pattern means them alone.
 */
export function ignorePatterns(globs: readonly string[]): {
  readonly patterns: readonly string[];
  readonly others: readonly string[];
} {
  const given = new Set(globs);
  const expressed = new Set<string>();
  const patterns: string[] = [];
  for (const glob of given) {
    if (expressed.has(glob)) continue;
    const body = glob.replace(/\/\*\*$/, '');
    const name = body.startsWith('**/') ? body.slice('**/'.length) : undefined;
    const pattern = name === undefined ? `/${body}` : name.includes('/') ? body : name;
    const found = [pattern, `${pattern}/`].find(one => {
      const stands = ignoredGlobs(one);
      return stands.includes(glob) && stands.every(other => given.has(other));
    });
    if (found === undefined) continue;
    patterns.push(found);
    for (const one of ignoredGlobs(found)) expressed.add(one);
  }
  return { patterns, others: [...given].filter(glob => !expressed.has(glob)) };
}
