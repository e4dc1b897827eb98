import type { Declaration } from '../../syntax/ast.ts';
import { compareVersions } from '../../text/version.ts';
import type { Upgrade } from './edit.ts';

/**
 * Before 1.5.0 a file applied inherit, use, blocks and extend in that order, wherever they stood. Now it applies its
 * declarations from top to bottom: those that stand elsewhere move to where they used to take effect, with the
 * comments above them.
 */
export const keepOrder: Upgrade = {
  since: '1.5.0',
  name: 'declarations stand in the order in which they took effect',
  edits: ({ source, declarations }, from) => {
    if (compareVersions(from, '1.5.0') >= 0 || isOrdered(declarations)) return [];
    const { text } = source;
    const pieces: { readonly declaration: Declaration; readonly text: string }[] = [];
    let start = 0;
    for (const declaration of declarations) {
      const end = lineEnd(text, declaration.span.end);
      pieces.push({ declaration, text: text.slice(start, end) });
      start = end;
    }
    const sorted = [...pieces].sort((a, b) => rank(a.declaration) - rank(b.declaration));
    // A piece that begins the file has no blank line above it yet.
    const joined = sorted
      .map(({ text: piece }, index) => (index === 0 ? piece.replace(/^(?:[ \t]*\r?\n)+/, '') : apart(piece)))
      .join('');
    return [{ start: 0, end: start, text: joined }];
  },
};

function rank(declaration: Declaration): number {
  switch (declaration.kind) {
    case 'inherit':
      return 1;
    case 'use':
      return 2;
    case 'block':
      return declaration.name === 'meta' ? 0 : 3;
    case 'extend':
      return 4;
    case 'override':
      return 5;
  }
}

const isOrdered = (declarations: readonly Declaration[]): boolean =>
  declarations.every(
    (declaration, index) => index === 0 || rank(declarations[index - 1]!) <= rank(declaration),
  );

/** What follows on the same line, such as a comment, belongs to what stands before it. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  const stop = end === -1 ? text.length : end + 1;
  return /^[ \t]*(?:#[^\n]*)?\r?\n?$/.test(text.slice(from, stop)) ? stop : from;
}

const apart = (piece: string): string => (/^\s*\n/.test(piece) ? piece : `\n${piece}`);
