import type { Source, Span } from '../text/source.ts';
import { type Lexer, makeLexer } from './lexicon.ts';

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

let lexer: Lexer | undefined;
let strictLexer: Lexer | undefined;

/** Yields the tokens of `source` without blanks and comments. A whole `"""` text is one token. */
export function* tokensOf(
  source: Source,
  { from = 0, strict = false, onComment }: LexerOptions = {},
): Generator<Token, undefined> {
  if (strict) strictLexer ??= makeLexer(true);
  else lexer ??= makeLexer(false);
  const tokens = (strict ? strictLexer : lexer)!.clone();
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
