import type { Source } from '../text/source.ts';
import { isFirstColumn, type Token, tokensOf } from './lexer.ts';
import { declarationLineIn } from './lexicon.ts';

/** How deep brackets may nest, the braces of the declaration included. */
export const nestingLimit = 200;

/** The tokens of one declaration, or of a stretch of text between declarations that belongs to none. */
export interface Chunk {
  readonly tokens: readonly Token[];
  /** Offset behind the chunk: the next one starts here. */
  readonly end: number;
  /** The token behind the chunk, for messages; `undefined` at the end of the file. */
  readonly next: Token | undefined;
  /** Brackets that a closer of another kind or the end of the chunk left open, outermost first. */
  readonly unclosed: readonly Token[];
  /** Whether it holds a closing bracket that nothing in it opens. */
  readonly overclosed: boolean;
  /** The bracket that exceeds the nesting limit. */
  readonly tooDeep: Token | undefined;
  /**
   * Offset of the first line that starts with `@word` in the first column and was still taken as part of the chunk.
   * When the chunk is broken, a text or brace left open before it is the likely cause.
   */
  readonly doubt: number | undefined;
}

/** The type of the opening bracket for that of the closing one. */
export const openerOf: Readonly<Record<string, string>> = {
  rbrace: 'lbrace',
  rbracket: 'lbracket',
  rparen: 'lparen',
};
const starters = new Set(['at', 'inherit', 'use', 'extend', 'override']);

/** Whether a token can start a declaration wherever it stands at the top level. */
export const startsDeclaration = (token: Token): boolean => starters.has(token.type);

/**
 * Cuts the next declaration out of `source`, from `offset` on; `undefined` when only blanks and comments are left.
 *
 * A declaration ends with the brace that closes its body, without a body at the end of its line, and at the latest
 * before a line that starts with `@word` in the first column. Two things may legally hold such a line: a `"""` text,
 * and a body with an unindented `@use`. They are taken as meant (and noted as `doubt`), unless `strict`
 * says that they proved wrong: then the chunk ends there, so that one open brace or text costs one declaration.
 */
export function cutDeclaration(source: Source, offset: number, strict: boolean): Chunk | undefined {
  const lexer = tokensOf(source, { from: offset, strict });
  const head = lexer.next().value;
  if (!head) return undefined;
  const tokens: Token[] = [];
  const open: Token[] = [];
  const unclosed: Token[] = [];
  let tooDeep: Token | undefined;
  let doubt: number | undefined;
  let bodySeen = false;
  let overclosed = false;
  const isDeclaration = startsDeclaration(head);
  let token: Token | undefined = head;
  for (; token; token = lexer.next().value) {
    if (token !== head) {
      const starts = startsDeclaration(token);
      const isFirst = starts && isFirstColumn(token);
      // Only `@use` may stand in a body; any other word at the start of a line is a new declaration.
      if (isFirst && (strict || open.length === 0 || token.type !== 'use')) break;
      if (open.length === 0) {
        if (starts || (isDeclaration && token.newLine && token.type !== 'lbrace')) break;
      } else if (isFirst) doubt ??= token.start;
    }
    if (token.type === 'text' && doubt === undefined) {
      const line = declarationLineIn(source.text, token.start, token.end);
      if (line !== -1) doubt = line;
    }
    tokens.push(token);
    const opener = openerOf[token.type];
    if (opener !== undefined) overclosed = !closeBracket(token, opener, open, unclosed) || overclosed;
    else if (token.type === 'lbrace' || token.type === 'lbracket' || token.type === 'lparen') {
      open.push(token);
      if (open.length > nestingLimit) tooDeep ??= token;
      if (token.type === 'lbrace' && open.length === 1) bodySeen = true;
    }
    if (bodySeen && open.length === 0 && hasBody(tokens)) {
      token = lexer.next().value;
      break;
    }
  }
  const end = token ? token.start : source.text.length;
  if (open.length > 0) for (const left of open) unclosed.push(left);
  if (unclosed.length > 1) unclosed.sort((a, b) => a.start - b.start);
  return { tokens, end, next: token, unclosed, overclosed, tooDeep, doubt };
}

/**
 * Takes what a closing bracket closes off the open ones; `false` when nothing of its kind is open. `}` closes past `[`
 * and `(`; those never close past a brace, so a stray one changes nothing.
 */
function closeBracket(token: Token, opener: string, open: Token[], unclosed: Token[]): boolean {
  let at = open.length - 1;
  while (at >= 0 && open[at]!.type !== opener && (token.type === 'rbrace' || open[at]!.type !== 'lbrace'))
    at--;
  if (at < 0 || open[at]!.type !== opener) return false;
  for (let index = at + 1; index < open.length; index++) unclosed.push(open[index]!);
  open.length = at;
  return true;
}

/** Whether a brace is the body of what `tokens` start: a declaration, or one whose `@` was forgotten. */
export const hasBody = (tokens: readonly Token[]): boolean =>
  startsDeclaration(tokens[0]!) || (tokens[0]!.type === 'name' && tokens[1]?.type === 'lbrace');
