import { openerOf } from './cut.ts';
import { columnOf, type Token } from './lexer.ts';

const openers: ReadonlySet<string> = new Set(Object.values(openerOf));

/**
 * Updates the list of open brackets for a token. A closer also closes open brackets of other kinds inside its
 * own; an unmatched closer is ignored.
 */
export function trackBrackets(open: Token[], token: Token): void {
  if (openers.has(token.type)) open.push(token);
  const opener = openerOf[token.type];
  if (!opener) return;
  const at = open.findLastIndex(one => one.type === opener);
  if (at !== -1) open.length = at;
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
const continuing = new Set(['colon', 'equals', 'comma', 'bang', 'question', 'lbrace', 'lbracket', 'lparen']);

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

const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket', 'equals']);

/** Whether a segment is certainly an item, rather than another line of an unquoted text. */
export function isOwnItem(segment: readonly Token[]): boolean {
  const [first, second] = segment;
  if (first!.type === 'dash' || first!.type === 'header' || first!.type === 'use') return true;
  if (isKey(segment, 0)) return true;
  return first!.type === 'name' && second !== undefined && !second.newLine && valueStarts.has(second.type);
}
