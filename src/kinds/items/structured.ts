import { stringify } from 'yaml';
import { isDataObject } from '../../model/data.ts';
import type { Data, Text } from '../../model/model.ts';
import { type FilledSlot, fillShape } from '../native/shape.ts';
import type { Literal } from '../write/convention.ts';
import type { ItemFields, RowValue } from '../write/fields.ts';
import { listPlace } from '../write/tool-keys.ts';
import { tomlRows } from './toml.ts';

/** A whole structured file: the rows first, then the keys of the filled shape. `by` is where the spec has them. */
export function structured(
  format: 'toml' | 'yaml' | 'json',
  rows: readonly RowValue[],
  entry: Data | undefined,
  by: string,
  literal: Literal,
  slots: readonly FilledSlot[] = [],
): Text {
  const values: RowValue[] = [...rows];
  if (isDataObject(entry)) {
    for (const [key, value] of Object.entries(entry)) {
      const origins = slots.flatMap(slot => (slot.path[0] === key ? slot.origins : []));
      values.push({ key, value, bare: false, ...(origins.length > 0 && { origins }) });
    }
  }
  if (format === 'toml') return tomlRows(values, by, literal);
  const object: Record<string, Data> = Object.create(null);
  for (const { key, value } of values) object[key] = value;
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : stringify(object, { lineWidth: 0 });
}

/** Which field went to which key of a structured file. */
export const keyOrigins = (rows: readonly RowValue[], slots: readonly FilledSlot[]): FilledSlot[] => [
  ...rows.flatMap(({ key, origins }) => (origins ? [{ path: [key], origins }] : [])),
  ...slots,
];

/** A filled shape with what another item puts into its list. */
export function withListItems(
  all: Data | undefined,
  other: ItemFields,
  shape: unknown,
  slots: FilledSlot[] | undefined,
): Data | undefined {
  const list = listPlace(shape)!;
  const more: FilledSlot[] = [];
  const filled = fillShape(shape, other, slots && more);
  if (!isDataObject(all) || !isDataObject(filled)) return all ?? filled;
  const [known, added] = [all[list], filled[list]];
  if (!Array.isArray(known) || !Array.isArray(added)) return all;
  for (const { path, origins } of more)
    if (path[0] === list)
      slots?.push({ path: [list, Number(path[1]) + known.length, ...path.slice(2)], origins });
  return { ...all, [list]: [...known, ...added] };
}
