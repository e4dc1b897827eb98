import { globAlternatives } from './paths.ts';
import { plainPath, type Subject, serverAndTool } from './subject.ts';

/**
 * Whether something can be meant by both subjects. It errs towards yes: what is decided by it is whether a permission may be
 * given beside what forbids a part of it.
 */
export function overlap(a: Subject, b: Subject): boolean {
  if (a.kind !== b.kind) return false;
  const others = starPatterns(b);
  return starPatterns(a).some(one => others.some(other => starsMeet(one, other)));
}

/** A subject as patterns in which `*` stands for any characters. */
function starPatterns({ kind, pattern }: Subject): readonly string[] {
  switch (kind) {
    case 'read':
    case 'write':
      return globAlternatives(plainPath(pattern)).map(one => one.replaceAll('?', '*'));
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

/** `git push *` is `git push` as well. */
export const shellAlternatives = (pattern: string): readonly string[] =>
  pattern.endsWith(' *') ? [pattern.slice(0, -2), pattern] : [pattern];

/** Whether two patterns with `*` have a text in common. */
export function starsMeet(a: string, b: string): boolean {
  const literal = (text: string) => (text.includes('*') ? text.slice(0, text.indexOf('*')) : text);
  const length = Math.min(literal(a).length, literal(b).length);
  if (a.slice(0, length) !== b.slice(0, length)) return false;
  // meets[j]: what is left of `a` has a text in common with what is left of `b` from j on.
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
