/** An object of data, as YAML gives it. */
export type Plain = { readonly [key: string]: unknown };

export function plain(value: unknown): Plain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
}

/**
 * What a spec says over what its stanza says. Objects are merged key by key, `null` takes a key away; lists, texts and
 * slots are replaced as they are.
 */
export function merged(base: unknown, own: unknown): unknown {
  const [below, above] = [plain(base), plain(own)];
  if (!below || !above || isSlot(below) || isSlot(above)) return own;
  const keys = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (!keys.has(key)) keys.set(key, value);
    else if (value === null) keys.delete(key);
    else keys.set(key, merged(keys.get(key), value));
  }
  return Object.fromEntries(keys);
}

const isSlot = (value: Plain): boolean =>
  ['from', 'option', 'literal'].some(key => Object.hasOwn(value, key));
