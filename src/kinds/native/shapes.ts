import type { EntriesFile, Form, Row } from '../../generated/types/target.ts';
import { isBlank, strings } from '../../model/data.ts';
import type { Data, Fields, Item, ValueSource } from '../../model/model.ts';
import { nameOrigin, originsOf } from '../../model/origin.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { listOf } from '../../text/front-matter.ts';
import { groupBy } from '../../text/group.ts';

/** Maps computed fields to the source field that counts as written together with them. */
const sources: ReadonlyMap<string, string> = new Map([
  ['timeout', 'timeoutMs'],
  ['shell', 'line'],
  ['wrapped', 'line'],
  ['reference', 'marketplace'],
  ['shown', 'title'],
  ['about', 'description'],
]);

/** An item without fields, for what is filled from options only. */
export const noItem: Item = {
  name: '',
  path: '',
  fields: new Map(),
  computed: new Set(),
  resources: [],
};

/** The same with other values of fields; `undefined` removes a field. */
export function withFields<T extends { readonly fields: Fields }>(
  item: T,
  changes: Readonly<Record<string, Data | undefined>>,
): T {
  const fields = new Map(item.fields);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) fields.delete(name);
    else fields.set(name, value);
  return { ...item, fields };
}

/** The fields of an item and the options of a target, with a record of which fields were read. */
export class ItemFields {
  /** Values of fields that the tool does not accept. */
  readonly refused = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly covered = new Set<string>();

  constructor(
    readonly item: Item,
    readonly options: Fields,
    /** Converts references to variables in values to the form of the file. */
    private readonly written: (field: string, value: Data) => Data = (_, value) => value,
  ) {}

  /** The value of a field, `undefined` when absent; marks the field as written. */
  get(name: string): Data | undefined {
    this.used.add(name);
    this.covered.add(sources.get(name) ?? name);
    const value = this.item.fields.get(name);
    return isBlank(value) ? undefined : this.written(name, value!);
  }

  isUsed(name: string): boolean {
    return this.used.has(name);
  }

  /** Whether a field, or a field computed from it, was read. */
  isCovered(name: string): boolean {
    return this.used.has(name) || this.covered.has(name);
  }
}

/** The value of a slot after `map`, `allow`, `as` and `default`; `undefined` omits the key. */
export function slotValue(slot: Slot, source: ItemFields): Data | undefined {
  const { from, map, allow, deny } = slot;
  if (from === undefined) return slot.value as Data | undefined;
  let value = source.get(from);
  if (value !== undefined && map) value = mapped(value, map);
  const isAllowed = (item: string) => !deny?.includes(item) && (allow === undefined || allow.includes(item));
  const refused = value === undefined ? [] : strings(value).filter(item => !isAllowed(item));
  if (refused.length > 0) {
    source.refused.set(from, refused.join(', '));
    const kept = Array.isArray(value) ? value.filter(item => isAllowed(String(item))) : [];
    value = kept.length > 0 ? kept : undefined;
  }
  return value === undefined
    ? (slot.default as Data | undefined)
    : slot.as
      ? forms[slot.as].write(value, slot)
      : value;
}

type NameMap = Readonly<Record<string, string | boolean | number>>;

function mapped(value: Data, map: NameMap): Data {
  // Several portable names can map to one native name.
  if (Array.isArray(value)) return [...new Set(value.map(item => mapped(item, map)))];
  if (isObject(value)) return value;
  const key = String(value);
  return Object.hasOwn(map, key) ? map[key]! : value;
}

/** What the value of a slot was made from; empty when texts are not traced. */
export function slotOrigins({ from, as, map }: Slot, item: Item): readonly ValueSource[] {
  const origins = from === undefined ? [] : originsOf(item, from);
  // The names that a list leaves out come from the list as a whole.
  if (as === 'denied')
    return origins.map(one =>
      'node' in one ? nameOrigin(one.path, one.path.replace(/^.*\./, ''), one.node) : one,
    );
  return map ? distinctOrigins(origins, map) : origins;
}

/** If several portable names map to one native name, the first of them is its origin. */
function distinctOrigins(origins: readonly ValueSource[], map: NameMap): ValueSource[] {
  const single = origins.flatMap((origin): ValueSource[] =>
    'node' in origin && origin.node.kind === 'list'
      ? origin.node.items.map((node, index) => ({ path: `${origin.path}[${index}]`, node }))
      : [origin],
  );
  const nameOf = (one: ValueSource) =>
    'node' in one && one.node.kind === 'scalar' ? mapped(one.node.value, map) : one;
  return [...groupBy(single, nameOf).values()].map(([first]) => first);
}

/** How a value is written in the form of a slot, and read back. */
interface SlotForm {
  /** Returns `undefined` when nothing remains. */
  write(value: Data, slot: Slot): Data | undefined;
  read(value: Data, slot: Slot): Data;
}

