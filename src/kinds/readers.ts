import type { DocumentFile, FileSpec } from '../generated/types/target.ts';
import { trimBlankLines } from '../text/traced.ts';
import { ownTitle } from './document/read/layout.ts';
import { openMarkdown } from './document/read/markdown.ts';
import { readEntriesFile } from './entries/read.ts';
import { readGuard, readItemFile, readProse } from './items/read.ts';
import type { FileOf, Reader } from './kind.ts';
import { partOfWholeFile } from './read/parts.ts';
import { readScript } from './scripts/read.ts';

/** Private notes are a single text. Other documents are prose, or with globs in front matter a rule. */
const readDocument: Reader<DocumentFile> = async (source, { of }, reading) => {
  const file = await openMarkdown(source, reading.report);
  const guard = readGuard(file, undefined, reading);
  if (guard.fields.has('applyTo')) return [partOfWholeFile(guard, source, reading.report)];
  if (of !== 'local') return readProse(file, reading);
  const { body } = file;
  // The compiler writes the heading of private notes again.
  const isTitled = body.startsWith(`## ${ownTitle('local')}\n`);
  const text = isTitled ? trimBlankLines(body.slice(body.indexOf('\n'))) : body;
  return [
    {
      block: 'local',
      content: { kind: 'text', text },
      startLine: file.front.lines + 1,
      endLine: source.text.split(/\r\n?|\n/).length,
      confidence: 1,
    },
  ];
};

/** The readers of the kinds in `table.ts`; settings files contain nothing of a program. */
const readers: { readonly [K in FileSpec['kind']]: Reader<FileOf<K>> | undefined } = {
  document: readDocument,
  items: readItemFile,
  entries: readEntriesFile,
  settings: undefined,
  scripts: readScript,
};

/** The reader of an entry; `undefined` when its files contain nothing of a program. */
export const readerOf = ({ kind }: FileSpec): Reader | undefined => readers[kind] as Reader | undefined;
