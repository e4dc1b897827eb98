import type { Json } from '../kinds/output.ts';

/** A step into a value: the name of a field, or the number of an element. */
export type Step = string | number;

/** An object of JSON that may be changed. */
export type Fields = { [key: string]: Json };

/** Whether a value is an object, not a list or a scalar. */
export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object or list holds nothing. */
export const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;

/** Whether a path leads to another one, or through it. */
export const startsWith = (path: readonly Step[], start: readonly Step[]): boolean =>
  start.every((step, at) => path[at] === step);

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

/** The value for the first missing step of a path, when `value` is to be at its end. */
export function nest(path: readonly Step[], value: Json): Json {
  return path.reduceRight<Json>((inner, step) => {
    if (typeof step === 'number') return [inner];
    const fields: Fields = Object.create(null);
    fields[step] = inner;
    return fields;
  }, value);
}
