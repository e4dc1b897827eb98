/** An object of data, as YAML gives it. */
export type Plain = { readonly [key: string]: unknown };

/** The value when it is an object, not a list or a scalar. */
export function plain(value: unknown): Plain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
}

/** The value when it is a text, else an empty one: of a wrong form is for the schema to say. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * What a spec says over what its stanza says. Objects are merged key by key, `null` takes a key away; lists, texts and
 * slots are replaced as they are.
 */
export function merged(base: unknown, own: unknown): unknown {
  const [below, above] = [plain(base), plain(own)];
  return !below || !above || isSlot(below) || isSlot(above) ? own : mergedFields(below, above);
}

/** The same for two objects whose keys are merged whatever they are, as those of a row. */
export function mergedFields(base: Plain, own: Plain): Plain {
  const keys = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(own)) {
    if (!keys.has(key)) keys.set(key, value);
    else if (value === null) keys.delete(key);
    else keys.set(key, merged(keys.get(key), value));
  }
  return Object.fromEntries(keys);
}

const isSlot = (value: Plain): boolean =>
  ['from', 'option', 'literal'].some(key => Object.hasOwn(value, key));
