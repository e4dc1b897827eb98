import type { DocumentFile, FileSpec } from '../generated/types/target.ts';
import { ownTitle } from './document/read/layout.ts';
import { openMarkdown, trimLines } from './document/read/markdown.ts';
import { readProse } from './document/read/prose.ts';
import { reader as entries } from './entries/read.ts';
import { reader as items, readGuard } from './items/read.ts';
import type { FileOf, Reader } from './kind.ts';
import { partOfWholeFile } from './read/parts.ts';
import { reader as scripts } from './scripts/read.ts';

/**
 * Private notes are a single text. Any other document is prose, or a rule when its front matter has globs.
 */
const document: Reader<DocumentFile> = {
  read: async (source, { of }, reading) => {
    const file = await openMarkdown(source, reading.report);
    const guard = readGuard(file, undefined, reading);
    if (guard.fields.has('applyTo')) return [partOfWholeFile(guard, source, reading.report)];
    if (of !== 'local') return readProse(file, reading);
    return [
      {
        block: 'local',
        content: { kind: 'text', text: withoutOwnTitle(file.body) },
        startLine: file.front.lines + 1,
        endLine: source.text.split(/\r\n?|\n/).length,
        confidence: 1,
      },
    ];
  },
};

/** Removes the heading of private notes, because the compiler writes it again. */
const withoutOwnTitle = (notes: string): string =>
  notes.startsWith(`## ${ownTitle('local')}\n`) ? trimLines(notes.slice(notes.indexOf('\n'))) : notes;

/** The readers of the kinds in `table.ts`; settings files contain nothing of a program. */
const table: { readonly [K in FileSpec['kind']]: Reader<FileOf<K>> | undefined } = {
  document,
  items,
  entries,
  settings: undefined,
  scripts,
};

const readers: Readonly<Record<FileSpec['kind'], Reader | undefined>> = table;

/** The reader of an entry; `undefined` when its files contain nothing of a program. */
export const readerOf = (file: FileSpec): Reader | undefined => readers[file.kind];
