import moo from 'moo';
import type { Source } from '../text/source.ts';

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
  // Never part of a valid file; told apart so that the message can say what is wrong.
  | 'openString'
  | 'openText'
  | 'wrongQuote'
  | 'slashComment'
  | 'other';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** Whether a line break stands between the token before and this one. */
  readonly newLine: boolean;
}

/** `"""` opens and closes a text. */
export const textMark = '"""';

/** A letter or `_`, then letters, digits, `_`, `-`. */
export const identifierPattern = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u;

/**
 * A line that reads like the start of a declaration: `@name {` or `@use …` in the first column. `@param x` or
 * `@Component({` in a text do not.
 */
const declarationLine =
  /(?<=\n)@(?:(?:use|inherit|extend|override)[ \t]+[^\s]|[\p{L}_][\p{L}\p{M}\p{N}_-]*\s*\{)/u;

const wordEnd = '(?![\\p{L}\\p{M}\\p{N}_-])';
const keyword = (name: string) => new RegExp(`@${name}${wordEnd}`, 'u');

const blank = {
  newline: { match: /\r\n?|\n/u, lineBreaks: true },
  space: /[ \t\r\f\v\u00a0\ufeff]+/u,
  comment: /#[^\r\n]*/u,
};

// Strings without escapes; `openString` is looked at again by hand, as a repeated alternative in a regular
// expression would overflow its stack on a string with millions of escapes.
const string = /"[^"\\\r\n]*"|'[^'\\\r\n]*'/u;
const openString = /["']/u;
const wrongQuote = /“[^”\r\n]*”?|‘[^’\r\n]*’?|„[^“”\r\n]*[“”]?|«[^»\r\n]*»?|`[^`\r\n]*`?|[”’»]/u;
const other = { match: /[\s\S]/u, lineBreaks: true };

const keywords = {
  inherit: { match: keyword('inherit'), push: 'reference' },
  use: { match: keyword('use'), push: 'reference' },
  extend: { match: keyword('extend'), push: 'path' },
  override: { match: keyword('override'), push: 'path' },
  header: keyword('header'),
  at: /@[\p{L}_][\p{L}\p{M}\p{N}_-]*/u,
};

const brackets = { lbrace: '{', rbrace: '}', lbracket: '[', rbracket: ']' };

const clauses = {
  newline: { match: /\r\n?|\n/u, lineBreaks: true, pop: 1 },
  space: blank.space,
  comment: blank.comment,
  string,
  openString,
  wrongQuote,
  inherit: { match: keyword('inherit'), next: 'reference' },
  use: { match: keyword('use'), next: 'reference' },
  header: { match: keywords.header, pop: 1 },
  at: { match: keywords.at, pop: 1 },
  lparen: { match: '(', push: 'main' },
  ...brackets,
  rbrace: { match: '}', pop: 1 },
  comma: { match: ',', pop: 1 },
  as: new RegExp(`as${wordEnd}`, 'u'),
  into: new RegExp(`into${wordEnd}`, 'u'),
  name: /[\p{L}_][\p{L}\p{M}\p{N}_-]*/u,
  other,
};

// `clone` is missing in the types of moo.
const prepared = moo.states({
  main: {
    ...blank,
    text: textMark,
    string,
    openString,
    wrongQuote,
    slashComment: /\/\/[^\r\n]*|\/\*+(?=\s)/u,
    ...keywords,
    ...brackets,
    lparen: { match: '(', push: 'main' },
    rparen: { match: ')', pop: 1 },
    range: /-?\d+(?:\.\d+)?[ \t]*\.\.[ \t]*-?\d+(?:\.\d+)?(?![\p{L}\p{N}_./])/u,
    // `5`, `1.5.0`, `feat`, `node.js`: may be a key. `./a.md`, `${HOME}/x`, `^1.0`, `-5`, `1e+9`: values only.
    name: /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*(?![\p{L}\p{M}\p{N}_./~^+@%*$-])/u,
    word: /(?:-\d|\$\{[^{}\r\n]*\}|[\p{L}\p{N}_./~^*])(?:\$\{[^{}\r\n]*\}|[\p{L}\p{M}\p{N}_./~^+@%*-]+)*/u,
    colon: ':',
    comma: ',',
    equals: '=',
    question: '?',
    bang: '!',
    dash: '-',
    other,
  },
  // Behind `@use` and `@inherit`: one reference, then clauses until the line ends.
  reference: {
    newline: { match: /\r\n?|\n/u, lineBreaks: true, pop: 1 },
    space: blank.space,
    comment: blank.comment,
    string: { match: string, next: 'quoted' },
    openString: { match: openString, next: 'quoted' },
    wrongQuote: { match: wrongQuote, next: 'clauses' },
    ...brackets,
    rbrace: { match: '}', pop: 1 },
    reference: { match: /[^\s(){}[\]"'#,]+/u, next: 'clauses' },
    other,
  },
  // A version is attached to the quote that it follows.
  quoted: {
    version: { match: /@[^\s(){}[\]"'#,]+/u, next: 'clauses' },
    ...clauses,
    space: { match: blank.space, next: 'clauses' },
  },
  clauses,
  // Behind `@extend` and `@override`: a dotted path until the brace.
  path: {
    ...blank,
    string,
    openString,
    wrongQuote,
    at: keywords.at,
    segment: /[\p{L}_][\p{L}\p{M}\p{N}_-]*/u,
    dot: '.',
    lbrace: { match: '{', pop: 1 },
    other,
  },
}) as moo.Lexer & { clone(): moo.Lexer };

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
 * Offset of the first line in `[from, to)` that reads like the start of a declaration; -1 when there is none.
 * The line that holds `from` does not count.
 */
export function declarationLineIn(text: string, from: number, to: number): number {
  const found = text.slice(from, to).search(declarationLine);
  return found === -1 ? -1 : from + found;
}

/**
 * Makes the tokens of `source` from `offset` on, one at a call, `undefined` at the end. Blanks and comments are
 * dropped, a whole `"""` text is one token. With `strict`, a text ends (as `openText`) before a line that reads
 * like a declaration even when a `"""` follows somewhere: that is how an unclosed text is kept in its own block.
 */
export function tokenize(source: Source, offset: number, strict: boolean): () => Token | undefined {
  let base = offset;
  let newLine = offset === 0;
  const lexer = prepared.clone();
  lexer.reset(source.text.slice(offset));
  return () => {
    for (let token = lexer.next(); token; token = lexer.next()) {
      const type = token.type as TokenType;
      if (skipped.has(type)) {
        if (token.type === 'newline') newLine = true;
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
