import type { Related } from '../text/diagnostics/diagnostic.ts';
import type { Fix } from '../text/diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import { type Advice, closers, type FailureCase } from './failure.ts';
import type { Token } from './lexer.ts';
import { trackBrackets } from './segments.ts';
import { closeBrace, insertAfter, insertBefore, removeToken, replaceToken } from './token-fixes.ts';

/* Syntax errors about brackets: unclosed ones, mismatched ones, and braces around a list. */

const here = (token: Token, message: string): Related => ({
  message,
  span: { source: token.source, start: token.start, end: token.end },
});

/** An open `[` or `(` reads everything after it as items until a token fails. */
export function openList({ opener, chunk, at }: FailureCase): Advice | undefined {
  if (!opener || opener.text === '{') return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text]}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
    fixes: closeList(opener, chunk.tokens, at),
  };
}

/** Inserts the closer after the last token of the line before the failing one. */
function closeList(opener: Token, tokens: readonly Token[], at: number): readonly Fix[] {
  const closer = closers[opener.text]!;
  // In `[1` followed by a line `key: 2`, the key was read as a value.
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

/** A closer that matches an outer bracket comes too early; any other is superfluous or of the wrong kind. */
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

/** Replaces braces by brackets when they contain only values. */
function useBrackets(tokens: readonly Token[], at: number, open: Token): readonly Fix[] {
  const end = tokens.findIndex((one, index) => index >= at && one.type === 'rbrace');
  const inner = tokens.slice(tokens.indexOf(open) + 1, end);
  if (end === -1 || !inner.every(one => /^(?:name|word|string|comma)$/.test(one.type))) return [];
  // Without a comma, a name alone is more likely an incomplete field.
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
