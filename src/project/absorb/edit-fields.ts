import { type Fields, type FormedFile, isFields, isRead, readFields, type Unreadable } from './data.ts';
import { type Hunk, isBlank, withHunk } from './hunks.ts';

/** A hunk of a planned file, and the fields of the file before it, after it, and with all edits of the disk. */
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

/** Why an edit must be refused whatever the sources could say: the fields of the edited file cannot be read. */
export function brokenReason({ hunk, before, onDisk }: FieldsOfEdit): string | undefined {
  if (!isRead(before)) return undefined;
  const isWithin = isInside(hunk, before);
  if (onDisk === undefined) return isWithin ? openFrontMatter : undefined;
  const isOutside = hunk.at >= before.end || hunk.at + hunk.removed.length <= before.from;
  return isRead(onDisk) || (isOutside && !isWithin) ? undefined : unreadable(onDisk);
}

/** Why the sources cannot say what was edited in the fields or the whole text of an item, as far as the lines tell. */
export function fieldReason({ hunk, edited, before, after, onDisk }: FieldsOfEdit): string | undefined {
  if (!before && edited.every(isBlank)) return wholeText;
  if (!isRead(before)) return undefined;
  if (!isInside(hunk, before))
    return hunk.at > before.end && edited.slice(before.end + 1).every(isBlank) ? wholeText : undefined;
  if (after === undefined || (isRead(after) && !isInside({ ...hunk, removed: hunk.added }, after)))
    return openFrontMatter;
  // A part of an edit may be invalid where the whole edit is valid.
  if (!isRead(after)) return isRead(onDisk) ? undefined : unreadable(after);
  const [had, has] = [before.data, after.data];
  if (!isFields(had) || !isFields(has)) return undefined;
  const gone = Object.keys(had).filter(key => !Object.hasOwn(has, key));
  return gone.length > 0
    ? `the file has ${gone.map(key => `\`${key}\``).join(', ')} whatever the sources say`
    : undefined;
}
