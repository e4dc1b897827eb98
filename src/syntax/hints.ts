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

/** A failure with the facts that most rules need. */
interface FailureCase extends Expectation {
  /** The tokens of the chunk, and the index of the failing one. */
  readonly all: readonly Token[];
  readonly at: number;
  /** The failing token; `undefined` at the end. */
  readonly token: Token | undefined;
  readonly before: Token | undefined;
  /** The innermost open bracket before the token. */
  readonly inside: Token | undefined;
  /** Whether that bracket is the brace of a block. */
  readonly inBody: boolean;
  /** Whether only a colon (and marks of the key) can follow. */
  readonly wantsColon: boolean;
  /** A bracket that is never closed and may be the cause. */
  readonly opener: Token | undefined;
}

/**
 * Finds the usual cause of a syntax error. `opener` is a bracket before the failing token that is never closed.
 */
export function hintFor({ chunk, at, expected }: Failure, opener: Token | undefined): Advice {
  const all = chunk.tokens;
  const open: Token[] = [];
  for (const token of all.slice(0, at)) trackBrackets(open, token);
  const failure: FailureCase = {
    ...expected,
    all,
    at,
    token: all[at],
    before: all[at - 1],
    inside: open.at(-1),
    inBody: open.length === 1 && open[0]!.text === '{',
    wantsColon: expected.tokens.has('colon') && expected.rules.size === 0,
    opener,
  };
  for (const cause of causes) {
    const advice = cause(failure);
    if (advice) return advice;
  }
  return {};
}