const readList = (value: Data): Data => (isObject(value) || isProse(value) ? value : listOf(value));

// Objects cannot be joined; they are kept, so that nothing is lost.
const joined = (value: Data, separator: string): Data =>
  isObject(value) ? value : strings(value).join(separator);

const forms: Readonly<Record<Form, SlotForm>> = {
  list: { write: value => (Array.isArray(value) ? value : [value]), read: readList },
  comma: { write: value => joined(value, ', '), read: readList },
  bare: { write: value => joined(value, ','), read: readList },
  space: {
    write: value => joined(value, ' '),
    // `Read Bash(git add *)` are two words. Commas separate as well: both notations are in use.
    read: value => (typeof value === 'string' ? (value.match(/(?:[^\s,()]|\([^)]*\))+/g) ?? []) : value),
  },
  seconds: {
    write: value => (typeof value === 'number' ? Math.ceil(value / 1000) : undefined),
    read: value => (typeof value === 'number' ? value * 1000 : value),
  },
  // What must be denied so that only the listed names remain.
  denied: {
    write: (value, slot) => {
      const listed = strings(value);
      const rest = nativeNames(slot).filter(name => !listed.includes(name));
      const all = rest.flatMap(name => [name, ...(slot.with?.[name] ?? [])]);
      return all.length > 0 ? Object.fromEntries(all.map(name => [name, 'deny'])) : undefined;
    },
    read: (value, slot) =>
      isObject(value) ? nativeNames(slot).filter(name => !Object.hasOwn(value, name)) : value,
  },
};

/** A sentence may contain commas, too. */
const isProse = (value: Data): boolean =>
  typeof value === 'string' && listOf(value).some(part => part.split(/\s+/).length > 3);

const nativeNames = ({ map }: Slot): string[] => [...new Set(Object.values(map ?? {}).map(String))];

/** The result of reading native data: portable fields, and keys that no slot explains. */
export interface ReadBack {
  readonly fields: Map<string, Data>;
  readonly unknown: Map<string, Data>;
}

type Slot = Pick<Row, 'from' | 'as' | 'allow' | 'deny' | 'map' | 'with' | 'value' | 'default'>;

/**
 * Reads keys by the rows that would write them. The first row of a key wins; a row with a literal matches
 * only this value. `synonyms` are rows of other places for the same kind of item, for keys without a row of
 * their own.
 */
export function readRows(
  data: ReadonlyMap<string, Data>,
  rows: readonly Row[],
  synonyms: readonly Row[] = [],
): ReadBack {
  const fields = new Map<string, Data>();
  const unknown = new Map<string, Data>();
  for (const [key, value] of data) {
    const own = rows.filter(row => row.key === key);
    if (own.some(row => row.from === undefined && equalUnordered(row.value, value))) continue;
    const row =
      own.find(row => row.from !== undefined) ??
      synonyms.find(row => row.key === key && row.from !== undefined);
    if (row?.from === undefined || row.from.startsWith('meta.')) unknown.set(key, value);
    // The default of the tool means that the source sets nothing.
    else if (equalUnordered(row.default, value)) continue;
    // Rules that express more than denials are not a list.
    else if (row.as === 'denied' && !isDenial(row, value)) unknown.set(key, value);
    else if (!isBlank(value) && !fields.has(row.from)) fields.set(row.from, readSlot(row, value));
  }
  return { fields, unknown };
}

const readSlot = (slot: Slot, value: Data): Data =>
  unmap(slot.as ? forms[slot.as].read(value, slot) : value, slot.map);

function isDenial(slot: Slot, value: Data): boolean {
  const names = [...nativeNames(slot), ...Object.values(slot.with ?? {}).flat()];
  return (
    isObject(value) &&
    Object.entries(value).every(([name, action]) => action === 'deny' && names.includes(name))
  );
}

function unmap(value: Data, map: Slot['map']): Data {
  if (!map) return value;
  if (Array.isArray(value)) {
    return [...new Set(value.flatMap(item => unmap(item, map)))];
  }
  const back = Object.entries(map).find(([, native]) => native === value);
  return back ? back[0] : value;
}

/** A place in a filled shape that a field filled, and what the field was made from. */
export interface FilledSlot {
  readonly path: readonly (string | number)[];
  readonly origins: readonly ValueSource[];
}

type Shape = Readonly<Record<string, unknown>>;

const isSlot = (shape: Shape): boolean =>
  typeof shape.from === 'string' || typeof shape.option === 'string' || 'literal' in shape;

/**
 * Fills a shape of a spec: objects with `from`, `option` or `literal` are slots, everything else is copied. A
 * key whose slots are all absent is omitted, and so is an object or list without any filled slot. `slots`
 * receives which field filled which place.
 */
