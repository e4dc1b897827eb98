import type { Document, UseDeclaration } from '../syntax/ast.ts';

/** The import and inherit declarations of a document. */
export const importsOf = ({ declarations }: Document) =>
  declarations.filter((one): one is UseDeclaration => one.kind === 'use' || one.kind === 'inherit');

/**
 * Adds the line of a `@use` to the text of an entry file, after the existing imports, else after `@meta`. The rest
 * of the text does not change. `apart` adds a blank line before the first import.
 */
export function addUse(document: Document, line: string, apart = false): string {
  const { source, declarations } = document;
  const { text } = source;
  const imports = importsOf(document);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const after =
    imports.at(-1) ??
    declarations.find(declaration => declaration.kind === 'block' && declaration.name === 'meta');
  if (!after) return `${line}${end}${apart ? end : ''}${text}`;
  const rest = text.indexOf('\n', after.span.end);
  const at = rest === -1 ? text.length : rest + 1;
  const before = rest === -1 ? text + end : text.slice(0, at);
  const gap = imports.length > 0 || !apart ? '' : end;
  return `${before}${gap}${line}${end}${text.slice(at)}`;
}
