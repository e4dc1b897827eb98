import { type Fix, insertionFix, replacementFix } from '../text/diagnostics/fixes.ts';
import { spanOf, type Token } from './lexer.ts';
import { writeString } from './literals.ts';

/* Fixes for syntax errors, in terms of tokens. */

/** Maps opening to closing brackets. */
export const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

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

/** Removes a key without a value and its colon. */
export const removeKey = (key: Token, colon: Token): Fix =>
  replacementFix(`Remove \`${key.text}\``, { source: key.source, start: key.start, end: colon.end }, '');

/**
 * Quotes the unquoted text that contains the token at `at`: from the colon, dash or bracket before it to the
 * end of the line, or to the closer of a bracket that was opened on this line.
 */
export function quoteText(tokens: readonly Token[], at: number): readonly Fix[] {
  let first = at;
  while (first > 0 && !tokens[first]!.newLine && !textStarts.has(tokens[first - 1]!.type)) first -= 1;
  // The text may contain a colon; only the first colon of the line, after the key, counts.
  for (let index = first - 1; index > 0 && !tokens[index]!.newLine; index--) {
    if (tokens[index]!.type !== 'colon') break;
    const key = tokens[index - 1]!;
    if (key.newLine || tokens[index - 2]?.type !== 'colon') break;
    first = index - 1;
    index -= 1;
  }
  return quoteFrom(tokens, first);
}

/** Quotes the rest of a line, starting at a token. */
export function quoteFrom(tokens: readonly Token[], first: number): readonly Fix[] {
  const from = tokens[first];
  if (!from || from.type === 'openString' || from.type === 'wrongQuote') return [];
  const { source } = from;
  const line = /[^\r\n]*/y;
  line.lastIndex = from.start;
  const rest = untilClose(line.exec(source.text)![0], opensOnLine(tokens, first));
  if (rest === '' || /["“”#]/.test(rest)) return [];
  return [
    replacementFix(
      'Put the text in quotes',
      { source, start: from.start, end: from.start + rest.length },
      writeString(rest),
    ),
  ];
}

const textStarts = new Set(['colon', 'dash', 'comma', 'lbracket', 'lbrace', 'equals']);

/** Whether a bracket before a token is on its line, so that its closer may be on the line, too. */
function opensOnLine(tokens: readonly Token[], at: number): boolean {
  let open = 0;
  for (let index = at; index >= 0; index--) {
    const { type, newLine } = tokens[index]!;
    if (index < at && (type === 'lbrace' || type === 'lbracket' || type === 'lparen')) open += 1;
    if (index < at && (type === 'rbrace' || type === 'rbracket' || type === 'rparen')) open -= 1;
    if (newLine) break;
  }
  return open > 0;
}

/** Removes from the end of a text what does not belong to it: blanks, a comma, closing brackets. */
export function untilClose(text: string, hasOpen: boolean): string {
  return text.replace(hasOpen ? /[\s,;}\])]*$/ : /[\s,;]*$/, '');
}

/** Closes a string that is not closed on its line. */
export function closeString(tokens: readonly Token[], at: number): Fix {
  const token = tokens[at]!;
  const mark = token.text[0]!;
  const text = untilClose(token.text, opensOnLine(tokens, at));
  // A final backslash would escape the quote.
  const backslash = /(?:^|[^\\])(?:\\\\)*\\$/.test(text) ? '\\' : '';
  return insertionFix(
    `Close the text with \`${mark}\``,
    token.source,
    token.start + text.length,
    backslash + mark,
  );
}

/**
 * Closes a text that runs to the end of its declaration: before the closing brace of the block, if there is
 * one.
 */
export function closeText(token: Token): Fix {
  const brace = /\n[ \t]*\}\s*$/.exec(token.text);
  const end = token.text.trimEnd().length;
  const title = 'Close the text with `"""`';
  if (brace) return insertionFix(title, token.source, token.start + brace.index, `\n${indentOf(token)}"""`);
  return insertionFix(title, token.source, token.start + end, `\n${indentOf(token)}"""`);
}

/** Closes a brace before the first line that is indented no deeper than the line of the brace. */
export function closeBrace(tokens: readonly Token[], opener: Token): Fix {
  const indent = indentOf(opener);
  const title = 'Close the `{` with `}`';
  const behind = tokens.slice(tokens.indexOf(opener) + 1);
  const next = behind.findIndex(token => token.newLine && indentOf(token).length <= indent.length);
  const last = next === -1 ? tokens.at(-1)! : (behind[next - 1] ?? opener);
  return insertionFix(title, last.source, last.end, `\n${indent}}`);
}

/** Inserts the closer after the last token of the line before the failing one. */
export function closeList(opener: Token, tokens: readonly Token[], at: number): readonly Fix[] {
  const closer = closers[opener.text]!;
  // In `[1` followed by a line `key: 2`, the key was read as a value.
  const start = tokens[at]?.type === 'colon' && tokens[at - 1]?.newLine ? at - 1 : at;
  const [before, next] = [tokens[start - 1], tokens[start]];
  const title = `Close the \`${opener.text}\` with \`${closer}\``;
  if (next?.type === 'rbrace' && !next.newLine) return [insertBefore(title, next, closer)];
  return !before || (next && !next.newLine) ? [] : [insertAfter(title, before, closer)];
}

/** Replaces braces by brackets when they contain only values. */
export function useBrackets(tokens: readonly Token[], at: number, open: Token): readonly Fix[] {
  const end = tokens.findIndex(({ type }, index) => index >= at && type === 'rbrace');
  const inner = tokens.slice(tokens.indexOf(open) + 1, end);
  if (end === -1 || !inner.every(({ type }) => /^(?:name|word|string|comma)$/.test(type))) return [];
  // Without a comma, a name alone is more likely an incomplete field.
  if (!inner.some(({ type }) => type === 'comma')) return [];
  const edits = [open, tokens[end]!].map((token, index) => ({ span: spanOf(token), text: '[]'[index]! }));
  return [{ title: 'Write it as a list', edits }];
}

/** The indentation of the line of a token. */
function indentOf({ source, start }: Token): string {
  const lineStart = source.text.lastIndexOf('\n', start - 1) + 1;
  return /^[ \t]*/.exec(source.text.slice(lineStart, start))![0];
}
