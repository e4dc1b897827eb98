import { sameBytes } from './bytes.ts';

/** Plain data. Objects have no prototype, so that keys such as `constructor` are safe. */
export type Data = string | number | boolean | null | readonly Data[] | DataObject;
/** A data object. */
export interface DataObject {
  readonly [key: string]: Data;
}

/** An object of unknown data. */
export type UnknownObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object rather than a list or scalar. */
export function isObject(value: Data | undefined): value is DataObject;
export function isObject(value: unknown): value is UnknownObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key of an object; `undefined` for inherited keys and other values. */
export const ownValue = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/**
 * Whether two values are deeply equal. The order of keys counts, because outputs depend on it. Functions are
 * equal only when they are identical.
 */
export function equalData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (!Array.isArray(a)) return !Array.isArray(b) && equalData(Object.entries(a), Object.entries(b));
  return Array.isArray(b) && a.length === b.length && a.every((value, index) => equalData(value, b[index]));
}

/** Whether two values are deeply equal, ignoring the order of keys. */
export function equalUnordered(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  return (
    left.length === Object.keys(b).length &&
    left.every(
      ([key, value]) => Object.hasOwn(b, key) && equalUnordered(value, (b as Record<string, unknown>)[key]),
    )
  );
}
