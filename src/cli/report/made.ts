import { sha256 } from '../../host/hash.ts';
import type { ImportOutcome } from '../../project/move-in/import.ts';
import type { SourceFile } from '../../project/write/write-sources.ts';
import { fewLines } from '../../text/names.ts';
import { plural } from './table.ts';

/** A file that was created, or would be. */
export interface CreatedFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
}

/** A created file in the format of the JSON file list; it has no targets. */
export function createdData({
  path,
  text,
  state,
  executable,
}: CreatedFile & Pick<SourceFile, 'text' | 'executable'>): object {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const mode = executable ? '0755' : '0644';
  return { path, targets: [], state, mode, bytes: bytes.length, sha256: sha256(bytes) };
}

/** Which lines of a file became which block. */
export const blockData = (blocks: ImportOutcome['imported']['blocks']): object[] =>
  blocks.map(({ block, startLine, endLine, confidence }) => ({ block, startLine, endLine, confidence }));

/** The maximum number of listed files; the rest is counted. */
const longest = 40;

/** New and changed files in order. */
function fileList(files: readonly CreatedFile[]): string {
  const lines = files
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path, state }) => path + (state === 'changed' ? ' (changed)' : ''))
    .sort();
  return fewLines(lines, longest, rest => `… and ${plural(rest, 'file')} more (--json lists all)`)
    .map(line => `  ${line}\n`)
    .join('');
}

/** The created files; empty when nothing is new. */
export const createdFilesText = (files: readonly CreatedFile[], dryRun: boolean): string =>
  files.some(({ state }) => state !== 'unchanged')
    ? `${dryRun ? 'Would make' : 'Made'}:\n${fileList(files)}`
    : '';
