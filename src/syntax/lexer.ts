import { isAscii } from '../text/ascii.ts';
import type { Source } from '../text/source.ts';
import { type Lexer, makeAsciiLexer, makeFullLexer } from './lexers.ts';
import { textMark } from './marks.ts';

/**
 * What the grammar tells apart. Everything else (is a name a number, is a key allowed here) is decided
 * when the tree is built, so that the grammar stays small and each token has one reading.
 */
export type TokenType =
  | 'at'
  | 'inherit'
  | 'use'
  | 'extend'
  | 'override'
  | 'header'
  | 'name'
  | 'word'
  | 'range'
  | 'string'
  | 'text'
  | 'reference'
  | 'version'
  | 'segment'
  | 'as'
  | 'into'
  | 'for'
  | 'lbrace'
  | 'rbrace'
  | 'lbracket'
  | 'rbracket'
  | 'lparen'
  | 'rparen'
  | 'colon'
  | 'comma'
  | 'equals'
  | 'question'
  | 'bang'
  | 'dash'
  | 'dot'
  | 'plus'
  // Never part of a valid file; told apart so that the message can say what is wrong.
  | 'openString'
  | 'openText'
  | 'wrongQuote'
  | 'slashComment'
  | 'other';

/** A word of the language with its place in the source. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** Whether a line break stands between the token before and this one. */
  readonly newLine: boolean;
}

const skipped = new Set(['newline', 'space', 'comment']);

/** Offset behind the string that opens at `start`, and whether it is closed on its line. */
function stringEnd(text: string, start: number): { readonly end: number; readonly closed: boolean } {
  const mark = text.charCodeAt(start);
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === mark) return { end: at + 1, closed: true };
    if (unit === 10 || unit === 13) break;
    if (unit === 92 && text[at + 1] !== '\n' && text[at + 1] !== '\r') at++;
  }
  return { end: Math.min(at, text.length), closed: false };
}

/** Offset of the `"""` that closes a text whose content starts at `from`; -1 when none does. */
function closingMark(text: string, from: number): number {
  let at = text.indexOf(textMark, from);
  // `\"""` is the one escape, so a backslash directly before always keeps the text open.
  while (at > from && text[at - 1] === '\\') at = text.indexOf(textMark, at + 3);
  return at;
}

/**
 * A line that reads like the start of a declaration: `@name {` or `@use …` in the first column. `@param x` or
 * `@Component({` in a text do not.
 */
const declarationLine = () =>
  /(?<=\n)@(?:(?:use|inherit|extend|override)[ \t]+[^\s]|[\p{L}_][\p{L}\p{M}\p{N}_-]*\s*\{)/u;

/**
 * Offset of the first line in `[from, to)` that reads like the start of a declaration; -1 when there is none.
 * The line that holds `from` does not count.
 */
export function declarationLineIn(text: string, from: number, to: number): number {
  const mark = text.indexOf('\n@', from);
  if (mark === -1 || mark >= to) return -1;
  const found = text.slice(from, to).search(declarationLine());
  return found === -1 ? -1 : from + found;
}

/**
 * Makes the tokens of `source` from `offset` on, one at a call, `undefined` at the end. Blanks and comments are
 * dropped, a whole `"""` text is one token. With `strict`, a text ends (as `openText`) before a line that reads
 * like a declaration even when a `"""` follows somewhere: that is how an unclosed text is kept in its own block.
 * `onComment` is told where comments stand as they go by.
 */
export function tokenize(
  source: Source,
  offset: number,
  strict: boolean,
  onComment?: (start: number, end: number) => void,
): () => Token | undefined {
  let base = offset;
  let newLine = offset === 0;
  let isFull = false;
  let lexer: Lexer = makeAsciiLexer();
  lexer.reset(source.text.slice(offset));
  return () => {
    for (let token = lexer.next(); token; token = lexer.next()) {
      const type = token.type as TokenType;
      if (!isFull && (type === 'other' || (type === 'word' && !isAscii(token.text)))) {
        isFull = true;
        base += token.offset;
        const state = lexer.save();
        lexer = makeFullLexer();
        lexer.reset(source.text.slice(base), state);
        continue;
      }
      if (skipped.has(type)) {
        if (token.type === 'newline') newLine = true;
        else if (token.type === 'comment')
          onComment?.(base + token.offset, base + token.offset + token.text.length);
        continue;
      }
      const start = base + token.offset;
      let end = start + token.text.length;
      let found = type;
      if (type === 'text') {
        const close = closingMark(source.text, end);
        const stop =
          strict || close === -1 ? declarationLineIn(source.text, end, close === -1 ? Infinity : close) : -1;
        if (close === -1 || stop !== -1) found = 'openText';
        end = stop !== -1 ? stop : close === -1 ? source.text.length : close + 3;
      } else if (type === 'openString') {
        const string = stringEnd(source.text, start);
        if (string.closed) found = 'string';
        end = string.end;
      }
      if (end > start + token.text.length) {
        lexer.reset(source.text.slice(end), lexer.save());
        base = end;
      }
      const made: Token = { type: found, text: source.text.slice(start, end), source, start, end, newLine };
      newLine = false;
      return made;
    }
    return undefined;
  };
}
