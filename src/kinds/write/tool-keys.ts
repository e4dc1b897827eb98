import { valueAt } from '../../model/data.ts';
import type { Data, DataObject, Fields } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { groupBy } from '../../text/group.ts';
import type { FilledSlot } from '../native/shapes.ts';
import type { Json, KeyEdit } from '../output.ts';

type Path = readonly (string | number)[];

/** Fields with the command or URL that is run or called: native keys belong next to them. */
const mainFields: readonly unknown[] = [
  'shell',
  'powershell',
  'wrapped',
  'argv',
  'program',
  'commandLine',
  'url',
];

/** The path of the object in a shape that contains the slot for the command or URL. */
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

/** The key of an entry that contains the list of commands. */
export function listPlace(shape: unknown): string | undefined {
  const [key, index] = mainPlace(shape) ?? [];
  return typeof key === 'string' && index === 0 ? key : undefined;
}

/** A shape in which a native entry replaces the object with the command. */
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
 * Adds keys to a value: where it already has the key, at the deepest such place, else next to the command.
 * `null` removes a key, and an object is merged into an existing one.
 */
export function withKeys(value: unknown, keys: Fields | undefined, shape: unknown): unknown {
  if (!keys || keys.size === 0) return value;
  const place = mainPlace(shape) ?? [];
  let changed = value;
  for (const [key, added] of keys)
    changed = changeAt(changed, placeOf(value, place, key), part =>
      isObject(part as Data) ? withAll(part as DataObject, { [key]: added }) : part,
    );
  return changed;
}

/**
 * The deepest object on the path to a place that has a key; the place itself when none has. Containers of the
 * place do not count: a key there would affect everything made from the entry.
 */
function placeOf(value: unknown, place: Path, key: string): Path {
  for (let depth = place.length; depth >= 0; depth--) {
    const path = place.slice(0, depth);
    const object = valueAt(value as Data, path);
    if (key !== place[depth] && isObject(object) && Object.hasOwn(object, key)) return path;
  }
  return place;
}

function withAll(value: DataObject, keys: DataObject): DataObject {
  const all = new Map<string, Data>(Object.entries(value));
  for (const [key, added] of Object.entries(keys)) {
    const known = all.get(key);
    if (added === null) all.delete(key);
    else all.set(key, isObject(known) && isObject(added) ? withAll(known, added) : added);
  }
  return Object.fromEntries(all);
}

/** A filled shape with the fields that filled it, when texts are traced. */
export interface FilledShape {
  readonly value: Data;
  readonly slots: readonly FilledSlot[];
}

/** Appends to the command list of a filled shape that of another one with the same shape. */
export function withList({ value, slots }: FilledShape, more: FilledShape, list: string): FilledShape {
  const [known, added] = [valueAt(value, [list]), valueAt(more.value, [list])];
  if (!isObject(value) || !Array.isArray(known) || !Array.isArray(added)) return { value, slots };
  const moved = more.slots.flatMap(({ path, origins }) =>
    path[0] === list ? [{ path: [list, Number(path[1]) + known.length, ...path.slice(2)], origins }] : [],
  );
  return { value: { ...value, [list]: [...known, ...added] }, slots: [...slots, ...moved] };
}

/**
 * Combines edits of hooks with the same group into one, when the tool has entries with a list of commands.
 * They are at the same place and differ only in that list.
 */
export function joinGroups(
  grouped: readonly { readonly edit: KeyEdit; readonly group: Data | undefined }[],
  shape: unknown,
): KeyEdit[] {
  const list = listPlace(shape);
  const groups = groupBy(grouped, one => {
    const { kind, path, value } = one.edit;
    const isGrouped = list !== undefined && typeof one.group === 'string' && kind === 'element';
    const around = isObject(value) && list !== undefined ? { ...value, [list]: [] } : value;
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
