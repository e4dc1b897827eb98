import type { Related } from '../text/diagnostics/diagnostic.ts';
import type { Fix } from '../text/diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import { trackBrackets } from './cut.ts';
import { spanOf, type Token } from './lexer.ts';
import { writeString } from './literals.ts';
import type { Expectation } from './parser.ts';
import {
  closeString,
  insertAfter,
  insertBefore,
  quoteText,
  removeToken,
  replaceToken,
} from './token-fixes.ts';

/** Where parsing of a chunk failed, and what would have been valid instead. */
export interface Failure {
  readonly chunk: Chunk;
  /** Index of the failing token; the number of tokens when the chunk ends too early. */
  readonly at: number;
  readonly expected: Expectation;
}

/** The message for a failure; absent parts are derived from the failure itself. */
interface Advice {
  readonly hint?: string;
  readonly found?: string;
  readonly expected?: string;
  readonly related?: readonly Related[];
  readonly fixes?: readonly Fix[];
}

type FailureCase = ReturnType<typeof caseOf>;

/** A failure with the facts that most rules need. */
function caseOf({ chunk, at, expected }: Failure, opener: Token | undefined) {
  const all = chunk.tokens;
  const open: Token[] = [];
  for (const token of all.slice(0, at)) trackBrackets(open, token);
  return {
    ...expected,
    all,
    at,
    /** The failing token; `undefined` at the end. */
    token: all[at],
    before: all[at - 1],
    /** The innermost open bracket before the token. */
    inside: open.at(-1),
    /** Whether that bracket is the brace of a block. */
    inBody: open.length === 1 && open[0]!.text === '{',
    /** Whether only a colon (and marks of the key) can follow. */
    wantsColon: expected.tokens.has('colon') && expected.rules.size === 0,
    opener,
  };
}

/**
 * Finds the usual cause of a syntax error. `opener` is a bracket before the failing token that is never closed.
 */
export function hintFor(found: Failure, opener: Token | undefined): Advice {
  const failure = caseOf(found, opener);
  // The most certain causes come first.
  return (
    invalidToken(failure) ?? wrongStructure(failure) ?? misplacedItem(failure) ?? wrongValue(failure) ?? {}
  );
}

/** Maps opening to closing brackets. */
const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Tokens that are invalid everywhere. */
function invalidToken({ token, before }: FailureCase): Advice | undefined {
  if (token?.type === 'openText')
    return {
      found: '`"""` that is never closed',
      expected: 'a closing `"""`',
      hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
    };
  if (token?.type === 'openString') {
    const mark = token.text[0]!;
    return {
      expected: `a closing \`${mark}\` on the same line`,
      hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
      fixes: closeString(token),
    };
  }
  if (token?.type === 'wrongQuote') {
    const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
    const fixes = inner ? [replaceToken('Use straight quotes', token, writeString(inner))] : [];
    return { hint: 'Use straight quotes. Typographic quotes and backticks do not start a text.', fixes };
  }
  // A comment that begins with `//`, or an address.
  if (token?.type !== 'slashComment') return undefined;
  if (before?.type === 'colon' && before.end === token.start)
    return { hint: 'An address needs quotes: `"https://…"`.' };
  const comment = `#${token.text.slice(2)}`;
  const fixes = token.text.startsWith('//')
    ? [replaceToken('Start the comment with `#`', token, comment)]
    : [];
  return { hint: 'A comment starts with `#`.', fixes };
}

/** Text outside of declarations, declarations without a body, and brackets that do not match. */
function wrongStructure({ all, at, token, inside, opener, tokens, rules }: FailureCase): Advice | undefined {
  if (at === 0 && token) return outsideDeclaration(token);
  const wantsBody = (tokens.has('lbrace') || tokens.has('segment')) && !rules.has('value');
  if (wantsBody && all[0] && all.slice(0, at).every(({ type }) => type !== 'lbrace'))
    return withoutBody(all[0], token, at);
  if (token?.type === 'other')
    return token.text === ';'
      ? {
          hint: 'Remove the `;`. Put each field on its own line, or separate fields with `,`.',
          fixes: [removeToken(token)],
        }
      : { hint: 'Text with characters like this needs quotes: `"…"`.', fixes: quoteText(all, at) };
  // An open `[` or `(` reads everything after it as items until a token fails.
  if (opener && opener.text !== '{') return neverClosed(opener);
  const closer = inside && closers[inside.text];
  if (!closer || !token || closer === token.text || !/^[}\])]$/.test(token.text)) return undefined;
  return {
    hint: `\`${inside.text}\` is still open and needs \`${closer}\` first.`,
    related: [{ message: `\`${inside.text}\` is opened here`, span: spanOf(inside) }],
  };
}

