import { scan } from '../text/headings.ts';
import { dirname, join, normalize, relative } from '../text/posix.ts';

/** A mention such as `@docs/style.md`: at the start of a line or behind white space, never inside back-ticks. */
const mention = /(?<=^|\s)@([^\s`]+)/g;
const codeSpan = /(`+)[^`].*?\1(?!`)/g;

/**
 * Paths that the text of `path` imports with `@`, in order, each once, relative to the project root.
 * Only mentions of files that are there count; code is left aside, as every client that expands them does.
 */
export function importsOf(path: string, text: string, has: (path: string) => boolean): string[] {
  if (!text.includes('@')) return [];
  const found = new Set<string>();
  scan(text.split('\n'), line => {
    if (!line.includes('@')) return;
    const plain = line.replace(codeSpan, span => ' '.repeat(span.length));
    for (const [, written] of plain.matchAll(mention)) {
      const target = resolveMention(path, written!, has);
      if (target !== undefined && target !== path) found.add(target);
    }
  });
  return [...found];
}

/** Punctuation that ends a sentence is no part of a path, unless a file is called so. */
function resolveMention(from: string, written: string, has: (path: string) => boolean): string | undefined {
  if (written.startsWith('~') || written.startsWith('/')) return undefined;
  for (const name of [written, written.replace(/[.,;:!?)\]]+$/, '')]) {
    const path = normalize(join(dirname(from), name));
    if (!path.startsWith('../') && has(path)) return path;
  }
  return undefined;
}

/** The line that makes a file import another one in its folder or below. */
export const importLine = (from: string, to: string): string => `@${relative(dirname(from), to)}`;
