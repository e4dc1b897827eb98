/*
 * References to environment variables inside texts. A tool expands them when it runs, each in its own syntax; until a
 * text is written for one, a reference stands in it between characters that Unicode keeps for the inside of programs.
 */

/** An environment variable, and what stands for it while it is not set. */
export interface Reference {
  readonly name: string;
  readonly fallback?: string;
}

const [opened, divided, closed] = ['\ufdd0', '\ufdd1', '\ufdd2'];

const pattern = /\ufdd0([A-Za-z_]\w*)(?:\ufdd1([^\ufdd0-\ufdd2]*))?\ufdd2/g;

/** What a variable may be called. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** A reference as a piece of text. */
export const markReference = ({ name, fallback }: Reference): string =>
  `${opened}${name}${fallback === undefined ? '' : divided + fallback}${closed}`;

/** Whether a text has a marked reference to a variable. */
export const hasReference = (text: string): boolean =>
  text.includes(opened!) && splitReferences(text).some(part => typeof part !== 'string');

/** A text as its literal pieces and the references between them; empty pieces are left out. */
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

/** The reference that a text is, with nothing around it. */
export function loneReference(text: string): Reference | undefined {
  const parts = splitReferences(text);
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only : undefined;
}

/** A text with its references as `write` puts them, and its other pieces as `literal` does. */
export const writeReferences = (
  text: string,
  write: (reference: Reference) => string,
  literal: (piece: string) => string = piece => piece,
): string =>
  splitReferences(text)
    .map(part => (typeof part === 'string' ? literal(part) : write(part)))
    .join('');

/** A text as people read it: with references the way the language has them. */
export const readableText = (text: string): string =>
  text.includes(opened!) ? writeReferences(text, writtenReference) : text;

/** `env("NAME")` */
export const writtenReference = ({ name, fallback }: Reference): string =>
  `env(${JSON.stringify(name)}${fallback === undefined ? '' : `, ${JSON.stringify(fallback)}`})`;

/** Data as JSON, with references the way the language has them. */
export function readableJson(data: unknown): string {
  const json = JSON.stringify(data);
  if (!json.includes(opened!)) return json;
  return json.replace(/"(?:[^"\\]|\\.)*"/g, text =>
    text.includes(opened!) ? writtenText(JSON.parse(text) as string) : text,
  );
}

/** A text as a value of the language: `"Bearer " + env("TOKEN")`. */
export const writtenText = (text: string): string =>
  text === ''
    ? '""'
    : splitReferences(text)
        .map(part => (typeof part === 'string' ? JSON.stringify(part) : writtenReference(part)))
        .join(' + ');
