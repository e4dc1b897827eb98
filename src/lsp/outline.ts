import { type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver';
import type { Declaration, Document, Field } from '../syntax/ast.ts';
import { tokensOf } from '../syntax/lexer.ts';
import { positionAt, type Source, type Span } from '../text/source.ts';
import { toRange } from './protocol.ts';

/** The declarations of a source with their fields. */
export const symbolsIn = ({ declarations }: Document): DocumentSymbol[] => declarations.map(symbolOf);

function symbolOf(declaration: Declaration): DocumentSymbol {
  const { kind } = declaration;
  const range = toRange(declaration.span);
  if (kind === 'use' || kind === 'inherit') {
    const { path, version, span } = declaration.reference;
    const name = `@${kind} ${version === undefined ? path : `${path}@${version}`}`;
    return { name, kind: SymbolKind.Module, range, selectionRange: toRange(span) };
  }
  const [name, span] =
    kind === 'block'
      ? [declaration.name, declaration.nameSpan]
      : [`${kind} ${declaration.path.segments.map(one => one.name).join('.')}`, declaration.path.span];
  const children = fieldsOf(declaration.body?.items ?? []);
  return { name: `@${name}`, kind: SymbolKind.Class, range, selectionRange: toRange(span), children };
}

const fieldsOf = (items: readonly { readonly kind: string }[]): DocumentSymbol[] =>
  items.flatMap(item => (item.kind === 'field' ? [fieldSymbol(item as Field)] : []));

function fieldSymbol({ key, keySpan, span, value }: Field): DocumentSymbol {
  const entry = value?.kind === 'object';
  return {
    // Editors reject an empty name.
    name: key.trim() || '""',
    kind: entry ? SymbolKind.Object : SymbolKind.Property,
    range: toRange(span),
    selectionRange: toRange(keySpan),
    ...(entry && { children: fieldsOf(value.fields) }),
  };
}

/** Folds for braces, brackets and multi-line texts. */
export function foldsIn(source: Source): FoldingRange[] {
  const folds: FoldingRange[] = [];
  const open: Span[] = [];
  const lineOf = (offset: number) => positionAt(source, offset).line - 1;
  const fold = (startLine: number, endLine: number) => {
    if (endLine > startLine) folds.push({ startLine, endLine });
  };
  for (const token of tokensOf(source)) {
    if (token.type === 'text') fold(lineOf(token.start), lineOf(token.end));
    else if (/^l(?:brace|bracket|paren)$/.test(token.type)) open.push(token);
    else if (/^r(?:brace|bracket|paren)$/.test(token.type)) {
      const opener = open.pop();
      // The line of the closing bracket stays visible.
      if (opener) fold(lineOf(opener.start), lineOf(token.start) - 1);
    }
  }
  return folds.sort((a, b) => a.startLine - b.startLine);
}
