import { openerOf } from './cut.ts';
import { columnOf, type Token } from './lexer.ts';

const openers: ReadonlySet<string> = new Set(Object.values(openerOf));

/**
 * Keeps the list of open brackets over a run of tokens. A closer closes past brackets of another kind; one too many
 * does nothing.
 */
export function trackBrackets(open: Token[], token: Token): void {
  if (openers.has(token.type)) open.push(token);
  const opener = openerOf[token.type];
  if (!opener) return;
  const at = open.findLastIndex(one => one.type === opener);
  if (at !== -1) open.length = at;
}

/**
 * Cuts what stands between braces where an item most likely begins: at a key, a dash, a directive, a new line, behind a
 * comma. Several items of one line may share a segment. With `unclosed`, brackets are missing somewhere: a line that
 * is indented no deeper than its segment then begins the next one, whatever is still open.
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

/** What cannot begin an item goes on with the one before, even on a line of its own. */
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

/** Whether a field begins at a token: `key:`, `key!:` or `key?:`. */
function isKey(tokens: readonly Token[], index: number): boolean {
  const type = tokens[index]?.type;
  if (type !== 'name' && type !== 'string') return false;
  const next = tokens[index + 1]?.type;
  if (next === 'colon') return true;
  return (next === 'bang' || next === 'question') && tokens[index + 2]?.type === 'colon';
}

const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket', 'equals']);

/** Whether a segment is an item of its own beyond doubt, rather than another line of a text without quotes. */
export function isOwnItem(segment: readonly Token[]): boolean {
  const [first, second] = segment;
  if (first!.type === 'dash' || first!.type === 'header' || first!.type === 'use') return true;
  if (isKey(segment, 0)) return true;
  return first!.type === 'name' && second !== undefined && !second.newLine && valueStarts.has(second.type);
}
