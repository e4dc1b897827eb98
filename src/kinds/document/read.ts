import type { DocumentFile } from '../../generated/types/target.ts';
import { readGuard } from '../items/read/guard-file.ts';
import type { Reader } from '../kind.ts';
import { openMarkdown, trimLines } from '../read/markdown-file.ts';
import { wholeFile } from '../read/parts.ts';
import { ownTitle } from './read/layout.ts';
import { readProse } from './read/prose.ts';

/** Private notes are one text; any other document is prose, or a rule when its front matter names files. */
export const reader: Reader<DocumentFile> = {
  read: async (source, { of }, reading) => {
    const file = await openMarkdown(source, reading.report);
    const guard = readGuard(file, undefined, reading);
    if (guard.fields.has('applyTo')) return [wholeFile(guard, source, reading.report)];
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

/** Private notes are one section; its heading is written again. */
const withoutOwnTitle = (notes: string): string =>
  notes.startsWith(`## ${ownTitle('local')}\n`) ? trimLines(notes.slice(notes.indexOf('\n'))) : notes;
