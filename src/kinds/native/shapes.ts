/** Slots of a spec: values of fields in the form that a tool has for them, written and read back. */
import type { Form, Row } from '../../generated/types/target.ts';
import { isBlank, isDataObject, strings } from '../../model/data.ts';
import type { Data, DataObject, Fields, Sourced } from '../../model/model.ts';
import { sameUnordered } from '../../text/equal.ts';
import { listOf } from '../../text/front-matter.ts';

/** What rows and shapes may read: the fields of an item, and the options of the target. */
export interface FieldSource {
  /** The value of a field, `undefined` when absent; marks it as written. */
  get(name: string): Data | undefined;
  option(name: string): Data | undefined;
  /** What a field was made of, where texts are traced. */
  origins?(name: string): readonly Sourced[];
  /** A value that the tool does not take: becomes an omission. */
  refuse(name: string, value: string): void;
}

/** What a shape that belongs to no item is filled from. */
export const optionSource = (options: Fields): FieldSource => ({
  get: () => undefined,
  option: name => options.get(name),
  refuse: () => undefined,
});

/** The value of a slot after `map`, `allow`, `as` and `default`; `undefined` leaves the key out. */
export function slotValue(slot: Slot, source: FieldSource): Data | undefined {
  if (slot.from === undefined) return slot.value as Data | undefined;
  let value = source.get(slot.from);
  if (value !== undefined && slot.map) value = mapped(value, slot.map);
  if (value !== undefined && (slot.deny || slot.allow)) value = takenOf(value, slot, source);
  if (value === undefined) return slot.default as Data | undefined;
  return applyForm(value, slot.as, slot);
}

function takenOf(
  value: Data,
  { from, deny, allow }: Pick<Row, 'from' | 'allow' | 'deny'>,
  source: FieldSource,
): Data | undefined {
  const taken = (item: string) => !deny?.includes(item) && (allow === undefined || allow.includes(item));
  const refused = strings(value).filter(item => !taken(item));
  if (refused.length === 0) return value;
  source.refuse(from!, refused.join(', '));
  const kept = Array.isArray(value) ? value.filter(item => taken(String(item))) : [];
  return kept.length > 0 ? kept : undefined;
}

function mapped(value: Data, map: Readonly<Record<string, string | boolean | number>>): Data {
  // Several portable names can have one native name.
  if (Array.isArray(value)) return [...new Set(value.map(item => mapped(item, map)))];
  if (isDataObject(value)) return value;
  const key = String(value);
  return Object.hasOwn(map, key) ? map[key]! : value;
}

/** Several portable names can have one native name: the first of them is where it comes from. */
export function distinctOrigins(
  origins: readonly Sourced[],
  map: Readonly<Record<string, string | boolean | number>>,
): Sourced[] {
  const seen = new Set<unknown>();
  return origins
    .flatMap(origin =>
      'node' in origin && origin.node.kind === 'list'
        ? origin.node.items.map((node, index) => ({ path: `${origin.path}[${index}]`, node }))
        : [origin],
    )
    .filter(origin => {
      const value =
        'node' in origin && origin.node.kind === 'scalar' ? mapped(origin.node.value, map) : origin;
      return !seen.has(value) && seen.add(value);
    });
}

/** A value in the form a spec asks for, of what `map` knows. `undefined` when nothing is left to write. */
function applyForm(
  value: Data,
  form: Form | undefined,
  row: Pick<Row, 'map' | 'with'> = {},
): Data | undefined {
  switch (form) {
    case undefined:
      return value;
    case 'list':
      return Array.isArray(value) ? value : [value];
    case 'comma':
      return joined(value, ', ');
    case 'bare':
      return joined(value, ',');
    case 'space':
      return joined(value, ' ');
    case 'seconds':
      return typeof value === 'number' ? Math.ceil(value / 1000) : undefined;
    case 'denied':
      return denied(strings(value), row);
  }
}

/** What a tool must be forbidden so that no more than the list is left. */
function denied(listed: readonly string[], row: Pick<Row, 'map' | 'with'>): Data | undefined {
  const known = [...new Set(Object.values(row.map ?? {}).map(String))];
  const rest = known
    .filter(name => !listed.includes(name))
    .flatMap(name => [name, ...(row.with?.[name] ?? [])]);
  return rest.length > 0 ? Object.fromEntries(rest.map(name => [name, 'deny'])) : undefined;
}

