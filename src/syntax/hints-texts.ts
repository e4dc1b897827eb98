import type { Advice, FailureCase } from './failure.ts';
import { writeString } from './literals.ts';
import { closeString, closeText, insertBefore, quoteText, removeToken, replaceToken } from './token-fixes.ts';

/* Syntax errors about texts: quotes, characters that an unquoted text cannot contain, comments. */

/** A triple-quoted text that is never closed. */
export function openText({ token }: FailureCase): Advice | undefined {
  if (token?.type !== 'openText') return undefined;
  return {
    found: '`"""` that is never closed',
    expected: 'a closing `"""`',
    hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
    fixes: [closeText(token)],
  };
}

/** A string that is not closed on its line. */
export function openString({ token, chunk, at }: FailureCase): Advice | undefined {
  if (token?.type !== 'openString') return undefined;
  const mark = token.text[0]!;
  return {
    expected: `a closing \`${mark}\` on the same line`,
    hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
    fixes: [closeString(chunk.tokens, at)],
  };
}

/** Typographic quotes. */
export function wrongQuotes({ token }: FailureCase): Advice | undefined {
  if (token?.type !== 'wrongQuote') return undefined;
  const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
  const example = inner && !/["`]/.test(inner) ? `: \`"${inner.slice(0, 40)}"\`` : '';
  const hint = `Use straight quotes${example}. Typographic quotes and backticks do not start a text.`;
  return { hint, fixes: inner ? [replaceToken('Use straight quotes', token, writeString(inner))] : [] };
}

/** A comment that begins with `//`. */
export function slashComment({ token, before, chunk, at }: FailureCase): Advice | undefined {
  if (token?.type !== 'slashComment') return undefined;
  // `https://…`
  if (before?.type === 'colon' && before.end === token.start)
    return { hint: 'An address needs quotes: `"https://…"`.', fixes: quoteText(chunk.tokens, at - 2) };
  const fixes = token.text.startsWith('//')
    ? [replaceToken('Start the comment with `#`', token, `#${token.text.slice(2)}`)]
    : [];
  return { hint: 'A comment starts with `#`.', fixes };
}

/** A semicolon at the end of a field. */
export function semicolon({ token, chunk, at }: FailureCase): Advice | undefined {
  if (token?.text !== ';') return undefined;
  const hint = 'Remove the `;`. Put each field on its own line, or separate fields with `,`.';
  const next = chunk.tokens[at + 1];
  // `a;b` is a text.
  if (next?.start === token.end && chunk.tokens[at - 1]?.end === token.start)
    return { hint, fixes: quoteText(chunk.tokens, at - 1) };
  const isLast = !next || next.newLine || next.type === 'rbrace';
  return { hint, fixes: [isLast ? removeToken(token) : replaceToken('Use `,`', token, ',')] };
}

/** A character that cannot start any token. */
export function strangeCharacter({ token, chunk, at }: FailureCase): Advice | undefined {
  if (token?.type !== 'other') return undefined;
  const hint = 'Text with characters like this needs quotes: `"…"`.';
  return { hint, fixes: quoteText(chunk.tokens, at) };
}

/** Text in a nested object, where only fields are allowed. */
export function looseText({ token, expected: { rules } }: FailureCase): Advice | undefined {
  if (token?.type !== 'text' || !rules.has('field') || rules.has('item')) return undefined;
  return {
    found: 'a loose text',
    hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
    fixes: [insertBefore('Give it the key `content`', token, 'content: ')],
  };
}

/** An unquoted sentence that contains a colon. */
export function colonInText({ token, chunk, at, inside, wantsColon }: FailureCase): Advice | undefined {
  if (token?.type !== 'colon' || wantsColon) return undefined;
  if (inside?.text === '[') {
    return { hint: '`[ ]` holds values. Use `{ }` for fields, and quotes for a text with `:` in it.' };
  }
  return {
    hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
    fixes: chunk.tokens[at - 1]?.newLine ? [] : quoteText(chunk.tokens, at - 1),
  };
}

/** Several words at the start of a block: a text whose first `"""` is missing, or one without quotes. */
export function sentence({ token, before, chunk, at, inBody, wantsColon }: FailureCase): Advice | undefined {
  const isWord = (type: string | undefined) => type === 'name' || type === 'word';
  if (!token || !inBody || !wantsColon || token.newLine || !isWord(token.type) || !isWord(before?.type))
    return undefined;
  if (chunk.tokens[at - 2]?.type !== 'lbrace') return undefined;
  const next = chunk.tokens[at + 1];
  if (next?.type === 'colon') return undefined;
  return {
    hint: `A text needs quotes: put \`"""\` on the line before \`${before!.text}\` and after the end of the text, or the text in \`"…"\`.`,
  };
}

/** `project: My App`: the second word is read as the next key. */
export function unquotedWords({
  token,
  before,
  chunk,
  at,
  wantsColon,
  expected: { tokens },
}: FailureCase): Advice | undefined {
  if (!token || token.newLine || wantsColon || !tokens.has('comma')) return undefined;
  if (token.type !== 'name' && token.type !== 'word') return undefined;
  if (before?.type !== 'name' && before?.type !== 'word') return undefined;
  return {
    hint: 'A text of more than one word needs quotes: `"…"`.',
    fixes: quoteText(chunk.tokens, at - 1),
  };
}
