import { isDataObject, valueAt } from '../../model/data.ts';
import type { Data, DataObject, Fields } from '../../model/model.ts';
import { groupBy } from '../../text/group.ts';
import type { FilledSlot } from '../native/shapes.ts';
import type { Json, KeyEdit } from '../output.ts';

type Path = readonly (string | number)[];

/** What runs or is called: keys of a tool belong beside it. */
const mainFields: readonly unknown[] = [
  'shell',
  'powershell',
  'wrapped',
  'argv',
  'program',
  'commandLine',
  'url',
];

/** Where an object of a shape has a slot for what runs, in the filled value; `undefined` where nothing runs. */
export function mainPlace(shape: unknown): Path | undefined {
  if (typeof shape !== 'object' || shape === null) return undefined;
  const isMain = (part: { readonly from?: unknown } | null) => mainFields.includes(part?.from);
  if (!Array.isArray(shape) && Object.values(shape).some(isMain)) return [];
  for (const [key, part] of Object.entries(shape)) {
    const found = mainPlace(part);
    if (found) return [Array.isArray(shape) ? Number(key) : key, ...found];
  }
  return undefined;
}

/** The key of an entry under which what runs is listed. */
export function listPlace(shape: unknown): string | undefined {
  const [key, index] = mainPlace(shape) ?? [];
  return typeof key === 'string' && index === 0 ? key : undefined;
}

/** A shape in which an entry of the tool's own stands where what runs would. */
export const withRawEntry = (shape: unknown): unknown =>
  changeAt(shape, mainPlace(shape) ?? [], () => ({ from: 'raw' }));

function changeAt(value: unknown, [first, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((part, index) => (index === first ? changeAt(part, rest, change) : part));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [first]: changeAt(object[first], rest, change) };
}

/**
 * A value with further keys: where it has one of that name, the deepest first, else beside what runs. `null` takes one
 * away, and an object adds to the one that is there.
 */
export function withKeys(value: unknown, keys: Fields | undefined, shape: unknown): unknown {
  if (!keys || keys.size === 0) return value;
  const place = mainPlace(shape) ?? [];
  let changed = value;
  for (const [key, added] of keys)
    changed = changeAt(changed, placeOf(value, place, key), part =>
      isDataObject(part as Data) ? withAll(part as DataObject, { [key]: added }) : part,
    );
  return changed;
}

/**
 * Where the objects on the way to a place have a key; the place itself where none has. What the place is in is none: that
 * would take the place of all that is made of the entry.
 */
function placeOf(value: unknown, place: Path, key: string): Path {
  for (let depth = place.length; depth >= 0; depth--) {
    const path = place.slice(0, depth);
    const object = valueAt(value as Data, path);
    if (key !== place[depth] && isDataObject(object) && Object.hasOwn(object, key)) return path;
  }
  return place;
}

function withAll(value: DataObject, keys: DataObject): DataObject {
  const all = new Map<string, Data>(Object.entries(value));
  for (const [key, added] of Object.entries(keys)) {
    const known = all.get(key);
    if (added === null) all.delete(key);
    else all.set(key, isDataObject(known) && isDataObject(added) ? withAll(known, added) : added);
  }
  return Object.fromEntries(all);
}

/** A filled shape with the fields that filled it, as far as texts are traced. */
export interface FilledShape {
  readonly value: Data;
  readonly slots: readonly FilledSlot[];
}

/** A filled shape with what another one of the same shape has in the list of what runs. */
export function withList({ value, slots }: FilledShape, more: FilledShape, list: string): FilledShape {
  const [known, added] = [valueAt(value, [list]), valueAt(more.value, [list])];
  if (!isDataObject(value) || !Array.isArray(known) || !Array.isArray(added)) return { value, slots };
  const moved = more.slots.flatMap(({ path, origins }) =>
    path[0] === list ? [{ path: [list, Number(path[1]) + known.length, ...path.slice(2)], origins }] : [],
  );
  return { value: { ...value, [list]: [...known, ...added] }, slots: [...slots, ...moved] };
}

/**
 * Edits of hooks with those of one group as one, where the tool has entries with a list of what runs: they stand in the same
 * place and say the same around that list.
 */
export function joinGroups(
  grouped: readonly { readonly edit: KeyEdit; readonly group: Data | undefined }[],
  shape: unknown,
): KeyEdit[] {
  const list = listPlace(shape);
  const groups = groupBy(grouped, one => {
    const { kind, path, value } = one.edit;
    const isGrouped = list !== undefined && typeof one.group === 'string' && kind === 'element';
    const around = isDataObject(value) && list !== undefined ? { ...value, [list]: [] } : value;
    return isGrouped ? JSON.stringify([one.group, path, around]) : one;
  });
  return [...groups.values()].map(group =>
    group.map(({ edit }) => edit).reduce((all, edit) => joinEdits(all, edit, list!)),
  );
}

function joinEdits(a: KeyEdit, b: KeyEdit, list: string): KeyEdit {
  const slotsOf = ({ origins }: KeyEdit) => origins?.slots ?? [];
  const joined = withList({ value: a.value, slots: slotsOf(a) }, { value: b.value, slots: slotsOf(b) }, list);
  const added = [...(a.added ?? []), ...(b.added ?? [])];
  return {
    ...a,
    value: joined.value as Json,
    ...(added.length > 0 && { added }),
    ...(a.origins && { origins: { ...a.origins, slots: joined.slots } }),
  };
}
