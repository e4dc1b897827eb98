import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Location, Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { positionAt, type Source, type Span } from '../text/source.ts';

/** Scheme of sources that lie in no folder of the user: files of registries, which can be read and not written. */
export const remoteScheme = 'instr-source';

/** Positions of the protocol count from 0, those of findings from 1; both count UTF-16 units. */
export function toPosition(source: Source, offset: number): Position {
  const { line, column } = positionAt(source, offset);
  return { line: line - 1, character: column - 1 };
}

/** A span as a range of the protocol. */
export const toRange = ({ source, start, end }: Span): Range => ({
  start: toPosition(source, start),
  end: toPosition(source, end),
});

/** The place for findings about a whole file. */
export const fileStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Offset of a position of the protocol; behind the end of a line it is that end. */
export const toOffset = (text: string, position: Position): number =>
  TextDocument.create('', '', 0, text).offsetAt(position);

/** Absolute path of a document; `undefined` for what is no file. */
export function toPath(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Where a source of a project is found: a file below its root, or a file of a registry. */
export const toUri = (root: string, name: string, isRemote: boolean): string =>
  isRemote
    ? `${remoteScheme}:/${name.split('/').map(encodeURIComponent).join('/')}`
    : pathToFileURL(join(root, name.split('/').join(sep))).href;

/** The name in findings of a file of a registry, by its address in the editor; `undefined` for a file of the disk. */
export const remoteName = (uri: string): string | undefined =>
  uri.startsWith(`${remoteScheme}:`)
    ? uri
        .slice(remoteScheme.length + 1)
        .replace(/^\/+/, '')
        .split('/')
        .map(decodeURIComponent)
        .join('/')
    : undefined;

/** A span as a location of the protocol. */
export const toLocation = (uri: string, span: Span): Location => ({ uri, range: toRange(span) });
