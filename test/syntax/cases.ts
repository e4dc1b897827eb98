/** Shared by the tests of the parser and the command that writes their expectations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '../../src/syntax/ast.ts';
import { decodeSource } from '../../src/syntax/decode.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { positionAt, type Span } from '../../src/text/source.ts';
import { casesBeside } from '../support/cases.ts';

/** The diagnostics of `input.prs`, and its AST if the case has an `ast.json`. */
export const cases = casesBeside(import.meta.url, ['diagnostics.txt', 'ast.json'], folder => {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const source = decodeSource('input.prs', readFileSync(join(folder, 'input.prs')), report);
  const document = source && parseDocument(source, report);
  const shows = existsSync(join(folder, 'ast.json')) && document;
  return { 'diagnostics.txt': diagnostics.map(describe).join(''), ...(shows && { 'ast.json': astText(document) }) };
});

const place = ({ source, start }: Span) => {
  const { line, column } = positionAt(source, start);
  return `${line}:${column}`;
};

/** `line:column code message`, with the hint and related places indented below. */
export function describe({ code, message, hint, span, related = [], rule }: Diagnostic): string {
  const where = span ? place(span) : '-';
  const lines = [`${where} ${code}${rule ? ` [${rule}]` : ''} ${message}`, `    ${hint}`];
  for (const other of related) lines.push(`    ${place(other.span)} ${other.message}`);
  return `${lines.join('\n')}\n`;
}

/** The AST as JSON, with spans as `line:column-line:column` for reviewers. */
export function astText({ source, declarations }: Document): string {
  const show = (_: string, node: unknown): unknown => {
    if (typeof node !== 'object' || node === null || !('source' in node) || !('start' in node)) return node;
    const { start, end } = node as Span;
    const from = positionAt(source, start);
    const to = positionAt(source, end);
    return `${from.line}:${from.column}-${to.line}:${to.column}`;
  };
  return `${JSON.stringify(declarations, show, 2)}\n`;
}
