import type { Related } from '../text/diagnostics/diagnostic.ts';
import type { Fix } from '../text/diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import { trackBrackets } from './cut.ts';
import { spanOf, type Token } from './lexer.ts';
import { writeString } from './literals.ts';
import type { Expectation } from './parser.ts';
import {
  closeBrace,
  closeList,
  closers,
  closeString,
  closeText,
  insertAfter,
  insertBefore,
  quoteFrom,
  quoteText,
  removeKey,
  removeToken,
  replaceToken,
  useBrackets,
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
  readonly next: Token | undefined;
  /** The innermost open bracket before the token. */
  readonly inside: Token | undefined;
  /** Whether that bracket is the brace of a block. */
  readonly inBody: boolean;
  /** Whether only a colon (and marks of the key) can follow. */
  readonly wantsColon: boolean;
  /** A bracket that is never closed and may be the cause. */
  readonly opener: Token | undefined;
  /** Whether a bracket of the chunk is never closed. */
  readonly isUnclosed: boolean;
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
    next: all[at + 1],
    inside: open.at(-1),
    inBody: open.length === 1 && open[0]!.text === '{',
    wantsColon: expected.tokens.has('colon') && expected.rules.size === 0,
    opener,
    isUnclosed: chunk.unclosed.length > 0,
  };
  for (const cause of causes) {
    const advice = cause(failure);
    if (advice) return advice;
  }
  return {};
}

