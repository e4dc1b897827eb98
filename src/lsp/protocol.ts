import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Hover, Location, Position, Range, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { groupBy } from '../text/group.ts';
import { positionAt, type Source, type Span } from '../text/source.ts';

/** URI scheme of read-only sources without a local file: files of registries. */
export const remoteScheme = 'instr-source';

/** LSP positions start at 0, those of findings at 1; both count UTF-16 code units. */
function toPosition(source: Source, offset: number): Position {
  const { line, column } = positionAt(source, offset);
  return { line: line - 1, character: column - 1 };
}

/** Converts a span to an LSP range. */
export const toRange = ({ source, start, end }: Span): Range => ({
  start: toPosition(source, start),
  end: toPosition(source, end),
});

/** The empty range at the start of a line. */
export function lineStart(line: number, character = 0): Range {
  return { start: { line, character }, end: { line, character } };
}

/** The range for findings about a whole file. */
export const fileStart: Range = lineStart(0);

/** Converts an LSP position to an offset. A position beyond the end of a line is the end of the line. */
export const toOffset = (text: string, position: Position): number =>
  TextDocument.create('', '', 0, text).offsetAt(position);

/** The absolute path of a document; `undefined` when it is not a file. */
export function toPath(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The URI of a source: a file below the project root, or a file of a registry. */
export const toUri = (root: string, name: string, isRemote: boolean): string =>
  isRemote
    ? `${remoteScheme}:/${name.split('/').map(encodeURIComponent).join('/')}`
    : pathToFileURL(join(root, name.split('/').join(sep))).href;

/** The name of a registry file in findings, by its URI; `undefined` for a local file. */
export const remoteName = (uri: string): string | undefined =>
  uri.startsWith(`${remoteScheme}:`)
    ? uri
        .slice(remoteScheme.length + 1)
        .replace(/^\/+/, '')
        .split('/')
        .map(decodeURIComponent)
        .join('/')
    : undefined;

/** Finds the URI of a file by the name that findings have for it. */
export type UriOf = (name: string) => string;

/** Converts a span to an LSP location. */
export const toLocation = (span: Span, uriOf: UriOf): Location => ({
  uri: uriOf(span.source.name),
  range: toRange(span),
});

/** Converts edits of several files to edits by document. */
export const toChanges = (
  edits: readonly { readonly span: Span; readonly text: string }[],
  uriOf: UriOf,
): Record<string, TextEdit[]> =>
  Object.fromEntries(
    [...groupBy(edits, ({ span }) => uriOf(span.source.name))].map(([uri, all]) => [
      uri,
      all.map(({ span, text }) => ({ range: toRange(span), newText: text })),
    ]),
  );

/** Markdown about a span. */
export const toHover = (value: string | undefined, span?: Span): Hover | null =>
  value ? { contents: { kind: 'markdown', value }, ...(span && { range: toRange(span) }) } : null;
