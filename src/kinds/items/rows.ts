import type { Data, Fields, Item } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';
import { inOrder } from '../../text/in-order.ts';
import { type ItemFields, type RowValue, takeOwn } from '../write/fields.ts';

/** Keys that an entry has for this tool alone, as far as they are in one part of the file. */
export const nativeOf = ({ native = new Map() }: Item, isThere: (key: string) => boolean): Fields =>
  new Map([...native].filter(([key]) => isThere(key)));

/** The rows with keys that an entry has for this tool alone, in the place of those of the spec; `null` takes one away. */
export function withNative(rows: RowValue[], native: Fields | undefined): RowValue[] {
  if (!native || native.size === 0) return rows;
  const rowOf = ([key, value]: readonly [string, Data]): RowValue[] =>
    value === null ? [] : [{ key, value, bare: false }];
  const known = new Set(rows.map(({ key }) => key));
  return [
    ...rows.flatMap(row => (native.has(row.key) ? rowOf([row.key, native.get(row.key)!]) : [row])),
    ...[...native].filter(([key]) => !known.has(key)).flatMap(rowOf),
  ];
}

/**
 * The rows with the fields that only the tool knows: what the source says of a key that the spec has a constant for
 * counts, and what a Markdown source says under a key that no row has stays under that key. `shown` is in the body.
 */
export function passExtra(
  values: readonly RowValue[],
  fields: ItemFields,
  shown: readonly string[],
): readonly RowValue[] {
  const { item } = fields;
  const rows = new Map(values.map(value => [value.key, value]));
  const pass = (field: string, key: string, value: Data) => {
    const known = rows.get(key)?.from;
    if (known !== undefined && !item.computed.has(known)) return;
    const origins = originsOf(item, field);
    rows.set(key, { key, value, bare: false, from: field, ...(origins.length > 0 && { origins }) });
  };
  const passAsItIs = (value: Data, key: string) => pass(key, key, value);
  item.extra?.forEach(passAsItIs);
  takeOwn(fields, shown).forEach(passAsItIs);
  item.written?.keys.forEach((key, field) => {
    if (fields.isUsed(field) || (item.computed.has(field) && field !== 'name') || item.extra?.has(field))
      return;
    const value = fields.get(field);
    if (value !== undefined) pass(field, key, value);
  });
  return [...rows.values()];
}

/** Rows in the order in which the source has their fields. */
export const inSourceOrder = (values: readonly RowValue[], { order }: Item): readonly RowValue[] =>
  order ? inOrder(values, ({ from }) => from, order) : values;
