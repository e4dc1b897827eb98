import type { Json } from '../kinds/output.ts';
import { compareCode } from '../text/order.ts';

/**
 * A value as text that is the same for equal values: keys sorted, no blanks. Numbers are compared as numbers, so
 * `1` and `1.0` are equal.
 */
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