/** Maps opening to closing brackets. */
const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Each gives advice for one kind of mistake, else `undefined`. The most certain ones are tried first. */
const causes: readonly ((failure: FailureCase) => Advice | undefined)[] = [
  // A triple-quoted text that is never closed.
  ({ token }) =>
    token?.type === 'openText'
      ? {
          found: '`"""` that is never closed',
          expected: 'a closing `"""`',
          hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
        }
      : undefined,

  // A string that is not closed on its line.
  ({ token }) => {
    if (token?.type !== 'openString') return undefined;
    const mark = token.text[0]!;
    return {
      expected: `a closing \`${mark}\` on the same line`,
      hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
      fixes: closeString(token),
    };
  },

  // Typographic quotes.
  ({ token }) => {
    if (token?.type !== 'wrongQuote') return undefined;
    const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
    const fixes = inner ? [replaceToken('Use straight quotes', token, writeString(inner))] : [];
    return { hint: 'Use straight quotes. Typographic quotes and backticks do not start a text.', fixes };
  },

  // A comment that begins with `//`, or an address.
  ({ token, before }) => {
    if (token?.type !== 'slashComment') return undefined;
    if (before?.type === 'colon' && before.end === token.start)
      return { hint: 'An address needs quotes: `"https://…"`.' };
    const fixes = token.text.startsWith('//')
      ? [replaceToken('Start the comment with `#`', token, `#${token.text.slice(2)}`)]
      : [];
    return { hint: 'A comment starts with `#`.', fixes };
  },

  // A token at the top level that does not start a declaration.
  ({ at, token }) => (at === 0 && token ? outsideDeclaration(token) : undefined),

  // A declaration without its body.
  ({ all, at, tokens, rules }) => {
    const wants = tokens.has('lbrace') || tokens.has('segment');
    if (!wants || !all[0] || rules.has('value') || all.slice(0, at).some(({ type }) => type === 'lbrace'))
      return undefined;
    return withoutBody(all[0], all[at], at);
  },

  // A character that cannot start any token.
  ({ token, all, at }) => {
    if (token?.type !== 'other') return undefined;
    if (token.text === ';')
      return {
        hint: 'Remove the `;`. Put each field on its own line, or separate fields with `,`.',
        fixes: [removeToken(token)],
      };
    return { hint: 'Text with characters like this needs quotes: `"…"`.', fixes: quoteText(all, at) };
  },

  // An open `[` or `(` reads everything after it as items until a token fails.
  ({ opener }) => (opener && opener.text !== '{' ? neverClosed(opener) : undefined),

  // A closing bracket of another kind than the open one.
  ({ token, inside }) => {
    if (!token || !inside || !/^[}\])]$/.test(token.text)) return undefined;
    const closer = closers[inside.text]!;
    if (closer === token.text) return undefined;
    return {
      hint: `\`${inside.text}\` is still open and needs \`${closer}\` first.`,
      related: [{ message: `\`${inside.text}\` is opened here`, span: spanOf(inside) }],
    };
  },

  // Text in a nested object, where only fields are allowed.
  ({ token, rules }) =>
    token?.type === 'text' && rules.has('field') && !rules.has('item')
      ? {
          found: 'a loose text',
          hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
          fixes: [insertBefore('Give it the key `content`', token, 'content: ')],
        }
      : undefined,

  // A list item where none is allowed.
  ({ token, rules }) =>
    token?.type === 'dash' && (rules.has('value') || rules.has('field'))
      ? { hint: 'Below a key, a list is written in brackets, without `-`: `rules: ["…", "…"]`.' }
      : undefined,

  // A declaration inside an object.
  ({ token, rules, inBody }) => {
    if (!rules.has('field') || !token?.text.startsWith('@')) return undefined;
    const isItem = token.type === 'header' || token.type === 'use';
    if (isItem && inBody) return undefined;
    return {
      hint: `\`${token.text}\` cannot be inside ${isItem ? 'an object' : 'a declaration'}. Move it out.`,
    };
  },

  // `=` instead of `:`.
  ({ token, before, wantsColon }) => {
    if (token?.type !== 'equals' || !wantsColon || !before) return undefined;
    const hint = `Key and value are joined by \`:\`: write \`${before.text}: …\`.`;
    return { hint, fixes: [replaceToken('Use `:`', token, ':')] };
  },

  // `/test: "…"`
  ({ token, rules }) =>
    token?.type === 'word' && rules.has('field')
      ? {
          hint: `A key with such characters needs quotes: \`"${token.text}": …\`.`,
          fixes: [replaceToken('Put it in quotes', token, writeString(token.text))],
        }
      : undefined,

  // An import.
  ({ all: [head] }) =>
    head?.type === 'use' || head?.type === 'inherit'
      ? {
          hint: 'Write `@use ./file`, and after it, as needed, `(name: "value")`, `as name`, `into "folder"`, `for <tool>`.',
        }
      : undefined,

  // A header without quotes.
  ({ token, before, all, at, tokens }) => {
    if (!tokens.has('string') || tokens.has('text')) return undefined;
    if (before?.type !== 'header' && all[at - 2]?.type !== 'header') return undefined;
    const hint = 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.';
    return { hint, fixes: token ? quoteText(all, at) : [] };
  },

  // A key without its value.
  ({ all, at, before, token, opener, rules }) => {
    const key = all[at - 2];
    if (!rules.has('value') || (opener && !token) || before?.type !== 'colon' || !key) return undefined;
    const hint =
      token?.type === 'at' && !token.newLine
        ? `A value is text, a list or an object, not \`${token.text}\`. To bring in a file, write \`@use ./file\` at the top of this file; a text that begins with \`@\` needs quotes.`
        : `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.`;
    return { hint };
  },

  // An unquoted sentence that contains a colon.
  ({ token, before, all, at, wantsColon }) =>
    token?.type === 'colon' && !wantsColon
      ? {
          hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
          fixes: before?.newLine ? [] : quoteText(all, at - 1),
        }
      : undefined,

  // `project: My App`: the second word is read as the next key.
  ({ token, before, all, at, wantsColon, tokens }) =>
    isWord(token) && isWord(before) && !token.newLine && !wantsColon && tokens.has('comma')
      ? { hint: 'A text of more than one word needs quotes: `"…"`.', fixes: quoteText(all, at - 1) }
      : undefined,

  // `{ "a", "b" }`
  ({ token, before, inBody, inside, wantsColon }) => {
    if (!wantsColon || inBody || inside?.text !== '{' || !before) return undefined;
    if (token?.type !== 'comma' && token?.type !== 'rbrace') return undefined;
    return {
      hint: `\`{ }\` holds fields with a key and a value. For a list of values write \`[${before.text}]\`.`,
    };
  },

  // Several words at the start of a block: a text whose first `"""` is missing, or one without quotes.
  ({ token, before, all, at, inBody, wantsColon }) => {
    if (!inBody || !wantsColon || !isWord(token) || token.newLine || !isWord(before)) return undefined;
    if (all[at - 2]?.type !== 'lbrace' || all[at + 1]?.type === 'colon') return undefined;
    return {
      hint: `A text needs quotes: put \`"""\` on the line before \`${before.text}\` and after the end of the text, or the text in \`"…"\`.`,
    };
  },

  // A key and a value without `:` between them.
  ({ token, before, opener, wantsColon }) => {
    if (!wantsColon || !before || (!token && opener)) return undefined;
    if (!token || /^[}\]),]$/.test(token.text)) {
      const text = before.text.replace(/^["']|["']$/g, '');
      return {
        hint: `\`${before.text}\` has no value: write \`${before.text}: "…"\`, or \`- "${text}"\` for a list item.`,
      };
    }
    return {
      hint: `A colon is missing after the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
      fixes: valueStarts.has(token.type) ? [insertAfter('Put a colon after the key', before, ':')] : [],
    };
  },

  // A brace that is never closed.
  ({ opener }) => opener && neverClosed(opener),
];

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
