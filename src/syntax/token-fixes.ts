import { type Fix, insertionFix, replacementFix } from '../text/diagnostics/fixes.ts';
import { spanOf, type Token } from './lexer.ts';
import { writeString } from './literals.ts';

/* Fixes for syntax errors, in terms of tokens. */

/** Replaces a token. */
export const replaceToken = (title: string, token: Token, text: string): Fix =>
  replacementFix(title, spanOf(token), text);

/** Removes a token. */
export const removeToken = (token: Token): Fix => replaceToken(`Remove \`${token.text}\``, token, '');

/** Inserts text before a token. */
export const insertBefore = (title: string, { source, start }: Token, text: string): Fix =>
  insertionFix(title, source, start, text);

/** Inserts text after a token. */
export const insertAfter = (title: string, { source, end }: Token, text: string): Fix =>
  insertionFix(title, source, end, text);

const textStarts = new Set(['colon', 'dash', 'header']);

/**
 * Quotes the unquoted text that contains the token at `at`: from the colon or dash before it to the end of the
 * line. Returns nothing for a line with brackets, quotes or comments.
 */
export function quoteText(tokens: readonly Token[], at: number): readonly Fix[] {
  let first = at;
  while (first > 0 && !tokens[first]!.newLine && !textStarts.has(tokens[first - 1]!.type)) first -= 1;
  const { source, start, newLine } = tokens[first]!;
  const rest = /^[^\r\n]*/.exec(source.text.slice(start))![0].replace(/[\s,;]+$/, '');
  if (newLine || /["“”#{}[\]()]/.test(rest)) return [];
  return [
    replacementFix('Put the text in quotes', { source, start, end: start + rest.length }, writeString(rest)),
  ];
}

/** Closes a string that is not closed on its line. */
export function closeString({ source, start, text }: Token): readonly Fix[] {
  const end = start + text.replace(/[\s,;]+$/, '').length;
  if (/[\\{}[\]()]/.test(text)) return [];
  return [insertionFix(`Close the text with \`${text[0]}\``, source, end, text[0]!)];
}
