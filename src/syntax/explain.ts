import type { Diagnostic, Related } from '../diagnostics/diagnostic.ts';
import { unexpectedToken } from '../generated/diagnostics.ts';
import { positionAt, type Span } from '../text/source.ts';
import type { Chunk } from './cut.ts';
import { startsDeclaration } from './cut.ts';
import { hintFor } from './hints.ts';
import type { Token } from './lexer.ts';
import type { Expectation } from './nearley.ts';

/** Where a chunk stopped making sense, and what would have made sense instead. */
export interface Failure {
  readonly chunk: Chunk;
  /** Index of the token that does not fit; the number of tokens when the chunk ends too early. */
  readonly at: number;
  readonly expected: Expectation;
}

/** Turns the failure of a chunk into its one message. */
export function explainFailure(failure: Failure): Diagnostic {
  const moved = blameCause(failure);
  const { chunk, at } = moved;
  const token = chunk.tokens[at];
  const span = token ? spanOf(token) : endSpan(chunk);
  const { line } = positionAt(span.source, span.start);
  const opener = openBracketAt(chunk, at);
  const { hint, expected, found, related } = hintFor(moved, opener);
  const places: Related[] = [...(related ?? [])];
  if (opener && opener.text.length === 1 && !related) {
    places.push({ message: `\`${opener.text}\` is opened here and never closed`, span: spanOf(opener) });
  }
  return unexpectedToken(
    { line, found: found ?? describe(chunk, at), expected: expected ?? listExpected(moved.expected) },
    { span, hint, related: places },
  );
}

/**
 * Often the token that does not fit is innocent. In `project: My App` the word `App` reads like a key, so that only
 * what follows on the next line fails; `App` is then the one to show.
 */
function blameCause(failure: Failure): Failure {
  const { chunk, at, expected } = failure;
  const here = chunk.tokens[at];
  const before = chunk.tokens[at - 1];
  const value = chunk.tokens[at - 2];
  const wantsColon = expected.tokens.has('colon') && expected.rules.size === 0;
  if (!wantsColon || !before || !value || before.newLine || (here && !here.newLine)) return failure;
  if (before.type !== 'name' || (value.type !== 'name' && value.type !== 'word')) return failure;
  return { chunk, at: at - 1, expected: { tokens: new Set(['comma', 'rbrace']), rules: new Set(['field']) } };
}

/** The innermost bracket in front of the failing token that its chunk never closes. */
function openBracketAt(chunk: Chunk, at: number): Token | undefined {
  const end = chunk.tokens[at]?.start ?? chunk.end;
  return likelyOpen(chunk) ?? chunk.unclosed.filter(open => open.start < end).at(-1);
}

/**
 * When a closing brace stands further left than the line of what it closes, the brace that it was meant for is the
 * one to its left, and the one it closed by accident is missing its own.
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

const columnOf = (token: Token): number => {
  const lineStart = token.source.text.lastIndexOf('\n', token.start - 1) + 1;
  return token.start - lineStart;
};

function describe(chunk: Chunk, at: number): string {
  const token = chunk.tokens[at] ?? chunk.next;
  if (!token) return 'the end of the file';
  if (at >= chunk.tokens.length && startsDeclaration(token)) return `the next declaration \`${token.text}\``;
  return quote(token);
}

/** The token between backticks, shortened to one line. */
export function quote(token: Token): string {
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
  ['rbracket', '`]`'],
  ['rparen', '`)`'],
  ['rbrace', '`}`'],
];

function listExpected({ tokens, rules }: Expectation): string {
  const words: string[] = [];
  if (rules.has('declaration')) return 'a declaration such as `@identity { … }`';
  if (rules.has('item')) words.push('a field, a text or a list item');
  else if (rules.has('field')) words.push('a field `key: value`');
  else if (rules.has('value')) words.push('a value');
  else if (rules.has('argument')) words.push('an argument `name: value`');
  else if (tokens.has('string') && !tokens.has('reference') && !tokens.has('segment')) words.push('a text in quotes');
  else if (tokens.has('name')) words.push('a name');
  // Where a list goes on, its separator is optional and would only be noise.
  const separators = words.length > 0;
  for (const [type, word] of tokenWords) {
    if (!tokens.has(type)) continue;
    if (separators && (type === 'comma' || type === 'lbrace')) continue;
    words.push(word);
  }
  if (words.length === 0) return 'the end of the declaration';
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const spanOf = (token: Token): Span => ({ source: token.source, start: token.start, end: token.end });

/** The place behind a chunk: the token that follows, else the last character that is not blank. */
function endSpan(chunk: Chunk): Span {
  const last = chunk.tokens.at(-1)!;
  if (chunk.next) return spanOf(chunk.next);
  const end = last.source.text.length;
  const start = Math.max(last.end, last.source.text.trimEnd().length);
  return { source: last.source, start: Math.min(start, end), end: Math.min(start, end) };
}