/** Items where others are expected. */
function misplacedItem(failure: FailureCase): Advice | undefined {
  const { all, at, token, before, inBody, wantsColon, tokens, rules } = failure;
  // In a nested object only fields are allowed.
  if (token?.type === 'text' && rules.has('field') && !rules.has('item'))
    return {
      found: 'a loose text',
      hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
      fixes: [insertBefore('Give it the key `content`', token, 'content: ')],
    };
  if (token?.type === 'dash' && (rules.has('value') || rules.has('field')))
    return { hint: 'Below a key, a list is written in brackets, without `-`: `rules: ["…", "…"]`.' };
  const isItem = token?.type === 'header' || token?.type === 'use';
  if (token?.text.startsWith('@') && rules.has('field') && !(isItem && inBody))
    return {
      hint: `\`${token.text}\` cannot be inside ${isItem ? 'an object' : 'a declaration'}. Move it out.`,
    };
  if (token?.type === 'equals' && wantsColon && before) {
    const hint = `Key and value are joined by \`:\`: write \`${before.text}: …\`.`;
    return { hint, fixes: [replaceToken('Use `:`', token, ':')] };
  }
  // `/test: "…"`
  if (token?.type === 'word' && rules.has('field'))
    return {
      hint: `A key with such characters needs quotes: \`"${token.text}": …\`.`,
      fixes: [replaceToken('Put it in quotes', token, writeString(token.text))],
    };
  if (all[0]?.type === 'use' || all[0]?.type === 'inherit')
    return {
      hint: 'Write `@use ./file`, and after it, as needed, `(name: "value")`, `as name`, `into "folder"`, `for <tool>`.',
    };
  if (!tokens.has('string') || tokens.has('text')) return undefined;
  if (before?.type !== 'header' && all[at - 2]?.type !== 'header') return undefined;
  const hint = 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.';
  return { hint, fixes: token ? quoteText(all, at) : [] };
}

/** Keys without a value, values without a key, and texts without quotes. */
function wrongValue(failure: FailureCase): Advice | undefined {
  const { all, at, token, before, inside, inBody, wantsColon, opener, tokens, rules } = failure;
  const key = all[at - 2];
  if (rules.has('value') && !(opener && !token) && before?.type === 'colon' && key)
    return {
      hint:
        token?.type === 'at' && !token.newLine
          ? `A value is text, a list or an object, not \`${token.text}\`. To bring in a file, write \`@use ./file\` at the top of this file; a text that begins with \`@\` needs quotes.`
          : `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.`,
    };
  // An unquoted sentence that contains a colon.
  if (token?.type === 'colon' && !wantsColon)
    return {
      hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
      fixes: before?.newLine ? [] : quoteText(all, at - 1),
    };
  const followsWord = isWord(token) && isWord(before) && !token.newLine;
  // `project: My App`: the second word is read as the next key.
  if (followsWord && !wantsColon && tokens.has('comma'))
    return { hint: 'A text of more than one word needs quotes: `"…"`.', fixes: quoteText(all, at - 1) };
  if (!wantsColon || !before) return opener && neverClosed(opener);
  // `{ "a", "b" }`
  if (!inBody && inside?.text === '{' && (token?.type === 'comma' || token?.type === 'rbrace'))
    return {
      hint: `\`{ }\` holds fields with a key and a value. For a list of values write \`[${before.text}]\`.`,
    };
  // A text whose first `"""` is missing, or one without quotes.
  if (inBody && followsWord && key?.type === 'lbrace' && all[at + 1]?.type !== 'colon')
    return {
      hint: `A text needs quotes: put \`"""\` on the line before \`${before.text}\` and after the end of the text, or the text in \`"…"\`.`,
    };
  if (!token && opener) return neverClosed(opener);
  if (token && !/^[}\]),]$/.test(token.text))
    return {
      hint: `A colon is missing after the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
      fixes: valueStarts.has(token.type) ? [insertAfter('Put a colon after the key', before, ':')] : [],
    };
  const text = before.text.replace(/^["']|["']$/g, '');
  return {
    hint: `\`${before.text}\` has no value: write \`${before.text}: "…"\`, or \`- "${text}"\` for a list item.`,
  };
}

const isWord = (token: Token | undefined): token is Token => token?.type === 'name' || token?.type === 'word';

/** Tokens that may follow a key when only its colon is missing. */
const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket']);

function outsideDeclaration(token: Token): Advice {
  if (/^[}\])]$/.test(token.text))
    return { hint: `Nothing is open here: remove this \`${token.text}\`.`, fixes: [removeToken(token)] };
  const isImport = /^(?:use|inherit|extend|override)$/.test(token.text);
  const isBlock = token.type === 'name' && /^\s*\{/.test(token.source.text.slice(token.end, token.end + 20));
  if (isImport || isBlock)
    return {
      hint: `Declarations start with \`@\`: write \`@${token.text}\`.`,
      fixes: [insertBefore('Put `@` in front', token, '@')],
    };
  return {
    hint: 'Everything in a file belongs into a declaration. Put free text into one such as `@knowledge { """…""" }`.',
  };
}

function withoutBody(head: Token, token: Token | undefined, at: number): Advice {
  if (head.type !== 'at')
    return {
      hint: `Name what is changed, then the change in braces: \`${head.text} standards.testing { … }\`.`,
    };
  const hint = `Put the content of \`${head.text}\` into braces: \`${head.text} { … }\`.`;
  // `@include ./file`: another language imports files like this.
  if (at === 1 && token && /^["']?[\w@./-]*[./]/.test(token.text))
    return { hint: `\`${head.text}\` takes no file. To bring in a file, write \`@use ./file\`. ${hint}` };
  return { hint };
}

const neverClosed = (opener: Token): Advice => ({
  hint: `Close the \`${opener.text}\` with \`${closers[opener.text]}\`.`,
  related: [{ message: `\`${opener.text}\` is opened here and never closed`, span: spanOf(opener) }],
});
