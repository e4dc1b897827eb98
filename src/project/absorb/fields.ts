import { diffArrays } from 'diff';
import type { SharedFile } from '../../kinds/output.ts';
import { type DataFormat, dataFormatOf, parseData } from '../../kinds/read/parse-data.ts';
import type { Data } from '../../model/model.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { findFrontMatter, readFrontMatter } from '../../text/front-matter.ts';
import { type Hunk, isBlank, withHunk } from './hunks.ts';

/** A step of the path to a value: a name, or an index from 0. */
export type Key = string | number;

/** A value by its path; `undefined` removes it, `isNew` inserts it into a list at that index. */
export interface Change {
  readonly path: readonly Key[];
  readonly value: Data | undefined;
  readonly isNew?: boolean;
}

/** A file; `format` is that of its owner, when the extension does not show it. */
export interface FormedFile {
  readonly path: string;
  readonly format?: SharedFile['format'];
}

/** The fields of a file: its front matter, or the whole file. */
export interface Fields {
  readonly data: Data;
  /** The range of their lines. */
  readonly from: number;
  readonly end: number;
}

/** The error in the fields of a file, and its line. */
interface Unreadable {
  readonly problem: string;
}

/** `undefined` for a text that may have front matter. */
function dataFormat({ path, format }: FormedFile, text: string): DataFormat | undefined {
  if (format !== undefined && format !== 'lines' && format !== 'block')
    return format === 'jsonc' ? 'json' : format;
  const named = dataFormatOf(path);
  return named === 'yaml' && findFrontMatter(text) ? undefined : named;
}

/** The fields of a file; `undefined` when there are none. */
export async function readFields(
  file: FormedFile,
  lines: readonly string[],
): Promise<Fields | Unreadable | undefined> {
  const text = lines.join('\n');
  const format = dataFormat(file, text);
  const front = format === undefined ? findFrontMatter(text) : undefined;
  if (format === undefined && !front) return undefined;
  const read = await parseData(front ? text.slice(front.start, front.end) : text, format ?? 'yaml');
  if ('problem' in read) {
    const at = read.line === undefined ? '' : ` at line ${read.line + (front ? 1 : 0)}`;
    return { problem: read.problem + at };
  }
  if (!isObject(read.data)) return { problem: 'they are no fields' };
  const end = front ? text.slice(0, front.end).split('\n').length - 1 : lines.length;
  return { data: read.data, from: front ? 1 : 0, end };
}

/** Whether a file has fields that are valid. */
export const isRead = (fields: Fields | Unreadable | undefined): fields is Fields =>
  fields !== undefined && 'data' in fields;

/** The fields of front matter that is invalid YAML, read in the way tools read it. */
export function readLoosely(lines: readonly string[]): Fields | undefined {
  const { fields, lines: count } = readFrontMatter(lines.join('\n'));
  return count === 0 ? undefined : { data: Object.fromEntries(fields), from: 1, end: count - 1 };
}

/** The changes that turn one value into the other; those of a list from its end. */
export function changesOf(
  before: Data | undefined,
  after: Data | undefined,
  path: readonly Key[] = [],
): Change[] {
  if (equalUnordered(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap(key => changesOf(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return changesOfList(before, after, path);
  return [{ path, value: after }];
}

function changesOfList(before: readonly Data[], after: readonly Data[], path: readonly Key[]): Change[] {
  const found: Change[] = [];
  let at = 0;
  let removedAt: number[] = [];
  for (const { added, removed, value } of diffArrays(
    before.map(one => JSON.stringify(one)),
    after.map(one => JSON.stringify(one)),
  )) {
    if (removed) {
      removedAt = value.map((_, index) => at + index);
      for (const index of removedAt) found.push({ path: [...path, index], value: undefined });
    } else if (added) {
      for (const [index, json] of value.entries()) {
        const part = JSON.parse(json) as Data;
        const old = removedAt[index];
        if (old === undefined) found.push({ path: [...path, at], value: part, isNew: true });
        else found[found.findIndex(one => one.path.at(-1) === old)] = { path: [...path, old], value: part };
      }
    }
    if (!added) at += value.length;
    if (!removed) removedAt = [];
  }
  return found.reverse();
}

/** A hunk of a planned file, and the fields of the file before the hunk, after it, and with all edits on disk. */
export interface FieldsOfEdit {
  readonly hunk: Hunk;
  readonly lines: readonly string[];
  readonly edited: readonly string[];
  readonly before: Fields | Unreadable | undefined;
  readonly after: Fields | Unreadable | undefined;
  readonly onDisk: Fields | Unreadable | undefined;
}

export async function readEdit(
  hunk: Hunk,
  file: FormedFile & { readonly disk: readonly string[] },
  lines: readonly string[],
): Promise<FieldsOfEdit> {
  const edited = withHunk(lines, hunk);
  const [before, after, onDisk] = await Promise.all(
    [lines, edited, file.disk].map(one => readFields(file, one)),
  );
  return { hunk, lines, edited, before, after, onDisk };
}

const isInside = ({ at, removed }: Hunk, { from, end }: Fields): boolean =>
  at >= from && at + removed.length <= end;

const unreadable = ({ problem }: Unreadable): string =>
  `the fields of the file cannot be read with it: ${problem}`;

const openFrontMatter = 'it is in the front matter, which does not end there any more';

const wholeText =
  'it is the whole text of the item: to remove the item from the sources, delete the file and run `prs absorb` with its name';

/** The reason to refuse an edit whose fields cannot be read. */
export function unreadableReason({ hunk, before, onDisk }: FieldsOfEdit): string | undefined {
  if (!isRead(before)) return undefined;
  const isWithin = isInside(hunk, before);
  if (onDisk === undefined) return isWithin ? openFrontMatter : undefined;
  const isOutside = hunk.at >= before.end || hunk.at + hunk.removed.length <= before.from;
  return isRead(onDisk) || (isOutside && !isWithin) ? undefined : unreadable(onDisk);
}

/**
 * The reason why an edit of the fields or of the whole text of an item has no equivalent in the sources, judged by
 * its lines.
 */
export function fieldReason({ hunk, edited, before, after, onDisk }: FieldsOfEdit): string | undefined {
  if (!before && edited.every(isBlank)) return wholeText;
  if (!isRead(before)) return undefined;
  if (!isInside(hunk, before))
    return hunk.at > before.end && edited.slice(before.end + 1).every(isBlank) ? wholeText : undefined;
  if (after === undefined || (isRead(after) && !isInside({ ...hunk, removed: hunk.added }, after)))
    return openFrontMatter;
  // A part of an edit may be invalid although the whole edit is valid.
  return isRead(after) || isRead(onDisk) ? undefined : unreadable(after);
}