/** Objects have no joined form: they stay as they are, so that nothing is lost. */
function joined(value: Data, separator: string): Data {
  return isDataObject(value) ? value : strings(value).join(separator);
}

/** What reading a structure backwards gives: fields of the model, and what no slot explains. */
export interface ReadBack {
  readonly fields: Map<string, Data>;
  readonly unknown: Map<string, Data>;
}

type Slot = Pick<Row, 'from' | 'as' | 'allow' | 'deny' | 'map' | 'with' | 'value' | 'default'>;

/**
 * Reads keys by the rows that would write them. The first row of a key counts; rows with a literal explain the key
 * when it has that value. `synonyms` are rows of other places for the same kind of item, for keys no own row has.
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
    if (own.some(row => row.from === undefined && sameUnordered(row.value, value))) continue;
    const row =
      own.find(row => row.from !== undefined) ??
      synonyms.find(row => row.key === key && row.from !== undefined);
    if (row?.from === undefined || row.from.startsWith('meta.')) unknown.set(key, value);
    // What the tool gets when the source says nothing says nothing.
    else if (sameUnordered(row.default, value)) continue;
    // Rules that say more than what is forbidden are no list.
    else if (row.as === 'denied' && !isDenial(row, value)) unknown.set(key, value);
    else if (!isBlank(value) && !fields.has(row.from)) fields.set(row.from, readSlot(row, value));
  }
  return { fields, unknown };
}

function readSlot(slot: Slot, value: Data): Data {
  const formed = slot.as === 'denied' && isDataObject(value) ? left(slot, value) : unform(value, slot.as);
  return unmap(formed, slot.map);
}

const known = ({ map }: Slot): string[] => [...new Set(Object.values(map ?? {}).map(String))];

const isDenial = (slot: Slot, value: Data): boolean => {
  const names = [...known(slot), ...Object.values(slot.with ?? {}).flat()];
  return (
    isDataObject(value) &&
    Object.entries(value).every(([name, action]) => action === 'deny' && names.includes(name))
  );
};

const left = (slot: Slot, value: DataObject): string[] =>
  known(slot).filter(name => !Object.hasOwn(value, name));

function unform(value: Data, form: Form | undefined): Data {
  switch (form) {
    case 'list':
    case 'comma':
    case 'bare':
      return isDataObject(value) || isProse(value) ? value : listOf(value);
    case 'space':
      return typeof value === 'string' ? wordsOutsideBrackets(value) : value;
    case 'seconds':
      return typeof value === 'number' ? value * 1000 : value;
    default:
      return value;
  }
}

/** A sentence may have commas too. */
const isProse = (value: Data): boolean =>
  typeof value === 'string' && listOf(value).some(part => part.split(/\s+/).length > 3);

/** `Read Bash(git add *)` are two words. A comma separates as well: both are in use. */
function wordsOutsideBrackets(text: string): string[] {
  return text.match(/(?:[^\s,()]|\([^)]*\))+/g) ?? [];
}

function unmap(value: Data, map: Slot['map']): Data {
  if (!map) return value;
  if (Array.isArray(value)) {
    const names = value.flatMap(item => unmap(item, map));
    return names.filter((name, index) => names.indexOf(name) === index);
  }
  const back = Object.entries(map).find(([, native]) => native === value);
  return back ? back[0] : value;
}

/** A place of a filled shape that a field of an item filled, and what the field was made of. */
export interface FilledSlot {
  readonly path: readonly (string | number)[];
  readonly origins: readonly Sourced[];
}

/**
 * Fills a shape of a spec: objects with `from`, `option` or `literal` are slots, everything else stands as
 * written. A key whose slots are all absent is left out, so is an object or list that loses all its slots. `slots` takes note of
 * which field went where.
 */
