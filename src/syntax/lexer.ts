import moo from 'moo';
import { memoize } from '../text/memo.ts';
import type { Source, Span } from '../text/source.ts';

/**
 * The token types of the grammar. All other distinctions (whether a name is a number, whether a key is
 * allowed) are made when the AST is built, which keeps the grammar small and unambiguous.
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
  // Never valid; separate types give precise messages.
  | 'openString'
  | 'openText'
  | 'wrongQuote'
  | 'slashComment'
  | 'other';

/** A token with its position in the source. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** Whether a line break precedes the token. */
  readonly newLine: boolean;
}

/** The span of a token. */
export const spanOf = ({ source, start, end }: Token): Span => ({ source, start, end });

/** Column of a token, starting at 0. */
export const columnOf = ({ source, start }: Token): number =>
  start - source.text.lastIndexOf('\n', start - 1) - 1;

/** Whether a token starts in the first column. Cheaper than `columnOf` in a long line. */
export const isFirstColumn = ({ source, start }: Token): boolean =>
  start === 0 || source.text.charCodeAt(start - 1) === 10;

/** Where and how to read tokens. */
export interface LexerOptions {
  /** Offset of the first token. */
  readonly from?: number;
  /** Whether a `"""` text ends before a line that looks like the start of a declaration. */
  readonly strict?: boolean;
  /** Called with the span of each comment. */
  readonly onComment?: (start: number, end: number) => void;
}

const lexerFor = memoize(makeLexer);

/** Yields the tokens of `source` without blanks and comments. A whole `"""` text is one token. */
export function* tokensOf(
  source: Source,
  { from = 0, strict = false, onComment }: LexerOptions = {},
): Generator<Token, undefined> {
  const tokens = lexerFor(strict).clone();
  tokens.reset(source.text.slice(from));
  let newLine = from === 0;
  for (let token = tokens.next(); token; token = tokens.next()) {
    const { type, text } = token;
    const start = from + token.offset;
    if (type === 'newline') newLine = true;
    else if (type === 'comment') onComment?.(start, start + text.length);
    else if (type !== 'space') {
      yield { type: type as TokenType, text, source, start, end: start + text.length, newLine };
      newLine = false;
    }
  }
  return undefined;
}

/** The types of moo lack `clone`. */
type Lexer = moo.Lexer & { clone(): moo.Lexer };

/**
 * The tokens of the language, as rules of moo. A word may contain any non-ASCII character that is neither a
 * blank nor a quote. Whether all of them are letters is checked after the match, by `typeBy`.
 */

const beyond = String.raw`\x80-\x9f\xa1-\xaa\xac-\xba\xbc-\u2017\u201a\u201b\u201f-\ufefe\uff00-\uffff`;
const letter = `A-Za-z_${beyond}`;
const inner = String.raw`\w${beyond}`;
const identifier = `[${letter}][${inner}-]*`;
const wordEnd = `(?![${inner}-])`;
const regex = (text: TemplateStringsArray, ...parts: string[]) => new RegExp(String.raw(text, ...parts));

/**
 * Matches a line that looks like the start of a declaration: `@name {` or `@use …` in the first column. It
 * does not match `@param x` or `@Component({` in a text.
 */
const declarationStart = String.raw`@(?:(?:use|inherit|extend|override)[ \t]+[^\s]|${identifier}\s*\{)`;
const declarationLine = regex`\n(?=${declarationStart})`;

/**
 * Offset of the first line in `[from, to)` that looks like the start of a declaration; -1 when there is none.
 * The line that contains `from` is skipped.
 */
export function declarationLineIn(text: string, from: number, to: number): number {
  const mark = text.indexOf('\n@', from);
  if (mark === -1 || mark >= to) return -1;
  const found = text.slice(from, to).search(declarationLine);
  return found === -1 ? -1 : from + found + 1;
}

/** A literal inside a function would create a new object on every call. */
const ascii = /^[\0-\x7f]*$/;

/**
 * A word with a non-ASCII character that is not a letter, mark or digit has the type `other`. V8 needs longer
 * to build the tables behind `\p{L}` than to compile a small program, so `pattern` is used only for words that
 * need it.
 */
const typeBy = (pattern: RegExp) => (text: string) => (ascii.test(text) || pattern.test(text) ? '' : 'other');

const wordType = typeBy(/^[\0-\x7f\p{L}\p{N}][\0-\x7f\p{L}\p{M}\p{N}]*$/u);
const identifierType = typeBy(/^@?[A-Za-z_\p{L}][\w\p{L}\p{M}\p{N}-]*$/u);

