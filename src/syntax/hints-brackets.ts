import type { Related } from '../text/diagnostics/diagnostic.ts';
import type { Fix } from '../text/diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import { type Advice, closers, type FailureCase } from './failure.ts';
import type { Token } from './lexer.ts';
import { trackBrackets } from './segments.ts';
import { closeBrace, insertAfter, insertBefore, removeToken, replaceToken } from './token-fixes.ts';

/* Syntax errors about brackets: not closed, closed by another one, braces around a list. */

const here = (token: Token, message: string): Related => ({
  message,
  span: { source: token.source, start: token.start, end: token.end },
});

/** An open `[` or `(` takes everything behind it as items until a token does not fit. */
export function openList({ opener, chunk, at }: FailureCase): Advice | undefined {
  if (!opener || opener.text === '{') return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text]}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
    fixes: closeList(opener, chunk.tokens, at),
  };
}

/** The closer stands best behind the last token of the line in front of the one that fails. */
function closeList(opener: Token, tokens: readonly Token[], at: number): readonly Fix[] {
  const closer = closers[opener.text]!;
  // In `[1` with `key: 2` below it, the key was read as a value.
  const start = tokens[at]?.type === 'colon' && tokens[at - 1]?.newLine ? at - 1 : at;
  const before = tokens[start - 1];
  const next = tokens[start];
  if (next?.type === 'rbrace' && !next.newLine)
    return [insertBefore(`Close the \`${opener.text}\` with \`${closer}\``, next, closer)];
  if (!before || (next && !next.newLine)) return [];
  return [insertAfter(`Close the \`${opener.text}\` with \`${closer}\``, before, closer)];
}

/** A closing bracket of another kind than the open one. */
export function otherCloser({ token, inside, chunk }: FailureCase): Advice | undefined {
  if (!token || !inside || !/^[}\])]$/.test(token.text)) return undefined;
  const closer = closers[inside.text]!;
  if (closer === token.text) return undefined;
  return {
    hint: `\`${inside.text}\` is still open and needs \`${closer}\` first.`,
    related: [here(inside, `\`${inside.text}\` is opened here`)],
    fixes: [closerFix(token, inside, closer, chunk)],
  };
}

/** A closer that fits a bracket further out comes too early; one that fits none is too much, or the wrong one. */
function closerFix(token: Token, inside: Token, closer: string, { tokens, unclosed }: Chunk): Fix {
  const open: Token[] = [];
  for (const one of tokens.slice(0, tokens.indexOf(token))) trackBrackets(open, one);
  if (open.some(one => closers[one.text] === token.text))
    return insertBefore(`Close the \`${inside.text}\` with \`${closer}\``, token, closer);
  return unclosed.length > 0 ? replaceToken(`Use \`${closer}\``, token, closer) : removeToken(token);
}

/** `{ "a", "b" }` */
export function listInBraces({
  token,
  before,
  chunk,
  at,
  inBody,
  inside,
  wantsColon,
}: FailureCase): Advice | undefined {
  if (!wantsColon || inBody || inside?.text !== '{' || !before) return undefined;
  if (token?.type !== 'comma' && token?.type !== 'rbrace') return undefined;
  return {
    hint: `\`{ }\` holds fields with a key and a value. For a list of values write \`[${before.text}]\`.`,
    fixes: useBrackets(chunk.tokens, at, inside),
  };
}

/** Turns braces into brackets when nothing but values stands between them. */
function useBrackets(tokens: readonly Token[], at: number, open: Token): readonly Fix[] {
  const end = tokens.findIndex((one, index) => index >= at && one.type === 'rbrace');
  const inner = tokens.slice(tokens.indexOf(open) + 1, end);
  if (end === -1 || !inner.every(one => /^(?:name|word|string|comma)$/.test(one.type))) return [];
  // Between the keys of an entry, a name alone is more likely half a field.
  if (!inner.some(one => one.type === 'comma')) return [];
  const edits = [...replaceToken('', open, '[').edits, ...replaceToken('', tokens[end]!, ']').edits];
  return [{ title: 'Write it as a list', edits }];
}

/** A brace that is never closed. */
export function openBrace({ opener, chunk }: FailureCase): Advice | undefined {
  if (!opener) return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text] ?? '}'}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
    fixes: [closeBrace(chunk.tokens, opener)],
  };
}