export function fillShape(
  shape: unknown,
  source: FieldSource,
  slots?: FilledSlot[],
  path: FilledSlot['path'] = [],
): Data | undefined {
  if (Array.isArray(shape)) {
    const items: Data[] = [];
    for (const part of shape) {
      const item = fillShape(part, source, slots, [...path, items.length]);
      if (item !== undefined) items.push(item);
    }
    return items.length > 0 || shape.length === 0 ? items : undefined;
  }
  if (typeof shape !== 'object' || shape === null) return shape as Data;
  const record = shape as Record<string, unknown>;
  if (isSlot(record)) {
    const value = slot(record, source);
    const made = value === undefined || !slots ? [] : (source.origins?.(String(record.from)) ?? []);
    const origins = record.map ? distinctOrigins(made, record.map as Record<string, string>) : made;
    if (origins.length > 0) slots!.push({ path, origins });
    return value;
  }
  const filled: Record<string, Data> = Object.create(null);
  let wanted = 0;
  let present = 0;
  for (const [key, part] of Object.entries(record)) {
    const value = fillShape(part, source, slots, [...path, key]);
    const dynamic = hasSlot(part);
    if (dynamic) wanted++;
    if (value === undefined) continue;
    if (dynamic) present++;
    filled[key] = value;
  }
  return wanted > 0 && present === 0 ? undefined : filled;
}

function isSlot(record: Record<string, unknown>): boolean {
  return typeof record.from === 'string' || typeof record.option === 'string' || 'literal' in record;
}

function slot(record: Record<string, unknown>, source: FieldSource): Data | undefined {
  if ('literal' in record) return record.literal as Data;
  if (typeof record.option === 'string') {
    const value = source.option(record.option);
    return value === undefined ? (record.default as Data | undefined) : value;
  }
  return slotValue(record as Slot, source);
}

function hasSlot(shape: unknown): boolean {
  if (Array.isArray(shape)) return shape.some(hasSlot);
  if (typeof shape !== 'object' || shape === null) return false;
  const record = shape as Record<string, unknown>;
  return isSlot(record) ? !('literal' in record) : Object.values(record).some(hasSlot);
}

/** The leaves of filled data with their key paths: what a settings file owns. */
export function leavesOf(
  data: Data,
  path: readonly string[] = [],
): { path: readonly string[]; value: Data }[] {
  if (!isDataObject(data)) return [{ path, value: data }];
  return Object.entries(data).flatMap(([key, value]) => leavesOf(value, [...path, key]));
}

/** How well a shape explains data: matched slots and literals, less what it leaves unexplained. */
export interface ShapeMatch extends ReadBack {
  readonly score: number;
}

/**
 * Reads data by the shape that would write it. A list in the shape with one element stands for any number: `split`
 * in the result has one match for each, with the fields around it.
 */
export function readShape(shape: unknown, data: Data): ShapeMatch[] {
  const matches = readPart(shape, data);
  return matches.map(({ fields, unknown, score }) => ({ fields, unknown, score: score - unknown.size }));
}

function readPart(shape: unknown, data: Data): ShapeMatch[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(data) || shape.length !== 1)
      return [{ ...nothing(), score: sameUnordered(shape, data) ? 1 : -1 }];
    return data.flatMap(item => readPart(shape[0], item));
  }
  if (typeof shape !== 'object' || shape === null) return [{ ...nothing(), score: shape === data ? 2 : -2 }];
  const record = shape as Record<string, unknown>;
  if (typeof record.from === 'string') {
    if (sameUnordered(record.default, data) || isBlank(data)) return [{ ...nothing(), score: 1 }];
    return [
      { fields: new Map([[record.from, readSlot(record as Slot, data)]]), unknown: new Map(), score: 1 },
    ];
  }
  if ('literal' in record) return [{ ...nothing(), score: sameUnordered(record.literal, data) ? 2 : -2 }];
  if (typeof record.option === 'string') return [{ ...nothing(), score: 0 }];
  if (!isDataObject(data)) return [{ fields: new Map(), unknown: new Map([['', data]]), score: -1 }];
  let results: ShapeMatch[] = [{ ...nothing(), score: 0 }];
  for (const [key, value] of Object.entries(data)) {
    const parts: ShapeMatch[] = Object.hasOwn(record, key)
      ? readPart(record[key], value)
      : [{ fields: new Map(), unknown: new Map([[key, value]]), score: 0 }];
    results = results.flatMap(result => parts.map(part => join(result, part, key)));
  }
  return results;
}

const nothing = (): ReadBack => ({ fields: new Map(), unknown: new Map() });

function join(a: ShapeMatch, b: ShapeMatch, key: string): ShapeMatch {
  const named = [...b.unknown].map(([name, value]) => [name === '' ? key : name, value] as const);
  return {
    fields: new Map([...a.fields, ...b.fields]),
    unknown: new Map([...a.unknown, ...named]),
    score: a.score + b.score,
  };
}
