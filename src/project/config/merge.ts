/** Data without prototypes, as the YAML reader returns it. */
export type Data = Record<string, unknown>;

/** Whether a value is an object, not a list or a scalar. */
export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges `near` over `far`: objects are merged recursively, other values are replaced. Returns a new value. */
export function mergeData(far: unknown, near: unknown): unknown {
  if (!isData(far) || !isData(near)) return near;
  const result: Data = Object.assign(Object.create(null), far);
  for (const [key, value] of Object.entries(near))
    result[key] = key in far ? mergeData(far[key], value) : value;
  return result;
}
