import { join } from 'node:path';
import { addUse } from '../../migrate/entry.ts';
import type { Compiling, WithDisk, WithReport } from '../../session/world.ts';
import { documentOf } from '../../syntax/build.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument } from '../../syntax/print.ts';
import { entryPath, markdownEntryPath } from '../../text/places.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { Adoption } from './adoption.ts';
import { entryText, entryUses } from './uses.ts';

/**
 * The one text of a project as its entry: nothing but a text and a configuration is needed where every tool gets it in
 * its usual place. `undefined` where more than one text, or blocks, have to be brought.
 */
export function asOneText(adoption: Adoption, root: string, { disk }: WithDisk): Adoption | undefined {
  const [document, ...more] = adoption.documents;
  if (!document || more.length + adoption.brought.length > 0) return undefined;
  const isForAll = adoption.targets.every(({ spec }) => document.targets.includes(spec));
  const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document.bytes.slice(0, 8));
  const isPlain = !/^(?:\ufeff|---)/.test(head);
  if (!isForAll || !isPlain || disk.lstat(join(root, entryPath)) !== undefined) return undefined;
  const renamed = (path: string) => (path === document.source ? markdownEntryPath : path);
  return {
    ...adoption,
    isOneText: true,
    documents: [{ ...document, source: markdownEntryPath }],
    sources: adoption.sources.map(source => ({ ...source, path: renamed(source.path) })),
    adopted: adoption.adopted.map(one => ({ ...one, source: renamed(one.source) })),
  };
}

/** Where a first configuration is written. */
export const configPath = 'instr.yaml';

/** Sources, entry and configuration. An entry that is there gets the references that it does not have. */
export async function allFiles(
  adoption: Adoption,
  name: string,
  root: string,
  config: string | undefined,
  { disk, report }: WithDisk & WithReport,
): Promise<readonly SourceFile[] | undefined> {
  const bytes =
    disk.stat(join(root, entryPath))?.kind === 'file' ? disk.readBytes(join(root, entryPath)) : undefined;
  let entry = entryText(name, adoption);
  if (bytes) {
    const source = decodeSource(entryPath, bytes, report);
    if (!source) return undefined;
    entry = source.text;
    for (const one of entryUses(adoption)) {
      const written = printDocument(documentOf([one]))
        .trim()
        .replace(/^@use /, '');
      if (!entry.includes(written))
        entry = addUse(parseDocument({ ...source, text: entry }, report), written, { apart: true });
    }
  }
  const isText = adoption.documents.some(({ source }) => source === markdownEntryPath);
  return [
    ...adoption.sources,
    ...(isText ? [] : [{ path: entryPath, text: entry }]),
    ...(config === undefined ? [] : [{ path: configPath, text: config }]),
  ];
}

const bytesOf = ({ text }: SourceFile): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

/** Whether the very bytes of a file stand at its path below the root. */
export function isThere(file: SourceFile, root: string, { disk }: WithDisk): boolean {
  const present = disk.readBytes(join(root, file.path));
  return present !== undefined && Buffer.compare(present, bytesOf(file)) === 0;
}

/** Whether something else stands at the path of a file. */
export function differs(file: SourceFile, root: string, context: Compiling): boolean {
  return context.disk.lstat(join(root, file.path)) !== undefined && !isThere(file, root, context);
}