/** Each gives advice for one kind of mistake, else `undefined`. The most certain ones are tried first. */
const causes: readonly ((failure: FailureCase) => Advice | undefined)[] = [
  // A triple-quoted text that is never closed.
  ({ token }) =>
    token?.type === 'openText'
      ? {
          found: '`"""` that is never closed',
          expected: 'a closing `"""`',
          hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
          fixes: [closeText(token)],
        }
      : undefined,

  // A string that is not closed on its line.
  ({ token, all, at }) => {
    if (token?.type !== 'openString') return undefined;
    const mark = token.text[0]!;
    return {
      expected: `a closing \`${mark}\` on the same line`,
      hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
      fixes: [closeString(all, at)],
    };
  },

  // Typographic quotes.
  ({ token }) => {
    if (token?.type !== 'wrongQuote') return undefined;
    const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
    const example = inner && !/["`]/.test(inner) ? `: \`"${inner.slice(0, 40)}"\`` : '';
    const hint = `Use straight quotes${example}. Typographic quotes and backticks do not start a text.`;
    return { hint, fixes: inner ? [replaceToken('Use straight quotes', token, writeString(inner))] : [] };
  },

  // A comment that begins with `//`.
  ({ token, before, all, at }) => {
    if (token?.type !== 'slashComment') return undefined;
    // `https://…`
    if (before?.type === 'colon' && before.end === token.start)
      return { hint: 'An address needs quotes: `"https://…"`.', fixes: quoteText(all, at - 2) };
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
    return withoutBody(all[0], all, at);
  },

  // A semicolon at the end of a field.
  ({ token, before, next, all, at }) => {
    if (token?.text !== ';') return undefined;
    const hint = 'Remove the `;`. Put each field on its own line, or separate fields with `,`.';
    // `a;b` is a text.
    if (next?.start === token.end && before?.end === token.start)
      return { hint, fixes: quoteText(all, at - 1) };
    const isLast = !next || next.newLine || next.type === 'rbrace';
    return { hint, fixes: [isLast ? removeToken(token) : replaceToken('Use `,`', token, ',')] };
  },

  // A character that cannot start any token.
  ({ token, all, at }) =>
    token?.type === 'other'
      ? { hint: 'Text with characters like this needs quotes: `"…"`.', fixes: quoteText(all, at) }
      : undefined,

  // An open `[` or `(` reads everything after it as items until a token fails.
  ({ opener, all, at }) =>
    opener && opener.text !== '{' ? neverClosed(opener, closeList(opener, all, at)) : undefined,

  // A closing bracket of another kind than the open one.
  ({ token, inside, all, at, isUnclosed }) => {
    if (!token || !inside || !/^[}\])]$/.test(token.text)) return undefined;
    const closer = closers[inside.text]!;
    if (closer === token.text) return undefined;
    return {
      hint: `\`${inside.text}\` is still open and needs \`${closer}\` first.`,
      related: [{ message: `\`${inside.text}\` is opened here`, span: spanOf(inside) }],
      fixes: [otherCloserFix(token, inside, all.slice(0, at), isUnclosed)],
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
  ({ token, rules }) => {
    if (token?.type !== 'dash') return undefined;
    if (rules.has('field') && !rules.has('item'))
      return { hint: 'Inside an object a list belongs to a key: `rules: ["…", "…"]`.' };
    if (!rules.has('value')) return undefined;
    return { hint: 'A list after a key is written in brackets, without `-`: `["…", "…"]`.' };
  },

  // A declaration inside an object.
  ({ token, inBody, rules }) => {
    if (!rules.has('field') || !token?.text.startsWith('@')) return undefined;
    const name = `\`${token.text}\``;
    if (token.type !== 'header' && token.type !== 'use')
      return { hint: `${name} starts a declaration, which cannot be inside another one. Move it out.` };
    if (inBody) return undefined;
    return { hint: `${name} belongs directly into a block, not into one of its objects. Move it out.` };
  },

  // `=` instead of `:`.
  ({ token, before, wantsColon }) => {
    if (token?.type !== 'equals' || !wantsColon || !before) return undefined;
    const hint = `Key and value are joined by \`:\`: write \`${before.text}: …\`.`;
    return { hint, fixes: [replaceToken('Use `:`', token, ':')] };
  },

  // `/test: "…"`
  ({ token, next, rules }) => {
    if (token?.type !== 'word' || !rules.has('field')) return undefined;
    const isKey = next?.type === 'colon';
    return {
      hint: `A key with such characters needs quotes: \`"${token.text}": …\`.`,
      fixes: isKey ? [replaceToken('Put the key in quotes', token, writeString(token.text))] : [],
    };
  },

  // An import without a reference.
  ({ before, tokens }) =>
    tokens.has('reference') && before
      ? {
          hint: `Name the file on the same line: \`${before.text} ./file\` or \`${before.text} @alias/path\`.`,
        }
      : undefined,

  // A clause of an import, or a `@header`, without its text.
  ({ token, before, all, at, tokens }) => {
    if (before?.type === 'for')
      return { hint: 'Name the tools without quotes, with commas between them: `for <id>, <id>`.' };
    if (before?.type === 'as')
      return { hint: 'Give the alias a name of letters, digits, `_` and `-`: `as shared`.' };
    if (!tokens.has('string') || tokens.has('text')) return undefined;
    if (before?.type === 'into') {
      const isName = token?.type === 'name';
      const fixes = isName ? [replaceToken('Put it in quotes', token, writeString(token.text))] : [];
      return { hint: 'Put the folder in quotes: `into "shared/skills"`.', fixes };
    }
    if (before?.type !== 'header' && all[at - 2]?.type !== 'header') return undefined;
    const hint = 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.';
    const first = all.slice(0, at).findLastIndex(({ type }) => type === 'header') + 1;
    return { hint, fixes: token && !all[first]!.newLine ? quoteFrom(all, first) : [] };
  },

  // A key without its value.
  ({ all, at, before, token, opener, rules }) => {
    if (!rules.has('value') || (opener && !token)) return undefined;
    if (before?.type === 'lparen')
      return { hint: 'List what is allowed: `enum("a", "b")`, or `range(1..5)`.' };
    if (before?.type === 'dash') return { hint: 'Write what the list item says: `- "…"`.' };
    const key = all[at - 2];
    if (before?.type !== 'colon' || !key) return undefined;
    if (token?.type === 'at' && !token.newLine)
      return {
        hint: `A value is text, a list or an object, not \`${token.text}\`. To bring in a file, write \`@use ./file\` at the top of this file; a text that begins with \`@\` needs quotes.`,
      };
    return {
      hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.`,
      fixes: [removeKey(key, before)],
    };
  },

  // An unquoted sentence that contains a colon.
  ({ token, before, all, at, inside, wantsColon }) => {
    if (token?.type !== 'colon' || wantsColon) return undefined;
    if (inside?.text === '[')
      return { hint: '`[ ]` holds values. Use `{ }` for fields, and quotes for a text with `:` in it.' };
    return {
      hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
      fixes: before?.newLine ? [] : quoteText(all, at - 1),
    };
  },

  // `project: My App`: the second word is read as the next key.
  ({ token, before, all, at, wantsColon, tokens }) =>
    isWord(token) && isWord(before) && !token.newLine && !wantsColon && tokens.has('comma')
      ? {
          hint: 'A text of more than one word needs quotes: `"…"`.',
          fixes: quoteText(all, at - 1),
        }
      : undefined,

  // `{ "a", "b" }`
  ({ token, before, all, at, inBody, inside, wantsColon }) => {
    if (!wantsColon || inBody || inside?.text !== '{' || !before) return undefined;
    if (token?.type !== 'comma' && token?.type !== 'rbrace') return undefined;
    return {
      hint: `\`{ }\` holds fields with a key and a value. For a list of values write \`[${before.text}]\`.`,
      fixes: useBrackets(all, at, inside),
    };
  },

  // A comma where none is allowed.
  ({ token, wantsColon }) =>
    token?.type === 'comma' && !wantsColon
      ? {
          hint: 'Remove this comma. A single comma may separate two values; commas are optional.',
          fixes: [removeToken(token)],
        }
      : undefined,

  // Several words at the start of a block: a text whose first `"""` is missing, or one without quotes.
  ({ token, before, next, all, at, inBody, wantsColon }) => {
    if (!inBody || !wantsColon || !isWord(token) || token.newLine || !isWord(before)) return undefined;
    if (all[at - 2]?.type !== 'lbrace' || next?.type === 'colon') return undefined;
    return {
      hint: `A text needs quotes: put \`"""\` on the line before \`${before.text}\` and after the end of the text, or the text in \`"…"\`.`,
    };
  },

  // A key and a value without `:` between them.
  ({ token, before, inside, inBody, opener, wantsColon }) => {
    if (!wantsColon || !before || (!token && opener)) return undefined;
    if (inside?.text === '(') return { hint: `An argument has a name and a value: \`${before.text}: …\`.` };
    if (!token || /^[}\]),]$/.test(token.text)) {
      const text = before.text.replace(/^["']|["']$/g, '');
      return {
        hint: `\`${before.text}\` has no value: write \`${before.text}: "…"\`, or \`- "${text}"\` for a list item.`,
        fixes: inBody ? [replaceToken('Write it as a list item', before, `- ${writeString(text)}`)] : [],
      };
    }
    return {
      hint: `A colon is missing after the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
      fixes: valueStarts.has(token.type) ? [insertAfter('Put a colon after the key', before, ':')] : [],
    };
  },

  // A brace that is never closed.
  ({ opener, all }) => opener && neverClosed(opener, [closeBrace(all, opener)]),
];

const isWord = (token: Token | undefined): token is Token => token?.type === 'name' || token?.type === 'word';

/** Tokens that may follow a key when only its colon is missing. */
const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket']);

function outsideDeclaration(token: Token): Advice {
  if (/^[}\])]$/.test(token.text))
    return { hint: `Nothing is open here: remove this \`${token.text}\`.`, fixes: [removeToken(token)] };
  if (token.type === 'header')
    return {
      hint: '`@header` belongs into the block whose section it names: `@standards { @header "Title" … }`.',
    };
  const fixes = [insertBefore('Put `@` in front', token, '@')];
  if (/^(?:use|inherit|extend|override)$/.test(token.text))
    return { hint: `Declarations start with \`@\`: write \`@${token.text}\`.`, fixes };
  if (token.type === 'name' && /^\s*\{/.test(token.source.text.slice(token.end, token.end + 20)))
    return { hint: `Declarations start with \`@\`: write \`@${token.text} {\`.`, fixes };
  return {
    hint: 'Everything in a file belongs into a declaration. Put free text into one such as `@knowledge { """…""" }`.',
  };
}

function withoutBody(head: Token, tokens: readonly Token[], at: number): Advice {
  if (head.type !== 'at')
    return {
      hint: `Name what is changed, then the change in braces: \`${head.text} standards.testing { … }\`.`,
    };
  const [token, next] = [tokens[at], tokens[at + 1]];
  const hint = `Put the content of \`${head.text}\` into braces: \`${head.text} { … }\`.`;
  if (token?.type === 'colon' && next?.type === 'lbrace') return { hint, fixes: [removeToken(token)] };
  // `@include ./file`: another language imports files like this.
  if (at === 1 && token && /^["']?[\w@./-]*[./]/.test(token.text))
    return {
      hint: `\`${head.text}\` takes no file. To bring in a file, write \`@use ./file\`. Put the content of a block into braces: \`${head.text} { … }\`.`,
    };
  return { hint };
}

const neverClosed = (opener: Token, fixes: readonly Fix[]): Advice => ({
  hint: `Close the \`${opener.text}\` with \`${closers[opener.text]}\`.`,
  related: [{ message: `\`${opener.text}\` is opened here and never closed`, span: spanOf(opener) }],
  fixes,
});

/** A closer that matches an outer bracket comes too early; any other is superfluous or of the wrong kind. */
function otherCloserFix(token: Token, inside: Token, tokens: readonly Token[], isUnclosed: boolean): Fix {
  const closer = closers[inside.text]!;
  const open: Token[] = [];
  for (const one of tokens) trackBrackets(open, one);
  if (open.some(({ text }) => closers[text] === token.text))
    return insertBefore(`Close the \`${inside.text}\` with \`${closer}\``, token, closer);
  return isUnclosed ? replaceToken(`Use \`${closer}\``, token, closer) : removeToken(token);
}
