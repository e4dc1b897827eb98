import { diffArrays } from 'diff';
import type { KeyEdit, OutputFile, SharedFile } from '../../kinds/output.ts';
import { type DataFormat, dataFormatOf, parseData } from '../../kinds/read/parse-data.ts';
import { valueAt } from '../../model/data.ts';
import type { Data, DataObject, ValueSource } from '../../model/model.ts';
import { isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Node } from '../../resolve/program.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { findFrontMatter, readFrontMatter } from '../../text/front-matter.ts';
import { groupBy } from '../../text/group.ts';
import { positionAt } from '../../text/source.ts';
import { placeOf, startsWith } from '../explain/shared-lines.ts';
import { type Hunk, withHunk } from './hunks.ts';

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

/** The reason to refuse an edit whose fields cannot be read. */
export function unreadableReason({ hunk, before, onDisk }: FieldsOfEdit): string | undefined {
  if (!isRead(before)) return undefined;
  const isWithin = isInside(hunk, before);
  if (onDisk === undefined) return isWithin ? openFrontMatter : undefined;
  const isOutside = hunk.at >= before.end || hunk.at + hunk.removed.length <= before.from;
  return isRead(onDisk) || (isOutside && !isWithin) ? undefined : unreadable(onDisk);
}

/** An entry of a block, and the source that declares it. */
export interface Entry {
  readonly block: string;
  readonly name: string;
  readonly file: string;
  /** From 0; finds the entry where the source spells its name in another way. */
  readonly line: number;
}

/** The changes of an entry for an edit of a generated file. */
export interface EntryEdit {
  readonly entry: Entry;
  /** Fields of the entry, for all tools. */
  readonly changes: readonly Change[];
  /** Fields of the generated file, for its tools only. */
  readonly toolChanges: readonly Change[];
}

/**
 * The edits of entries for changes of a structured file; `undefined` when a change belongs to no entry of the
 * project.
 */
export function ownedChanges(
  changes: readonly Change[],
  edits: readonly KeyEdit[],
  before: Data,
  after: Data,
): EntryEdit[] | undefined {
  const owners = edits.flatMap(edit => {
    const [place, entry] = [placeOf(edit, before), entryOfEdit(edit)];
    return place ? [{ edit, entry, place }] : [];
  });
  const byOwner = groupBy(changes, ({ path }) => owners.find(({ place }) => startsWith(path, place)));
  const found: EntryEdit[] = [];
  for (const [owner, ofOwner] of byOwner) {
    if (!owner?.entry) return undefined;
    const { edit, entry, place } = owner;
    const valueBefore = valueAt(before, place);
    const [first] = ofOwner;
    // An edited element is another value in the list.
    const isElement = edit.kind === 'element' && first.path.length === place.length;
    const valueAfter = isElement ? first.value : valueAt(after, place);
    const inside = isElement
      ? changesOf(valueBefore, valueAfter)
      : ofOwner.map(change => ({ ...change, path: change.path.slice(place.length) }));
    const renamed = inside.map(change => renamedChange(change, valueBefore, edit, entry));
    const inFields = inside.filter(({ path }) => path.length > 0);
    found.push({
      entry,
      changes: renamed.every(one => one !== undefined) ? renamed : [],
      toolChanges: isObject(valueAfter) ? wholeFields(inFields, valueAfter) : [],
    });
  }
  return found;
}

/** The current values of the fields that contain the changes. */
export function wholeFields(changes: readonly Change[], after: DataObject): Change[] {
  const keys = [...new Set(changes.map(({ path }) => String(path[0])))];
  return keys.map(key => ({ path: [key], value: valueAt(after, [key]) ?? null }));
}

function entryOfEdit({ origins }: KeyEdit): Entry | undefined {
  const name = origins?.name;
  if (name?.kind !== 'name' || name.step.layer.registry !== undefined) return undefined;
  const [block, own] = parseNodePath(name.path) ?? [];
  if (typeof block !== 'string' || typeof own !== 'string') return undefined;
  const { source, start } = name.step.span;
  return { block, name: own, file: source.name, line: positionAt(source, start).line - 1 };
}

const pathInEntry = ({ path }: ValueSource): Key[] | undefined => parseNodePath(path)?.slice(2);

/** A change of an owned value by its path in the source; that of a new field by its name in the language. */
function renamedChange(
  change: Change,
  valueBefore: Data | undefined,
  edit: KeyEdit,
  { block }: Entry,
): Change | undefined {
  const slots = (edit.origins?.slots ?? []).filter(({ path }) => startsWith(change.path, path));
  const [slot] = slots.sort((one, other) => other.path.length - one.path.length);
  if (!slot) {
    const [key, ...rest] = change.path;
    const isField = typeof key === 'string' && isPortable(block, portableName(block, key));
    return isField ? { ...change, path: [sourceName(block, key), ...rest] } : undefined;
  }
  const rest = change.path.slice(slot.path.length);
  const value = valueAt(valueBefore, slot.path);
  const isMember = typeof rest[0] === 'number' && Array.isArray(value);
  const field = slot.origins[0] && pathInEntry(slot.origins[0]);
  const path = isMember
    ? memberPath(rest as [number, ...Key[]], value, slot.origins, change.isNew === true)
    : field && [...field, ...rest];
  return path && { ...change, path };
}

/** The path of a list member in the sources: a tool may have joined several lists, or left out the first member. */
function memberPath(
  [at, ...rest]: readonly [number, ...Key[]],
  value: readonly Data[],
  origins: readonly ValueSource[],
  isNew: boolean,
): Key[] | undefined {
  const isAfter = isNew && at > 0;
  const neighbour = value[isAfter ? at - 1 : at];
  for (const origin of origins) {
    const path = pathInEntry(origin);
    if (!path || !('node' in origin) || origin.node.kind === 'object') continue;
    const isIt = (one: Node) => one.kind === 'scalar' && one.value === neighbour;
    const isList = origin.node.kind === 'list';
    const own = isList ? origin.node.items.findIndex(isIt) : isIt(origin.node) ? Number(path.at(-1)) : -1;
    if (own >= 0) return [...(isList ? path : path.slice(0, -1)), own + (isAfter ? 1 : 0), ...rest];
  }
  return undefined;
}

/**
 * Whether a structured file still has a value that the sources do not give any more. An edited value becomes the user's
 * when nothing generates it, so that sources without it would seem to give the edited file.
 */
export function isStaleValue(before: SharedFile, after: OutputFile, disk: Data): boolean {
  const now = after.kind === 'shared' ? after.edits : [];
  const isRemoved = (edit: KeyEdit) =>
    !now.some(one => one.kind === 'set' && one.about === edit.about && equalUnordered(one.path, edit.path));
  return before.edits.some(
    edit => edit.kind === 'set' && isRemoved(edit) && valueAt(disk, edit.path) !== undefined,
  );
}

/**
 * Whether an edit of a user's file is about elements of ours in a list, or lines of ours. An edited one is the user's for
 * a compile, which puts ours next to it again, so that nobody can tell it from a removed one.
 */
export function isInUsersList({ before, after }: FieldsOfEdit, output: OutputFile | undefined): boolean {
  if (output?.kind !== 'shared') return false;
  if (output.format === 'lines') return true;
  const lists = output.edits.filter(({ kind }) => kind === 'element');
  if (lists.length === 0) return false;
  if (!isRead(before) || !isRead(after)) return true;
  return changesOf(before.data, after.data).some(({ path }) =>
    lists.some(list => list.path.every((key, at) => at >= path.length || String(path[at]) === key)),
  );
}
