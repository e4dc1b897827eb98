import type { Json } from '../kinds/output.ts';
import { equalJson } from './canonical.ts';

type Parsed = { readonly value: Json } | { readonly problem: string; readonly offset: number };

/**
 * Changes single values in a text of the user; everything outside the value stays, byte for byte. All
 * functions take a text without byte order mark that `parse` accepts.
 */
export interface SharedFormat {
  /** A text without any value counts as an empty object. Objects have no prototype: any key is data. */
  parse(text: string): Parsed;
  /**
   * Sets the value at a path. Missing parents are created; existing ones must be objects, or arrays for a
   * number. An index one past the end appends.
   */
  set(text: string, path: readonly PathSegment[], value: Json): string;
  /** Removes the value at an existing path. */
  remove(text: string, path: readonly PathSegment[]): string;
  /** Whether the object or array at a path contains only blanks: no value, and no comment. */
  isBare(text: string, path: readonly PathSegment[]): boolean;
  /** The value without what the format cannot express, such as an object that exists only by its fields. */
  comparable(value: Json): Json;
  create(value: Json): string;
}

/** Replaces the text between two offsets. */
export const replaceRange = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** The line end of a text. */
export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** The offset where the line of an offset ends, before its line end. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** The offset where the next line begins. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

export function isTextOf(format: SharedFormat, text: string, value: Json): boolean {
  const parsed = format.parse(text);
  return 'value' in parsed && equalJson(format.comparable(parsed.value), format.comparable(value));
}

/** The first of several notations of a value that parses to this value; the last one is not checked. */
export function firstRoundTrip(format: SharedFormat, value: Json, ways: readonly (() => string)[]): string {
  let text = '';
  for (const way of ways) {
    text = way();
    if (isTextOf(format, text, value)) break;
  }
  return text;
}

/** A step into a value: a field name or an array index. */
export type PathSegment = string | number;

/** A mutable JSON object. */
export type Fields = { [key: string]: Json };

/** Whether a value is an object rather than a list or scalar. */
export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object or list is empty. */
export const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;

/** Whether `start` is a prefix of a path, or the path itself. */
export const startsWith = (path: readonly PathSegment[], start: readonly PathSegment[]): boolean =>
  start.every((step, at) => path[at] === step);

export function valueAt(value: Json, path: readonly PathSegment[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? (found as readonly Json[])[step] : undefined;
    else found = isFields(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** Applies `set` or `remove` to the value: the text after an edit must parse to the result. */
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

/** The value for the first missing step of a path that ends with `value`. */
export function nestValue(path: readonly PathSegment[], value: Json): Json {
  return path.reduceRight<Json>((inner, step) => {
    if (typeof step === 'number') return [inner];
    const fields: Fields = Object.create(null);
    fields[step] = inner;
    return fields;
  }, value);
}
