import { upgradeTooNew } from '../generated/diagnostics.ts';
import type { Declaration, Document } from '../syntax/ast.ts';
import { parseDocument } from '../syntax/parse.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { compareVersions, newestSyntax } from '../text/version.ts';

/**
 * Converts a source to the newest syntax, preserving comments and layout. Returns `undefined` after reporting
 * when it cannot be parsed, or its version is newer than the program. Fragments without `@meta` declare no syntax
 * and use that of the file that imports them.
 */
export function upgradeSource(source: Source, report: Report) {
  const document = parseWhole(source, report);
  if (!document) return undefined;
  const from = declaredSyntax(document)?.version;
  if (from === undefined || from === newestSyntax) return { text: source.text, from, changes: [] };
  if (compareVersions(from, newestSyntax) > 0) {
    report(upgradeTooNew({ path: source.name, version: from, newest: newestSyntax }, { file: source.name }));
    return undefined;
  }
  const isMoved = compareVersions(from, '1.5.0') < 0 && !isOrdered(document.declarations);
  const ordered = isMoved ? parseWhole({ ...source, text: inOrder(document) }, report) : document;
  if (!ordered) return undefined;
  const { span } = declaredSyntax(ordered)!;
  const { text } = ordered.source;
  // The value keeps its quotes.
  const written = text.slice(span.start, span.end).replace(from, newestSyntax);
  return {
    text: text.slice(0, span.start) + written + text.slice(span.end),
    from,
    changes: [
      ...(isMoved ? ['declarations are in the order in which they took effect'] : []),
      `syntax is ${newestSyntax}`,
    ],
  };
}

function parseWhole(source: Source, report: Report): Document | undefined {
  let broken = false;
  const document = parseDocument(source, (diagnostic: Diagnostic) => {
    if (diagnostic.severity !== 'error') return;
    broken = true;
    report(diagnostic);
  });
  return broken ? undefined : document;
}

/** The `syntax` field of `@meta`, if it is a valid version. */
function declaredSyntax({ declarations }: Document) {
  for (const declaration of declarations) {
    if (declaration.kind !== 'block' || declaration.name !== 'meta') continue;
    for (const item of declaration.body.items) {
      if (item.kind !== 'field' || item.key !== 'syntax' || !item.value) continue;
      const { value } = item;
      const version = value.kind === 'number' ? value.raw : value.kind === 'string' ? value.value : '';
      if (/^\d+(?:\.\d+){0,2}$/.test(version)) return { version, span: value.span };
    }
  }
  return undefined;
}

/**
 * Before 1.5.0 the order of application was inherit, use, blocks and extend, regardless of position. Now
 * declarations are applied from top to bottom: each moves, with the comments above it, to where it used to
 * take effect.
 */
function inOrder({ source: { text }, declarations }: Document): string {
  const parts: { readonly rank: number; readonly text: string }[] = [];
  let start = 0;
  for (const declaration of declarations) {
    const end = lineEnd(text, declaration.span.end);
    parts.push({ rank: rank(declaration), text: text.slice(start, end) });
    start = end;
  }
  parts.sort((a, b) => a.rank - b.rank);
  // The former first declaration needs a blank line above it.
  const joined = parts.map(({ text: part }, index) => {
    if (index === 0) return part.replace(/^(?:[ \t]*\r?\n)+/, '');
    return /^\s*\n/.test(part) ? part : `\n${part}`;
  });
  return joined.join('') + text.slice(start);
}

function rank(declaration: Declaration): number {
  if (declaration.kind === 'block') return declaration.name === 'meta' ? 0 : 3;
  return { inherit: 1, use: 2, extend: 4, override: 5 }[declaration.kind];
}

const isOrdered = (declarations: readonly Declaration[]): boolean =>
  declarations.every(
    (declaration, index) => index === 0 || rank(declarations[index - 1]!) <= rank(declaration),
  );

/** Text on the same line, such as a comment, belongs to the declaration before it. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  const stop = end === -1 ? text.length : end + 1;
  return /^[ \t]*(?:#[^\n]*)?\r?\n?$/.test(text.slice(from, stop)) ? stop : from;
}
