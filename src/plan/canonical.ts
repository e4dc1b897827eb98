import type { Json } from '../kinds/output.ts';
import { sameBytes } from '../text/bytes.ts';
import { compareCodeUnits } from '../text/order.ts';

/** A value as text that is equal for equal values: sorted keys, no blanks, normalized numbers. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value as { readonly [key: string]: Json });
    fields.sort(([a], [b]) => compareCodeUnits(a, b));
    return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Whether two JSON values are equal, ignoring the order of keys. */
export const equalJson = (a: Json, b: Json): boolean => a === b || canonical(a) === canonical(b);

/**
 * Normalizes line ends to LF. Git may convert line ends of text files on checkout, so contents are compared
 * and recorded with LF. Content with a NUL byte is binary and is returned unchanged.
 */
export function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(13) || bytes.includes(0)) return bytes;
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10) continue;
    result[length++] = bytes[at]!;
  }
  return result.subarray(0, length);
}

/** Whether two contents are equal, ignoring the line ends of text. */
export const isSameText = (a: Uint8Array, b: Uint8Array): boolean =>
  sameBytes(a, b) || sameBytes(withLineFeeds(a), withLineFeeds(b));

/** A hash of a content that ignores its line ends. */
export const textHash = (bytes: Uint8Array, hash: (bytes: Uint8Array) => string): string =>
  hash(withLineFeeds(bytes));
