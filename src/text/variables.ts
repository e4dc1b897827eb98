/*
 * References to environment variables inside texts. A tool expands them at run time, each in its own syntax.
 * Until the text is written for one tool, a reference is enclosed in Unicode noncharacters, which are
 * reserved for internal use.
 */

/** An environment variable and its default value. */
export interface Reference {
  readonly name: string;
  readonly fallback?: string;
}

const [opened, divided, closed] = ['\ufdd0', '\ufdd1', '\ufdd2'];

const pattern = /\ufdd0([A-Za-z_]\w*)(?:\ufdd1([^\ufdd0-\ufdd2]*))?\ufdd2/g;

/** Whether a name is valid for a variable. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** Encodes a reference for use inside a text. */
export const markReference = ({ name, fallback }: Reference): string =>
  `${opened}${name}${fallback === undefined ? '' : divided + fallback}${closed}`;

/** Whether a text contains an encoded reference. */
export const hasReference = (text: string): boolean =>
  text.includes(opened!) && splitReferences(text).some(part => typeof part !== 'string');

/** Splits a text into literal pieces and references; empty pieces are omitted. */
export function splitReferences(text: string): (string | Reference)[] {
  if (!text.includes(opened!)) return text === '' ? [] : [text];
  const parts: (string | Reference)[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push({ name: match[1]!, ...(match[2] !== undefined && { fallback: match[2] }) });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** The reference, when a text consists of exactly one. */
export function wholeReference(text: string): Reference | undefined {
  const parts = splitReferences(text);
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : undefined;
}

/** Rewrites a text: references with `write`, all other pieces with `literal`. */
export const writeReferences = (
  text: string,
  write: (reference: Reference) => string,
  literal: (piece: string) => string = piece => piece,
): string =>
  splitReferences(text)
    .map(part => (typeof part === 'string' ? literal(part) : write(part)))
    .join('');

/** A text for people, with references in the syntax of the language. */
export const readableText = (text: string): string =>
  text.includes(opened!) ? writeReferences(text, printReference) : text;

export const printReference = ({ name, fallback }: Reference): string =>
  `env(${JSON.stringify(name)}${fallback === undefined ? '' : `, ${JSON.stringify(fallback)}`})`;

/** Data as JSON, with references in the syntax of the language. */
export function readableJson(data: unknown): string {
  const json = JSON.stringify(data);
  if (!json.includes(opened!)) return json;
  return json.replace(/"(?:[^"\\]|\\.)*"/g, text =>
    text.includes(opened!) ? printTextValue(JSON.parse(text) as string) : text,
  );
}

/** Prints a text as a value of the language: `"Bearer " + env("TOKEN")`. */
export const printTextValue = (text: string): string =>
  text === ''
    ? '""'
    : splitReferences(text)
        .map(part => (typeof part === 'string' ? JSON.stringify(part) : printReference(part)))
        .join(' + ');
