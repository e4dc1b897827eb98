import type { KeyEdit, OutputFile } from '../../kinds/output.ts';
import { valueAt } from '../../model/data.ts';
import type { Data, DataObject, ValueSource } from '../../model/model.ts';
import { isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Node } from '../../resolve/program.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { positionAt } from '../../text/source.ts';
import { type Change, changesOf, type FieldsOfEdit, isRead, type Key } from './fields.ts';
import type { Entry } from './prs-source.ts';

/** The changes of an entry for an edit of a generated file. */
export interface EntryEdit {
  readonly entry: Entry;
  /** Fields of the entry, for all tools. */
  readonly changes: readonly Change[];
  /** Fields of the generated file, for its tools only. */
  readonly toolChanges?: readonly Change[];
}

/** A change in a value of a structured file that an entry owns. */
interface OwnedChange {
  readonly change: Change;
  /** The path within the owned value. */
  readonly inside: readonly Key[];
  /** The owned value before and after the change. */
  readonly was: Data | undefined;
  readonly is: Data | undefined;
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
  const found = new Map<KeyEdit, OwnedChange[]>();
  for (const change of changes) {
    const edit = edits.find(one => isAbout(one, change, before));
    if (!edit || !entryOfEdit(edit)) return undefined;
    found.set(edit, [...(found.get(edit) ?? []), ...changesInside(edit, change, before, after)]);
  }
  return [...found].map(([edit, owned]) => {
    const entry = entryOfEdit(edit)!;
    const inSource = owned.map(one => renamedChange(one, edit, entry));
    const own = owned.flatMap(({ inside, is }) =>
      isObject(is) && inside.length > 0 ? wholeFields([{ path: inside, value: undefined }], is) : [],
    );
    return {
      entry,
      changes: inSource.every(one => one !== undefined) ? inSource : [],
      toolChanges: [...new Map(own.map(one => [one.path[0], one])).values()],
    };
  });
}

/** The current values of the fields that contain the changes. */
export function wholeFields(changes: readonly Change[], after: DataObject): Change[] {
  const keys = [...new Set(changes.map(({ path }) => String(path[0])))];
  return keys.map(key => ({ path: [key], value: valueAt(after, [key]) ?? null }));
}

/** The number of steps of a path that lead to an owned value, including the index of an element. */
const depthOf = ({ kind, path }: KeyEdit): number => (kind === 'set' ? path.length : path.length + 1);

const isAbout = (edit: KeyEdit, { path }: Change, before: Data): boolean =>
  path.length >= depthOf(edit) &&
  edit.path.every((part, at) => String(path[at]) === part) &&
  (edit.kind === 'set' || equalUnordered(valueAt(before, path.slice(0, depthOf(edit))), edit.value));

function changesInside(edit: KeyEdit, change: Change, before: Data, after: Data): OwnedChange[] {
  const owned = change.path.slice(0, depthOf(edit));
  const was = valueAt(before, owned);
  const inside = change.path.slice(depthOf(edit));
  if (edit.kind === 'set' || inside.length > 0) return [{ change, inside, was, is: valueAt(after, owned) }];
  // An edited element is another value in the list.
  return changesOf(was, change.value).map(one => ({ change: one, inside: one.path, was, is: change.value }));
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

/** A change by its path in the source; that of a new field by its name in the language. */
function renamedChange(
  { change, inside, was }: OwnedChange,
  edit: KeyEdit,
  { block }: Entry,
): Change | undefined {
  const slots = (edit.origins?.slots ?? []).filter(({ path }) =>
    path.every((part, at) => String(part) === String(inside[at])),
  );
  const [slot] = slots.sort((one, other) => other.path.length - one.path.length);
  if (!slot) {
    const [key, ...rest] = inside;
    const isField = typeof key === 'string' && isPortable(block, portableName(block, key));
    return isField ? { ...change, path: [sourceName(block, key), ...rest] } : undefined;
  }
  const rest = inside.slice(slot.path.length);
  const value = valueAt(was, inside.slice(0, slot.path.length));
  const isMember = typeof rest[0] === 'number' && Array.isArray(value);
  const own = slot.origins[0] && pathInEntry(slot.origins[0]);
  const path = isMember
    ? memberPath(rest as [number, ...Key[]], value, slot.origins, change.isNew === true)
    : own && [...own, ...rest];
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

const editsOf = (output: OutputFile | undefined): readonly KeyEdit[] =>
  output?.kind === 'shared' ? output.edits : [];

/**
 * Whether a structured file still has a value that the sources do not give any more. An edited value becomes the user's
 * when nothing generates it, so that sources without it would seem to give the edited file.
 */
export function isStaleValue(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: Data,
): boolean {
  const now = editsOf(after);
  const isRemoved = (edit: KeyEdit) =>
    !now.some(one => one.kind === 'set' && one.about === edit.about && equalUnordered(one.path, edit.path));
  return editsOf(before).some(
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
