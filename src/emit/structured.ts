import { stringify } from 'yaml';
import { isDataObject } from '../model/data.ts';
import type { Data } from '../model/model.ts';
import type { RowValue } from './fields.ts';
import { tomlRows } from './toml.ts';

/** A whole structured file: the rows first, then the keys of the filled shape. */
export function structured(
  format: 'toml' | 'yaml' | 'json',
  rows: readonly RowValue[],
  entry: Data | undefined,
): string {
  const values: RowValue[] = [...rows];
  if (isDataObject(entry))
    for (const [key, value] of Object.entries(entry)) values.push({ key, value, bare: false });
  if (format === 'toml') return tomlRows(values);
  const object: Record<string, Data> = Object.create(null);
  for (const { key, value } of values) object[key] = value;
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : stringify(object, { lineWidth: 0 });
}
