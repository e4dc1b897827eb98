import type { ScalarNode } from '../resolve/program.ts';
import { type Data, isObject } from '../text/data.ts';

/** A scalar as the user wrote it, numbers with all digits; empty for `null`. */
export function scalarText(node: ScalarNode): string {
  return node.raw ?? (node.value === null ? '' : String(node.value));
}

/** Whether a value is empty: no text, no items, no fields. */
export const isBlank = (data: Data | undefined): boolean =>
  data === undefined ||
  data === null ||
  data === '' ||
  (Array.isArray(data) ? data.length === 0 : isObject(data) && Object.keys(data).length === 0);

/** The strings of a list or of a single value; empty for other types. */
export function strings(data: Data | undefined): string[] {
  if (data === undefined || data === null) return [];
  if (typeof data === 'string') return [data];
  if (Array.isArray(data)) return data.every(isText) ? [...data] : data.flatMap(strings);
  return isObject(data) ? [] : [String(data)];
}

const isText = (data: Data): data is string => typeof data === 'string';

/** The value at a path of keys; `undefined` when a part of the path is missing. */
export const valueAt = (data: Data | undefined, path: readonly (string | number)[]): Data | undefined =>
  path.reduce<Data | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, data);
