import { isObject } from '../../text/data.ts';
/** Merges `near` over `far`: objects are merged recursively, other values are replaced. Returns a new value. */
export function mergeData(far: unknown, near: unknown): unknown {
  if (!isObject(far) || !isObject(near)) return near;
  const result: Record<string, unknown> = Object.assign(Object.create(null), far);
  for (const [key, value] of Object.entries(near))
    result[key] = key in far ? mergeData(far[key], value) : value;
  return result;
}
