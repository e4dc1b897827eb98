import { isDataObject, valueAt } from '../../model/data.ts';
import type { Data, DataObject, Fields } from '../../model/model.ts';

/** What runs or is called: keys of a tool belong beside it. */
const mainFields: ReadonlySet<string> = new Set([
  'shell',
  'powershell',
  'wrapped',
  'argv',
  'program',
  'commandLine',
  'url',
]);

/** Where an object of a shape has a slot for what runs, in the filled value; `undefined` where nothing runs. */
export function mainPlace(shape: unknown): (string | number)[] | undefined {
  if (Array.isArray(shape)) {
    for (const [index, part] of shape.entries()) {
      const found = mainPlace(part);
      if (found) return [index, ...found];
    }
    return undefined;
  }
  if (typeof shape !== 'object' || shape === null) return undefined;
  const parts = Object.entries(shape);
  const isMain = (part: unknown) => {
    const from = (part as { from?: unknown } | null)?.from;
    return typeof from === 'string' && mainFields.has(from);
  };
  if (parts.some(([, part]) => isMain(part))) return [];
  for (const [key, part] of parts) {
    const found = mainPlace(part);
    if (found) return [key, ...found];
  }
  return undefined;
}

/** The key of an entry under which what runs is listed. */
export function listPlace(shape: unknown): string | undefined {
  const [key, index] = mainPlace(shape) ?? [];
  return typeof key === 'string' && index === 0 ? key : undefined;
}

/** A shape in which an entry of the tool's own stands where what runs would. */
export const withRaw = (shape: unknown): unknown => putAt(shape, mainPlace(shape) ?? [], { from: 'raw' });

function putAt(shape: unknown, [first, ...rest]: (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(shape))
    return shape.map((part, index) => (index === first ? putAt(part, rest, value) : part));
  const object = shape as Readonly<Record<string, unknown>>;
  return { ...object, [first]: putAt(object[first], rest, value) };
}

/**
 * A value with further keys: where it has one of that name, the deepest first, else beside what runs. `null` takes one
 * away, and an object adds to the one that is there.
 */
export function withKeys(value: unknown, keys: Fields | undefined, shape: unknown): unknown {
  if (!keys || keys.size === 0) return value;
  const place = mainPlace(shape) ?? [];
  let said = value;
  for (const [key, one] of keys) said = addAt(said, placeOf(value, place, key), new Map([[key, one]]));
  return said;
}

/**
 * Where the objects on the way to a place have a key; the place itself where none has. What the place is in is none: that
 * would take the place of all that is made of the entry.
 */
function placeOf(value: unknown, place: (string | number)[], key: string): (string | number)[] {
  for (let depth = place.length; depth >= 0; depth--) {
    const path = place.slice(0, depth);
    const object = valueAt(value as Data, path);
    if (key !== place[depth] && isDataObject(object) && Object.hasOwn(object, key)) return path;
  }
  return place;
}

function addAt(value: unknown, [first, ...rest]: (string | number)[], keys: Fields): unknown {
  if (first === undefined) {
    return isDataObject(value as Data) ? withAll(value as DataObject, keys) : value;
  }
  if (Array.isArray(value))
    return value.map((part, index) => (index === first ? addAt(part, rest, keys) : part));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [first]: addAt(object[first], rest, keys) };
}

function withAll(value: DataObject, keys: Iterable<readonly [string, Data]>): DataObject {
  const all = new Map<string, Data>(Object.entries(value));
  for (const [key, added] of keys) {
    const known = all.get(key);
    if (added === null) all.delete(key);
    else
      all.set(
        key,
        isDataObject(known) && isDataObject(added) ? withAll(known, Object.entries(added)) : added,
      );
  }
  return Object.fromEntries(all);
}
