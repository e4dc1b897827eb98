import { unexpectedToken } from '../generated/diagnostics.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { positionAt, type Span } from '../text/source.ts';
import { type Chunk, startsDeclaration } from './cut.ts';
import { type Failure, hintFor } from './hints.ts';
import { columnOf, spanOf, type Token } from './lexer.ts';
import type { Expectation } from './parser.ts';

/** Converts the failure of a chunk into one diagnostic. */
export function explainFailure(failure: Failure): Diagnostic {
  const moved = blameCause(failure);
  const { chunk, at } = moved;
  const token = chunk.tokens[at];
  const span = token ? spanOf(token) : endSpan(chunk);
  const { line } = positionAt(span.source, span.start);
  const { hint, expected, found, related, fixes } = hintFor(moved, openBracketAt(chunk, at));
  return unexpectedToken(
    { line, found: found ?? describe(chunk, at), expected: expected ?? listExpected(moved.expected) },
    { span, hint, related, fixes },
  );
}

/**
 * The failing token is often not the mistake. In `project: My App` the word `App` is read as a key, so that
 * the token after it fails; this blames `App`. In `project:` with `team: "x"` on the next line, `team` is
 * read as the value, so that its colon fails; this blames `team`, where the value is missing.
 */
function blameCause(failure: Failure): Failure {
  const { chunk, at, expected } = failure;
  const here = chunk.tokens[at];
  const before = chunk.tokens[at - 1];
  const earlier = chunk.tokens[at - 2];
  if (before?.type !== 'name' || !earlier) return failure;
  if (here?.type === 'colon' && before.newLine && earlier.type === 'colon') {
    return { chunk, at: at - 1, expected: { tokens: new Set(), rules: new Set(['value']) } };
  }
  const wantsColon = expected.tokens.has('colon') && expected.rules.size === 0;
  if (!wantsColon || before.newLine || (earlier.type !== 'name' && earlier.type !== 'word')) return failure;
  if (here && !here.newLine && colonForgotten.has(here.type)) return failure;
  const rest = { tokens: new Set(['comma', 'rbrace']), rules: new Set(['field']) };
  return { chunk, at: at - 1, expected: rest };
}

/** Tokens that may follow a key without a colon, as opposed to a word of an unquoted text. */
const colonForgotten = new Set(['string', 'text', 'lbrace', 'lbracket', 'equals']);

/** The innermost bracket before the failing token that is never closed in the chunk. */
function openBracketAt(chunk: Chunk, at: number): Token | undefined {
  const end = chunk.tokens[at]?.start ?? chunk.end;
  return likelyOpen(chunk) ?? chunk.unclosed.filter(open => open.start < end).at(-1);
}

/**
 * When a closing brace is indented less than the line of its opening brace, it was meant for an outer brace.
 * The brace that it closed by accident is the one that lacks a closer.
 */
function likelyOpen(chunk: Chunk): Token | undefined {
  if (chunk.unclosed.length === 0) return undefined;
  const open: { token: Token; indent: number }[] = [];
  let indent = 0;
  for (const token of chunk.tokens) {
    if (token.newLine) indent = columnOf(token);
    if (token.type === 'lbrace' || token.type === 'lbracket') open.push({ token, indent });
    if (token.type !== 'rbrace' && token.type !== 'rbracket') continue;
    const closed = open.pop();
    if (closed && token.newLine && indent < closed.indent) return closed.token;
  }
  return undefined;
}

function describe(chunk: Chunk, at: number): string {
  const token = chunk.tokens[at] ?? chunk.next;
  if (at >= chunk.tokens.length && endsOnItsLine(chunk)) return 'the end of the line';
  if (!token) return 'the end of the file';
  if (at >= chunk.tokens.length && startsDeclaration(token)) return `the next declaration \`${token.text}\``;
  return quote(token);
}

/** A token as code, shortened to one line. */
function quote(token: Token): string {
  const line = token.text.split(/\r?\n/, 1)[0]!;
  const characters = [...line];
  const cut = characters.length > 40 || line.length < token.text.length;
  const text = cut ? `${characters.slice(0, 37).join('')}…` : line;
  return text.includes('`') ? text : `\`${text}\``;
}

const tokenWords: readonly (readonly [string, string])[] = [
  ['colon', '`:`'],
  ['comma', '`,`'],
  ['equals', '`=`'],
  ['lbrace', '`{`'],
  ['lparen', '`(`'],
  ['range', 'a range such as `1..5`'],
  ['segment', 'a path such as `standards.testing`'],
  ['reference', 'a reference such as `./file`'],
  ['dot', '`.`'],
  ['as', '`as`'],
  ['into', '`into`'],
  ['for', '`for`'],
  ['rbracket', '`]`'],
  ['rparen', '`)`'],
  ['rbrace', '`}`'],
];

/** Tokens that are also possible in a list and are left out of the message. */
const optional = new Set(['comma', 'lbrace', 'lparen', 'equals']);

function listExpected({ tokens, rules }: Expectation): string {
  const words: string[] = [];
  if (rules.has('declaration')) return 'a declaration such as `@identity { … }`';
  if (rules.has('item')) words.push('a field', 'a text', 'a list item');
  else if (rules.has('field')) words.push('a field `key: value`');
  else if (rules.has('value')) words.push('a value');
  else if (rules.has('argument')) words.push('an argument `name: value`');
  else if (tokens.has('string') && !tokens.has('reference') && !tokens.has('segment'))
    words.push('a text in quotes');
  else if (tokens.has('name')) words.push('a name');
  const separators = words.length > 0;
  for (const [type, word] of tokenWords) {
    if (!tokens.has(type)) continue;
    if (separators && optional.has(type)) continue;
    words.push(word);
  }
  if (words.length === 0) return 'the end of the declaration';
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/**
 * Whether the missing token belongs on the last line of the chunk; with an open bracket it may come later.
 */
const endsOnItsLine = (chunk: Chunk): boolean => chunk.unclosed.length === 0 && (chunk.next?.newLine ?? true);

/** The span after a chunk: the end of its line, the next token, or the end of the file. */
function endSpan(chunk: Chunk): Span {
  const last = chunk.tokens.at(-1)!;
  if (endsOnItsLine(chunk)) return { source: last.source, start: last.end, end: last.end };
  if (chunk.next) return spanOf(chunk.next);
  const end = last.source.text.length;
  const start = Math.max(last.end, last.source.text.trimEnd().length);
  return { source: last.source, start: Math.min(start, end), end: Math.min(start, end) };
}
