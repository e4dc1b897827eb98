import type { Json } from '../kinds/output.ts';
import { isObject } from '../text/data.ts';
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
   * Sets the value at a path, or removes an existing one. Missing parents are created; existing ones must be
   * objects, or arrays for a number. An index one past the end appends.
   */
  change(text: string, path: readonly PathSegment[], value: Json | undefined): string;
  /** Whether the object or array at a path contains only blanks: no value, and no comment. */
  isBare(text: string, path: readonly PathSegment[]): boolean;
  /** The value without what the format cannot express, such as an object that exists only by its fields. */
  comparable?(value: Json): Json;
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

function isTextOf(format: SharedFormat, text: string, value: Json): boolean {
  const parsed = format.parse(text);
  const comparable = format.comparable ?? (same => same);
  return 'value' in parsed && equalJson(comparable(parsed.value), comparable(value));
}

/** The steps from a text to the text in which a value is changed; `before` is the value of the whole text. */
type Change = (text: string, path: readonly PathSegment[], value: Json | undefined, before: Json) => string;

/** Changes a text with `first`, or with `second` if the result of `first` does not parse to the changed value. */
export function changeChecked(
  format: SharedFormat,
  [first, second]: readonly [Change, Change],
  ...[text, path, value]: Parameters<SharedFormat['change']>
): string {
  const parsed = format.parse(text);
  const before = 'value' in parsed ? parsed.value : {};
  const changed = first(text, path, value, before);
  const isRight = isTextOf(format, changed, changeValue(before, path, value));
  return isRight ? changed : second(text, path, value, before);
}

/** A text and its value, which are changed together. A text without content is printed from the whole value. */
export class SharedText {
  value: Json;
  readonly #format: SharedFormat;
  readonly #isNew: boolean;
  #isChanged = false;
  #text: string;

  constructor(format: SharedFormat, text: string, value: Json) {
    this.#format = format;
    this.#text = text;
    this.#isNew = text.trim() === '';
    this.value = value;
  }

  get text(): string {
    return this.#isNew && this.#isChanged ? this.#format.create(this.value) : this.#text;
  }

  /** Sets or removes the value at a place. */
  put(place: readonly PathSegment[], next: Json | undefined): void {
    if (!this.#isNew) this.#text = this.#format.change(this.#text, place, next);
    this.value = changeValue(this.value, place, next);
    this.#isChanged = true;
  }

  /** Whether nothing is left at a path: no value, and no comment. */
  isEmptied(path: readonly PathSegment[] = []): boolean {
    const now = valueAt(this.value, path);
    return now !== undefined && isEmpty(now) && this.#format.isBare(this.text, path);
  }

  /** Whether the text parses to exactly the value. */
  isExact(): boolean {
    return isTextOf(this.#format, this.text, this.value);
  }
}

/** A step into a value: a field name or an array index. */
export type PathSegment = string | number;

/** A mutable JSON object. */
export type Fields = { [key: string]: Json };

/** A parsed value as JSON. What JSON cannot express becomes a unique text. */
export function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return `\u0000date ${value.toISOString()}`;
  if (typeof value === 'bigint') return `\u0000integer ${value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `\u0000float ${value}`;
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  const fields: Fields = Object.create(null);
  for (const [key, item] of value instanceof Map ? value : Object.entries(value))
    fields[typeof key === 'string' ? key : JSON.stringify(key)] = toJson(item);
  return fields;
}

/** Whether a value is an object rather than a list or scalar. */
export const isFields = (value: Json | undefined): value is Fields => isObject(value);

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
