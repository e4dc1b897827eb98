import type { Source } from '../text/source.ts';
import { columnOf, declarationLineIn, isFirstColumn, type Token, tokensOf } from './lexer.ts';

/** The maximum nesting depth of brackets, including the braces of the declaration. */
export const nestingLimit = 200;

/** The tokens of one declaration, or of text between declarations that belongs to none. */
export interface Chunk {
  readonly tokens: readonly Token[];
  /** Offset after the chunk, where the next one starts. */
  readonly end: number;
  /** The token after the chunk, for messages; `undefined` at the end of the file. */
  readonly next: Token | undefined;
  /** Brackets that are not closed before another closer or the end of the chunk, outermost first. */
  readonly unclosed: readonly Token[];
  /** Whether it contains a closing bracket without an opening one. */
  readonly overclosed: boolean;
  /** The bracket, or the dot of a path, that exceeds the nesting limit. */
  readonly tooDeep: Token | undefined;
  /**
   * Offset of the first line in the chunk that starts with `@word` in the first column. If the chunk turns
   * out to be invalid, a text or brace left open before this line is the likely cause.
   */
  readonly doubt: number | undefined;
}

/** Maps the type of a closing bracket to that of its opening bracket. */
const openerOf: Readonly<Record<string, string>> = {
  rbrace: 'lbrace',
  rbracket: 'lbracket',
  rparen: 'lparen',
};
const starters = new Set(['at', 'inherit', 'use', 'extend', 'override']);

/** Whether a token always starts a declaration at the top level. */
export const startsDeclaration = (token: Token): boolean => starters.has(token.type);

/**
 * Extracts the next declaration of `source` from `offset` on; `undefined` when only blanks and comments
 * remain.
 * A declaration ends with the brace that closes its body, or at the end of its line if it has no body, and
 * always before a line that starts with `@word` in the first column. Two constructs may contain such a line:
 * a `"""` text, and a body with an unindented `@use`. By default such a line is included and recorded as
 * `doubt`. With `strict` the chunk ends before it, so that one open brace or text invalidates one declaration
 * only.
 */
export function cutDeclaration(source: Source, offset: number, strict: boolean): Chunk | undefined {
  const lexer = tokensOf(source, { from: offset, strict });
  const head = lexer.next().value;
  if (!head) return undefined;
  const tokens: Token[] = [];
  const open: Token[] = [];
  const unclosed: Token[] = [];
  let tooDeep: Token | undefined;
  let dots = 0;
  let doubt: number | undefined;
  let bodySeen = false;
  let overclosed = false;
  const isDeclaration = startsDeclaration(head);
  let token: Token | undefined = head;
  for (; token; token = lexer.next().value) {
    if (token !== head) {
      const starts = startsDeclaration(token);
      const isFirst = starts && isFirstColumn(token);
      // Only `@use` is allowed in a body; any other directive at the start of a line starts a new
      // declaration.
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
    overclosed = !trackBrackets(open, token, unclosed) || overclosed;
    // Each segment of a path becomes an object.
    if (token.type === 'dot') dots += 1;
    if (Math.max(dots + 1, open.length) > nestingLimit) tooDeep ??= token;
    if (token.type === 'lbrace' && open.length === 1) bodySeen = true;
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

/** Whether a brace opens the body of the declaration that `tokens` start, even if its `@` is missing. */
export const hasBody = (tokens: readonly Token[]): boolean =>
  startsDeclaration(tokens[0]!) || (tokens[0]!.type === 'name' && tokens[1]?.type === 'lbrace');

const openers: ReadonlySet<string> = new Set(Object.values(openerOf));

/**
 * Updates the list of open brackets for a token. Brackets that are still open inside a closed one move to
 * `unclosed`. `}` also closes open `[` and `(` inside it; `]` and `)` never close a brace. Returns `false` for
 * a closing bracket without an opening one, which has no effect.
 */
export function trackBrackets(open: Token[], token: Token, unclosed: Token[] = []): boolean {
  if (openers.has(token.type)) open.push(token);
  const opener = openerOf[token.type];
  if (!opener) return true;
  const isEnd = ({ type }: Token) => type === opener || (type === 'lbrace' && token.type !== 'rbrace');
  const at = open.findLastIndex(isEnd);
  if (open[at]?.type !== opener) return false;
  for (const left of open.splice(at).slice(1)) unclosed.push(left);
  return true;
}

/**
 * Splits the content of braces where an item most likely starts: at a key, a dash, a directive, a new line,
 * or after a comma. Several items on one line may share a segment. `unclosed` says that brackets are missing
 * somewhere. Then a line that is indented no deeper than its segment starts a new one, even inside open
 * brackets.
 */
export function cutSegments(tokens: readonly Token[], unclosed: boolean): readonly (readonly Token[])[] {
  const segments: Token[][] = [];
  const open: Token[] = [];
  let segment: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const first = segment[0];
    if (
      first &&
      (open.length === 0 || (unclosed && isOutdented(token, first))) &&
      startsItem(tokens, index)
    ) {
      segments.push(segment);
      segment = [];
      open.length = 0;
    }
    segment.push(token);
    trackBrackets(open, token);
  }
  if (segment.length > 0) segments.push(segment);
  return segments;
}

const isOutdented = (token: Token, first: Token): boolean =>
  token.newLine && first.newLine && columnOf(token) <= columnOf(first);

/** Tokens that cannot start an item and continue the previous one, even on a new line. */
const continuing = new Set(
  'colon equals comma bang question lbrace lbracket lparen rbrace rbracket rparen'.split(' '),
);

function startsItem(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]!;
  const before = tokens[index - 1]!;
  if (before.type === 'comma') return true;
  if (continuing.has(token.type)) return false;
  const waits = before.type === 'colon' || before.type === 'equals' || before.type === 'dash';
  if (isKey(tokens, index)) return !waits || token.newLine;
  if (waits) return before.type === 'dash' && token.newLine && token.type === 'dash';
  return token.newLine || token.type === 'dash' || token.type === 'header' || token.type === 'use';
}

/** Whether a token starts a field: `key:`, `key!:` or `key?:`. */
function isKey(tokens: readonly Token[], index: number): boolean {
  const type = tokens[index]?.type;
  if (type !== 'name' && type !== 'string') return false;
  const next = tokens[index + 1]?.type;
  if (next === 'colon') return true;
  return (next === 'bang' || next === 'question') && tokens[index + 2]?.type === 'colon';
}
