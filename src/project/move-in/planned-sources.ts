import { join } from 'node:path';
import { addUse } from '../../migrate/entry.ts';
import { metaBlock } from '../../migrate/import/document.ts';
import type { UseDeclaration } from '../../syntax/ast.ts';
import { documentOf } from '../../syntax/build.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument } from '../../syntax/print.ts';
import { entryPath } from '../../text/places.ts';
import type { WithDisk, WithReport } from '../session/world.ts';
import type { SourceFile } from '../write/write-sources.ts';

export const configPath = 'instr.yaml';

/** Whether the path of a source is free, taken by other content, or has exactly the planned bytes. */
export function stateOf(
  { path, text }: Pick<SourceFile, 'path' | 'text'>,
  root: string,
  { disk }: WithDisk,
): 'new' | 'changed' | 'unchanged' {
  const full = join(root, path);
  if (disk.lstat(full) === undefined) return 'new';
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const present = bytesOfFile(full, { disk });
  return present && Buffer.compare(present, bytes) === 0 ? 'unchanged' : 'changed';
}

/** The content of a file. Anything else at its path is detected by the write. */
export const bytesOfFile = (path: string, { disk }: WithDisk): Uint8Array | undefined =>
  disk.stat(path)?.kind === 'file' ? disk.readBytes(path) : undefined;

/**
 * The entry with additional references: an existing entry gets those that it lacks, a new one contains only these.
 * Returns `undefined`, after reporting, when the entry cannot be read.
 */
export function entryWith(
  uses: readonly UseDeclaration[],
  name: string,
  root: string,
  { disk, report }: WithDisk & WithReport,
): SourceFile | undefined {
  const bytes = bytesOfFile(join(root, entryPath), { disk });
  if (!bytes) {
    return { path: entryPath, text: printDocument(documentOf([metaBlock(name), ...uses])) };
  }
  const source = decodeSource(entryPath, bytes, report);
  if (!source) return undefined;
  let { text } = source;
  for (const one of uses) {
    const line = printDocument(documentOf([one])).trim();
    if (!text.includes(line.slice('@use '.length)))
      text = addUse(parseDocument({ ...source, text }, report), line, true);
  }
  return { path: entryPath, text };
}
