import type { Json } from '../kinds/output.ts';
import { equalJson } from './canonical.ts';

type Parsed = { readonly value: Json } | { readonly problem: string; readonly offset: number };

/**
 * Changes single values in a text that belongs to the user: everything outside the value stays, byte for byte. All
 * functions take the text without byte order mark, and only such that `parse` accepts.
 */
export interface SharedFormat {
  /** A text without any value counts as an empty object. Objects have no prototype: any key is data. */
  parse(text: string): Parsed;
  /**
   * Sets the value at a path. What is missing on the way is made; what is there must be an object, or an array
   * before a number. An element one past the end is appended.
   */
  set(text: string, path: readonly PathSegment[], value: Json): string;
  /** Removes the value at a path that exists. */
  remove(text: string, path: readonly PathSegment[]): string;
  /** Whether nothing but blanks is left in the object or array at a path: no value, and no comment either. */
  isBare(text: string, path: readonly PathSegment[]): boolean;
  /** The value without what the format cannot say, such as an empty object that exists by its fields only. */
  comparable(value: Json): Json;
  create(value: Json): string;
}

/** A text with another part between two offsets. */
export const splice = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** The line end that a text has. */
export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Where the line of an offset begins. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Where the line of an offset ends, before its line end. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Where the next line begins. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

/** Whether a text parses to a value. */
export function isTextOf(format: SharedFormat, text: string, value: Json): boolean {
  const parsed = format.parse(text);
  return 'value' in parsed && equalJson(format.comparable(parsed.value), format.comparable(value));
}

/** The first of several ways to write a value that comes out as this value; the caller judges the last one. */
export function firstRoundTrip(format: SharedFormat, value: Json, ways: readonly (() => string)[]): string {
  let text = '';
  for (const way of ways) {
    text = way();
    if (isTextOf(format, text, value)) break;
  }
  return text;
}

/** A step into a value: the name of a field, or the number of an element. */
export type PathSegment = string | number;

/** An object of JSON that may be changed. */
export type Fields = { [key: string]: Json };

/** Whether a value is an object, not a list or a scalar. */
export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object or list holds nothing. */
export const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;

/** Whether a path leads to another one, or through it. */
export const startsWith = (path: readonly PathSegment[], start: readonly PathSegment[]): boolean =>
  start.every((step, at) => path[at] === step);

/** The value at a path, or `undefined`. */
export function valueAt(value: Json, path: readonly PathSegment[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? (found as readonly Json[])[step] : undefined;
    else found = isFields(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** What `set` and `remove` mean for the value: the text after an edit must parse to this. */
export function changeValue(value: Json, path: readonly PathSegment[], next: Json | undefined): Json {
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
export function nest(path: readonly PathSegment[], value: Json): Json {
  return path.reduceRight<Json>((inner, step) => {
    if (typeof step === 'number') return [inner];
    const fields: Fields = Object.create(null);
    fields[step] = inner;
    return fields;
  }, value);
}
