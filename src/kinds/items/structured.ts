import { stringify } from 'yaml';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { Text } from '../../model/origin.ts';
import type { Literal } from '../write/convention.ts';
import type { RowValue } from '../write/fields.ts';
import type { Slot } from '../write/shape.ts';
import { tomlRows } from './toml.ts';

/** A whole structured file: the rows first, then the keys of the filled shape. `by` is where the spec has them. */
export function structured(
  format: 'toml' | 'yaml' | 'json',
  rows: readonly RowValue[],
  entry: Data | undefined,
  by: string,
  literal: Literal,
  slots: readonly Slot[] = [],
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
export const keyOrigins = (rows: readonly RowValue[], slots: readonly Slot[]): Slot[] => [
  ...rows.flatMap(({ key, origins }) => (origins ? [{ path: [key], origins }] : [])),
  ...slots,
];