const blank = {
  newline: { match: /\r\n?|\n/, lineBreaks: true },
  space: /[ \t\r\f\v\u00a0\ufeff]+/,
  comment: /#[^\r\n]*/,
};
// A quote after an odd number of backslashes is part of the string.
const string = /"[^\r\n]*?"(?<=(?<!\\)(?:\\\\)*")|'[^\r\n]*?'(?<=(?<!\\)(?:\\\\)*')/;
const openString = /["'][^\r\n]*/;
const wrongQuote = /“[^”\r\n]*”?|‘[^’\r\n]*’?|„[^“”\r\n]*[“”]?|«[^»\r\n]*»?|`[^`\r\n]*`?|[”’»]/;
const other = { match: /[\ud800-\udbff][\udc00-\udfff]|[\s\S]/, lineBreaks: true };
const name = { match: regex`${identifier}`, type: identifierType };
const at = { match: regex`@${identifier}`, type: identifierType };
const header = regex`@header${wordEnd}`;
const imports = { inherit: regex`@inherit${wordEnd}`, use: regex`@use${wordEnd}` };
const brackets = { lbrace: '{', rbrace: '}', lbracket: '[', rbracket: ']' };
// Tokens in the line of an import.
const line = {
  rbrace: { match: '}', pop: 1 as const },
  newline: { ...blank.newline, pop: 1 as const },
  space: blank.space,
  comment: blank.comment,
};
const directives = {
  inherit: { match: imports.inherit, next: 'reference' },
  use: { match: imports.use, next: 'reference' },
  header: { match: header, pop: 1 as const },
  at: { ...at, pop: 1 as const },
};
const clauses = {
  lparen: { match: '(', push: 'main' },
  ...brackets,
  ...line,
  comma: { match: ',', pop: 1 as const },
  string,
  openString,
  wrongQuote,
  ...directives,
  as: regex`as${wordEnd}`,
  into: regex`into${wordEnd}`,
  for: { match: regex`for${wordEnd}`, next: 'targets' },
  name,
  other,
};

/** The states within a declaration `@use`, `@inherit`, `@extend` or `@override`. */
const declarationStates = {
  // After `@use` and `@inherit`: one reference, then clauses until the end of the line.
  reference: {
    ...brackets,
    ...line,
    string: { match: string, next: 'quoted' },
    openString: { match: openString, next: 'quoted' },
    wrongQuote: { match: wrongQuote, next: 'clauses' },
    reference: { match: /[^\s(){}[\]"'#,]+/, next: 'clauses' },
    other,
  },
  // A version directly follows the closing quote.
  quoted: {
    version: { match: /@[^\s(){}[\]"'#,]+/, next: 'clauses' },
    ...clauses,
    space: { match: blank.space, next: 'clauses' },
  },
  clauses,
  // Names after `for`, to the end of the line.
  targets: { comma: ',', ...line, ...directives, name, other },
  // After `@extend` and `@override`: a dotted path up to the brace.
  path: {
    dot: '.',
    lbrace: { match: '{', pop: 1 },
    ...blank,
    string,
    openString,
    wrongQuote,
    at,
    segment: name,
    other,
  },
};

/**
 * Creates the lexer of the language. With `strict`, a `"""` text that contains a line like the start of a
 * declaration becomes an `openText` that ends before this line. A text without an end is always an
 * `openText`.
 */
function makeLexer(strict: boolean): Lexer {
  // `\"""` is the only escape sequence of a text.
  const content = strict ? String.raw`(?:(?!\n${declarationStart})[\s\S])*?` : String.raw`[\s\S]*?`;
  const text = { match: regex`"""${content}"""(?<!\\"{3,5})`, lineBreaks: true };
  const openText = { match: regex`"""(?:[\s\S]*?\n(?=${declarationStart})|[\s\S]*)`, lineBreaks: true };
  return moo.states({
    main: {
      ...brackets,
      lparen: { match: '(', push: 'main' },
      rparen: { match: ')', pop: 1 },
      colon: ':',
      comma: ',',
      equals: '=',
      question: '?',
      bang: '!',
      plus: '+',
      ...blank,
      text,
      openText,
      string,
      openString,
      wrongQuote,
      slashComment: /\/\/[^\r\n]*|\/\*+(?=\s)/,
      inherit: { match: imports.inherit, push: 'reference' },
      use: { match: imports.use, push: 'reference' },
      extend: { match: regex`@extend${wordEnd}`, push: 'path' },
      override: { match: regex`@override${wordEnd}`, push: 'path' },
      header,
      at,
      range: regex`-?\d+(?:\.\d+)?[ \t]*\.\.[ \t]*-?\d+(?:\.\d+)?(?![${inner}./])`,
      // `5`, `1.5.0`, `feat`, `node.js` may be keys. `./a.md`, `${HOME}/x`, `^1.0`, `-5`, `1e+9` are values
      // only.
      name: { match: regex`[${inner}][${inner}.-]*(?![${inner}./~^+@%*$-])`, type: wordType },
      word: {
        match: regex`(?:-\d|\$\{[^{}\r\n]*\}|[${inner}./~^*])(?:\$\{[^{}\r\n]*\}|[${inner}./~^+@%*-]+)*`,
        type: wordType,
      },
      dash: '-',
      other,
    },
    ...declarationStates,
  }) as Lexer;
}
