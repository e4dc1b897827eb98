import {
  hookLeftInPlace,
  importBroken,
  importKeysKept,
  importNothingKnown,
  permissionLeftInPlace,
} from '../../generated/diagnostics.ts';
import type { Data } from '../../model/model.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { fewQuoted } from '../../text/names.ts';
import { lineSpan, type Source } from '../../text/source.ts';
import type { MappedBlock } from '../document/read/map.ts';
import type { ImportedItem } from './items.ts';
import { type DataFormat, parseData } from './parse-data.ts';

/** The content of a file other than prose. */
export interface ItemsRead {
  readonly items: readonly ImportedItem[];
  /** Why hooks were left out, each as the end of a sentence. */
  readonly unreadable?: readonly string[];
  /** Texts of the lists of blocks. */
  readonly lists?: readonly ListRead[];
  /** Permissions that have no portable form. */
  readonly unread?: readonly string[];
}

/** The texts of a list of a block, or its items without a key. */
export interface ListRead {
  readonly block: string;
  readonly key?: string;
  readonly texts: readonly string[];
}

/** Reads a structured file with `read`. Returns `undefined` after a report when it cannot be parsed. */
export async function readStructured(
  source: Source,
  format: DataFormat,
  report: Report,
  read: (data: Data) => ItemsRead,
): Promise<MappedBlock[] | undefined> {
  const parsed = await parseData(source.text, format);
  if ('problem' in parsed) {
    const span = parsed.line === undefined ? undefined : lineSpan(source, parsed.line);
    report(
      importBroken(
        { path: source.name, format: format.toUpperCase(), problem: parsed.problem },
        { span, file: source.name },
      ),
    );
    return undefined;
  }
  return partsOf(read(parsed.data), source, report);
}

/** Items as parts of a file; `undefined` after a report when there are none. */
export function partsOf(
  { items, unreadable = [], lists = [], unread = [] }: ItemsRead,
  source: Source,
  report: Report,
): MappedBlock[] | undefined {
  for (const reason of unreadable)
    report(hookLeftInPlace({ path: source.name, reason }, { file: source.name }));
  if (unread.length > 0) {
    const texts = fewQuoted(unread);
    report(permissionLeftInPlace({ path: source.name, texts }, { file: source.name }));
  }
  if (items.length === 0 && lists.length === 0) {
    if (unreadable.length === 0 && unread.length === 0)
      report(importNothingKnown({ path: source.name }, { file: source.name }));
    return undefined;
  }
  return [
    ...items.map(item => partOfWholeFile(item, source, report)),
    ...lists.map(list => listOf(list, source)),
  ];
}

/** An item that is the whole file; unknown keys are reported. */
export function partOfWholeFile(item: ImportedItem, source: Source, report: Report): MappedBlock {
  const keys = [...item.unknown.keys()].join(', ');
  const entry = `${item.block}.${item.key}`;
  if (keys !== '') report(importKeysKept({ keys, entry }, { file: source.name }));
  return partOf(item, source);
}

const listOf = ({ block, key, texts }: ListRead, source: Source): MappedBlock => ({
  block,
  ...(key !== undefined && { key }),
  content: { kind: 'items', items: texts },
  ...allLines(source),
});

/** An item as a part that covers its whole file. */
export const partOf = ({ block, key, fields, unknown }: ImportedItem, source: Source): MappedBlock => ({
  block,
  key,
  content: { kind: 'fields', fields: new Map([...fields, ...unknown]) },
  ...allLines(source),
});

const allLines = ({ text }: Source) => ({
  startLine: 1,
  endLine: text.trimEnd().split(/\r\n?|\n/).length,
  confidence: 1,
});
