import type { Document, UseDeclaration } from '../syntax/ast.ts';
import { splitReference } from '../syntax/reference.ts';

/** The import and inherit declarations of a document. */
export const importsOf = ({ declarations }: Document) =>
  declarations.filter((one): one is UseDeclaration => one.kind === 'use' || one.kind === 'inherit');

/**
 * Adds a `@use` to the text of an entry file, after the existing imports, else after `@meta`. The rest of the
 * text does not change; an entry with this import is returned unchanged. `clauses` follow the reference;
 * `apart` adds a blank line before the first import.
 */
export function addUse(
  document: Document,
  reference: string,
  { clauses = '', apart = false }: { readonly clauses?: string; readonly apart?: boolean } = {},
): string {
  const { source, declarations } = document;
  const { text } = source;
  const imports = importsOf(document);
  const { path } = splitReference(reference);
  if (imports.some(({ kind, reference: known }) => kind === 'use' && known.path === path)) return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const after =
    imports.at(-1) ??
    declarations.find(declaration => declaration.kind === 'block' && declaration.name === 'meta');
  const line = `@use ${reference}${clauses}`;
  if (!after) return `${line}${end}${apart ? end : ''}${text}`;
  const rest = text.indexOf('\n', after.span.end);
  const at = rest === -1 ? text.length : rest + 1;
  const before = rest === -1 ? text + end : text.slice(0, at);
  const gap = imports.length > 0 || !apart ? '' : end;
  return `${before}${gap}${line}${end}${text.slice(at)}`;
}