export function fillShape(
  shape: unknown,
  source: ItemFields,
  slots?: FilledSlot[],
  path: FilledSlot['path'] = [],
): Data | undefined {
  if (typeof shape !== 'object' || shape === null) return shape as Data;
  if (Array.isArray(shape)) {
    const items: Data[] = [];
    for (const part of shape) {
      const item = fillShape(part, source, slots, [...path, items.length]);
      if (item !== undefined) items.push(item);
    }
    return items.length > 0 || shape.length === 0 ? items : undefined;
  }
  if (isSlot(shape as Shape)) return fillSlot(shape as Shape, source, slots, path);
  const filled: Record<string, Data> = Object.create(null);
  const isPresent: boolean[] = [];
  for (const [key, part] of Object.entries(shape)) {
    const value = fillShape(part, source, slots, [...path, key]);
    if (hasSlot(part)) isPresent.push(value !== undefined);
    if (value !== undefined) filled[key] = value;
  }
  return isPresent.length > 0 && !isPresent.includes(true) ? undefined : filled;
}

function fillSlot(
  shape: Shape,
  source: ItemFields,
  slots: FilledSlot[] | undefined,
  path: FilledSlot['path'],
): Data | undefined {
  if ('literal' in shape) return shape.literal as Data;
  if (typeof shape.option === 'string')
    return source.options.get(shape.option) ?? (shape.default as Data | undefined);
  const value = slotValue(shape as Slot, source);
  const origins = value === undefined || !slots ? [] : slotOrigins(shape as Slot, source.item);
  if (origins.length > 0) slots!.push({ path, origins });
  return value;
}

function hasSlot(shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return false;
  if (!Array.isArray(shape) && isSlot(shape as Shape)) return !('literal' in shape);
  return Object.values(shape).some(hasSlot);
}

/** The leaves of filled data with their key paths, which are the keys that a settings file owns. */
export function leavesOf(
  data: Data,
  path: readonly string[] = [],
): { path: readonly string[]; value: Data }[] {
  if (!isObject(data)) return [{ path, value: data }];
  return Object.entries(data).flatMap(([key, value]) => leavesOf(value, [...path, key]));
}

/** How well a shape explains data: matching slots and literals, minus unexplained keys. */
export interface ShapeMatch extends ReadBack {
  readonly score: number;
}

/**
 * Reads data by the shape that would write it. A list with one element in the shape stands for any number of
 * elements: the result has one match for each, with the fields around it.
 */
export const readShape = (shape: unknown, data: Data): ShapeMatch[] =>
  readPart(shape, data).map(match => ({ ...match, score: match.score - match.unknown.size }));

/** The shapes that an entry of a file can have; several have the kinds that distinguish them. */
export const shapesOf = (file: EntriesFile): { readonly kind?: string; readonly shape: unknown }[] =>
  file.variants
    ? Object.entries(file.variants).map(([kind, shape]) => ({ kind, shape }))
    : [{ shape: file.entry }];

type Members = readonly (readonly [string, Data])[];

const match = (score: number, fields: Members = [], unknown: Members = []): ShapeMatch => ({
  fields: new Map(fields),
  unknown: new Map(unknown),
  score,
});

function readPart(shape: unknown, data: Data): ShapeMatch[] {
  if (typeof shape !== 'object' || shape === null) return [match(shape === data ? 2 : -2)];
  if (Array.isArray(shape)) {
    if (Array.isArray(data) && shape.length === 1) return data.flatMap(item => readPart(shape[0], item));
    return [match(equalUnordered(shape, data) ? 1 : -1)];
  }
  const record = shape as Shape;
  if (typeof record.from === 'string') {
    const isSaid = !equalUnordered(record.default, data) && !isBlank(data);
    return [match(1, isSaid ? [[record.from, readSlot(record as Slot, data)]] : [])];
  }
  if ('literal' in record) return [match(equalUnordered(record.literal, data) ? 2 : -2)];
  if (typeof record.option === 'string') return [match(0)];
  if (!isObject(data)) return [match(-1, [], [['', data]])];
  let results = [match(0)];
  for (const [key, value] of Object.entries(data)) {
    const parts = Object.hasOwn(record, key) ? readPart(record[key], value) : [match(0, [], [[key, value]])];
    results = results.flatMap(result => parts.map(part => join(result, part, key)));
  }
  return results;
}

const join = (a: ShapeMatch, b: ShapeMatch, key: string): ShapeMatch => ({
  fields: new Map([...a.fields, ...b.fields]),
  unknown: new Map([...a.unknown, ...[...b.unknown].map(([name, value]) => [name || key, value] as const)]),
  score: a.score + b.score,
});
