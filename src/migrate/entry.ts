import type { Document } from '../syntax/ast.ts';

/**
 * The text of an entry file with one more `@use`, placed behind the imports that are there, else behind `@meta`. Text
 * and comments stay as they are; an entry that uses the reference already is given back unchanged.
 */
export function addUse(document: Document, reference: string): string {
  const { source, declarations } = document;
  const { text } = source;
  if (
    declarations.some(declaration => declaration.kind === 'use' && declaration.reference.path === reference)
  )
    return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const imports = declarations.filter(({ kind }) => kind === 'use' || kind === 'inherit');
  const after =
    imports.at(-1) ??
    declarations.find(declaration => declaration.kind === 'block' && declaration.name === 'meta');
  const line = `@use ${reference}`;
  if (!after) return `${line}${end}${end}${text}`;
  const rest = text.indexOf('\n', after.span.end);
  const at = rest === -1 ? text.length : rest + 1;
  const before = rest === -1 ? text + end : text.slice(0, at);
  const gap = imports.length > 0 ? '' : end;
  return `${before}${gap}${line}${end}${text.slice(at)}`;
}
