import type { Source, Span } from '../text/source.ts';
import type { Declaration } from './ast.ts';

/**
 * A copy of a declaration that was parsed from another version of its file, as if parsed from `source` at `start`.
 * The text of both must be the same.
 */
export function moveDeclaration(declaration: Declaration, source: Source, start: number): Declaration {
  if (declaration.span.source === source && declaration.span.start === start) return declaration;
  return move(declaration, source, start - declaration.span.start) as Declaration;
}

function move(node: unknown, source: Source, shift: number): unknown {
  if (Array.isArray(node)) return node.map(item => move(item, source, shift));
  if (typeof node !== 'object' || node === null) return node;
  if (isSpan(node)) return { source, start: node.start + shift, end: node.end + shift };
  const copy: Record<string, unknown> = {};
  // The names of the fields are those of ast.ts, so a plain object is safe here; user keys are values.
  for (const [name, value] of Object.entries(node)) {
    copy[name] = name === 'contentStart' ? (value as number) + shift : move(value, source, shift);
  }
  return copy;
}

const isSpan = (node: object): node is Span => 'source' in node && 'start' in node && 'end' in node;
