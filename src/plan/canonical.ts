import type { Json } from '../kinds/output.ts';
import { sameBytes } from '../text/bytes.ts';
import { compareCode } from '../text/order.ts';

/** A value as text that is equal for equal values: keys sorted, no blanks, numbers compared as numbers. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value as { readonly [key: string]: Json });
    fields.sort(([a], [b]) => compareCode(a, b));
    return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export const equalJson = (a: Json, b: Json): boolean => a === b || canonical(a) === canonical(b);

/**
 * Version control may turn the line ends of text files into CRLF on checkout, and back again. A text is the same text
 * then: contents are compared, and recorded, as they are with LF. Content with a NUL byte is no text and stays as it
 * is.
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

/** Equal, or equal but for the line ends of text. */
export const isSameText = (a: Uint8Array, b: Uint8Array): boolean =>
  sameBytes(a, b) || sameBytes(withLineFeeds(a), withLineFeeds(b));

/** The hash of a content whatever its line ends. */
export const textHash = (bytes: Uint8Array, hash: (bytes: Uint8Array) => string): string =>
  hash(withLineFeeds(bytes));
