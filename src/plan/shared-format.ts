import type { Json, SharedFile } from '../emit/output.ts';

/** A step into a value: the name of a field, or the number of an element. */
export type Step = string | number;

export type Parsed = { readonly value: Json } | { readonly problem: string; readonly offset: number };

/**
 * Changes single values in a text that belongs to somebody else: everything outside the value stays, byte for byte.
 * All functions take the text without byte order mark, and only such that `parse` accepts.
 */
export interface SharedFormat {
  /** A text without any value counts as an empty object. Objects have no prototype: any key is data. */
  parse(text: string): Parsed;
  /**
   * Sets the value at a path. What is missing on the way is made; what is there must be an object, or an array
   * before a number. An element one past the end is appended.
   */
  set(text: string, path: readonly Step[], value: Json): string;
  /** Removes the value at a path that exists. */
  remove(text: string, path: readonly Step[]): string;
  /** Whether nothing but blanks is left in the object or array at a path: no value, and no comment either. */
  isBare(text: string, path: readonly Step[]): boolean;
  /** The value without what the format cannot say, such as an empty object that exists by its fields only. */
  comparable(value: Json): Json;
  /** A whole new file. */
  create(value: Json): string;
}

/** The editor for a format; the library behind it is loaded now and not before. */
export async function loadFormat(format: SharedFile['format']): Promise<SharedFormat> {
  switch (format) {
    case 'json':
    case 'jsonc':
      return (await import('./shared-json.ts')).jsonFormat;
    case 'toml':
      return (await import('./shared-toml.ts')).tomlFormat;
    case 'yaml':
      return (await import('./shared-yaml.ts')).yamlFormat;
  }
}

export type Fields = { [key: string]: Json };

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path, or `undefined`. */
export function valueAt(value: Json, path: readonly Step[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? (found as readonly Json[])[step] : undefined;
    else found = isFields(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** What `set` and `remove` mean for the value: the text after an edit must parse to this. */
export function changeValue(value: Json, path: readonly Step[], next: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return next === undefined ? Object.create(null) : next;
  if (typeof step === 'number') {
    const items: Json[] = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && next === undefined) items.splice(step, 1);
    else items[step] = changeValue(items[step] ?? null, rest, next);
    return items;
  }
  const fields: Fields = Object.assign(Object.create(null), isFields(value) ? value : {});
  if (rest.length === 0 && next === undefined) delete fields[step];
  else fields[step] = changeValue(fields[step] ?? null, rest, next);
  return fields;
}

/** The value that stands at the first missing step of a path when `value` is to stand at its end. */
export function nest(path: readonly Step[], value: Json): Json {
  return path.reduceRight<Json>((inner, step) => {
    if (typeof step === 'number') return [inner];
    const fields: Fields = Object.create(null);
    fields[step] = inner;
    return fields;
  }, value);
}
