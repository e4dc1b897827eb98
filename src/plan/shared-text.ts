import type { Json } from '../kinds/output.ts';
import { equalJson } from './canonical.ts';
import type { SharedFormat } from './shared-format.ts';

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
export function firstTextOf(format: SharedFormat, value: Json, ways: readonly (() => string)[]): string {
  let text = '';
  for (const way of ways) {
    text = way();
    if (isTextOf(format, text, value)) break;
  }
  return text;
}
