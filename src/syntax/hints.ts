import type { Related } from '../diagnostics/diagnostic.ts';
import type { Fix } from '../diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import type { Token } from './lexer.ts';
import { writeString } from './literals.ts';
import type { Expectation } from './nearley.ts';
import { trackBrackets } from './segments.ts';
import {
  closeBrace,
  closeString,
  closeText,
  insertBefore,
  insertBehind,
  quoteFrom,
  quoteText,
  removeKey,
  removeToken,
  replaceToken,
} from './token-fixes.ts';

/** Where a chunk stopped making sense, and what would have made sense instead. */
export interface Failure {
  readonly chunk: Chunk;
  /** Index of the token that does not fit; the number of tokens when the chunk ends too early. */
  readonly at: number;
  readonly expected: Expectation;
}

/** What to say beside the bare facts; parts left out are derived from the failure itself. */
export interface Advice {
  readonly hint?: string | undefined;
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly fixes?: readonly Fix[] | undefined;
}

/** A failure with what the causes ask about most. */
interface Case extends Failure {
  /** The token that does not fit; none at the end. */
  readonly token: Token | undefined;
  readonly before: Token | undefined;
  /** The innermost bracket open in front of the token. */
  readonly inside: Token | undefined;
  /** Whether that bracket is the brace of a block. */
  readonly inBody: boolean;
  /** Whether only a colon (and marks of the key) can follow. */
  readonly wantsColon: boolean;
  /** A bracket that is never closed and may be the reason. */
  readonly opener: Token | undefined;
}

type Cause = (failure: Case) => Advice | undefined;

/**
 * The usual causes of a syntax error, the most certain ones first. `opener` is a bracket in front of the failing
 * token that is never closed.
 */
export function hintFor(failure: Failure, opener: Token | undefined): Advice {
  const { chunk, at, expected } = failure;
  const open: Token[] = [];
  for (const token of chunk.tokens.slice(0, at)) {
    if (/^[{[(]$/.test(token.text)) open.push(token);
    else if (/^[}\])]$/.test(token.text)) open.pop();
  }
  const asked: Case = {
    ...failure,
    token: chunk.tokens[at],
    before: chunk.tokens[at - 1],
    inside: open.at(-1),
    inBody: open.length === 1 && open[0]!.text === '{',
    wantsColon: expected.tokens.has('colon') && expected.rules.size === 0,
    opener,
  };
  for (const cause of causes) {
    const advice = cause(asked);
    if (advice) return advice;
  }
  return {};
}

const causes: readonly Cause[] = [
  openText,
  openString,
  wrongQuotes,
  slashComment,
  outsideDeclaration,
  noBody,
  semicolon,
  strangeCharacter,
  openList,
  otherCloser,
  looseText,
  loneItem,
  directiveInObject,
  equalsSign,
  quotedKey,
  noReference,
  noTitle,
  noValue,
  colonInText,
  unquotedWords,
  listInBraces,
  strayComma,
  missingColon,
  openBrace,
];

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

const here = (token: Token, message: string): Related => ({
  message,
  span: { source: token.source, start: token.start, end: token.end },
});

function openText({ token }: Case): Advice | undefined {
  if (token?.type !== 'openText') return undefined;
  return {
    found: '`"""` that is never closed',
    expected: 'a closing `"""`',
    hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
    fixes: [closeText(token)],
  };
}

function openString({ token, chunk, at }: Case): Advice | undefined {
  if (token?.type !== 'openString') return undefined;
  const mark = token.text[0]!;
  return {
    expected: `a closing \`${mark}\` on the same line`,
    hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
    fixes: [closeString(chunk.tokens, at)],
  };
}

function wrongQuotes({ token }: Case): Advice | undefined {
  if (token?.type !== 'wrongQuote') return undefined;
  const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
  const example = inner && !/["`]/.test(inner) ? `: \`"${inner.slice(0, 40)}"\`` : '';
  const hint = `Use straight quotes${example}. Typographic quotes and backticks do not start a text.`;
  return { hint, fixes: inner ? [replaceToken('Use straight quotes', token, writeString(inner))] : [] };
}

function slashComment({ token, before, chunk, at }: Case): Advice | undefined {
  if (token?.type !== 'slashComment') return undefined;
  // `https://…`
  if (before?.type === 'colon' && before.end === token.start)
    return { hint: 'An address needs quotes: `"https://…"`.', fixes: quoteText(chunk.tokens, at - 2) };
  const fixes = token.text.startsWith('//')
    ? [replaceToken('Start the comment with `#`', token, `#${token.text.slice(2)}`)]
    : [];
  return { hint: 'A comment starts with `#`.', fixes };
}

function outsideDeclaration({ at, token }: Case): Advice | undefined {
  if (at !== 0 || !token) return undefined;
  if (closers['{'] === token.text || token.text === ']' || token.text === ')') {
    return { hint: `Nothing is open here: remove this \`${token.text}\`.`, fixes: [removeToken(token)] };
  }
  if (token.type === 'header') {
    return {
      hint: '`@header` stands in the block that it names a section of: `@standards { @header "Title" … }`.',
    };
  }
  if (/^(?:use|inherit|extend|override)$/.test(token.text)) {
    const fixes = [insertBefore('Put `@` in front', token, '@')];
    return { hint: `Declarations start with \`@\`: write \`@${token.text}\`.`, fixes };
  }
  if (token.type === 'name' && /^\s*\{/.test(token.source.text.slice(token.end, token.end + 20))) {
    const fixes = [insertBefore('Put `@` in front', token, '@')];
    return { hint: `Declarations start with \`@\`: write \`@${token.text} {\`.`, fixes };
  }
  return {
    hint: 'Everything in a file stands in a declaration; free text goes into one such as `@knowledge { """…""" }`.',
  };
}

function noBody({ token, chunk, at, expected: { tokens, rules } }: Case): Advice | undefined {
  const head = chunk.tokens[0];
  const wants = tokens.has('lbrace') || tokens.has('segment');
  if (!wants || !head || rules.has('value') || chunk.tokens.slice(0, at).some(one => one.type === 'lbrace')) {
    return undefined;
  }
  if (head.type === 'at' && token?.type === 'colon' && chunk.tokens[at + 1]?.type === 'lbrace')
    return {
      hint: `The content of \`${head.text}\` stands in braces: \`${head.text} { … }\`.`,
      fixes: [removeToken(token)],
    };
  if (head.type === 'at')
    return { hint: `The content of \`${head.text}\` stands in braces: \`${head.text} { … }\`.` };
  return {
    hint: `Name what is changed, then the change in braces: \`${head.text} standards.testing { … }\`.`,
  };
}

function semicolon({ token, chunk, at }: Case): Advice | undefined {
  if (token?.text !== ';') return undefined;
  const hint = 'Remove the `;`: fields stand on lines of their own or are separated by `,`.';
  const next = chunk.tokens[at + 1];
  // `a;b` is a text.
  if (next?.start === token.end && chunk.tokens[at - 1]?.end === token.start)
    return { hint, fixes: quoteText(chunk.tokens, at - 1) };
  const isLast = !next || next.newLine || next.type === 'rbrace';
  return { hint, fixes: [isLast ? removeToken(token) : replaceToken('Use `,`', token, ',')] };
}

function strangeCharacter({ token, chunk, at }: Case): Advice | undefined {
  if (token?.type !== 'other') return undefined;
  const hint = 'Text with characters like this needs quotes: `"…"`.';
  return { hint, fixes: quoteText(chunk.tokens, at) };
}

/** An open `[` or `(` swallows what follows it until something does not fit. */
function openList({ opener, chunk, at }: Case): Advice | undefined {
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
  // In `[1` with `key: 2` below it, the key still read like a value.
  const start = tokens[at]?.type === 'colon' && tokens[at - 1]?.newLine ? at - 1 : at;
  const before = tokens[start - 1];
  const next = tokens[start];
  if (next?.type === 'rbrace' && !next.newLine)
    return [insertBefore(`Close the \`${opener.text}\` with \`${closer}\``, next, closer)];
  if (!before || (next && !next.newLine)) return [];
  return [insertBehind(`Close the \`${opener.text}\` with \`${closer}\``, before, closer)];
}

function otherCloser({ token, inside, chunk }: Case): Advice | undefined {
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

/** In a nested object only fields may stand. */
function looseText({ token, expected: { rules } }: Case): Advice | undefined {
  if (token?.type !== 'text' || !rules.has('field') || rules.has('item')) return undefined;
  return {
    found: 'a loose text',
    hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
    fixes: [insertBefore('Give it the key `content`', token, 'content: ')],
  };
}

function loneItem({ token, expected: { rules } }: Case): Advice | undefined {
  if (token?.type !== 'dash') return undefined;
  if (rules.has('field') && !rules.has('item')) {
    return { hint: 'Inside an object a list belongs to a key: `rules: ["…", "…"]`.' };
  }
  if (!rules.has('value')) return undefined;
  return { hint: 'A list behind a key stands in brackets, without `-`: `["…", "…"]`.' };
}

function directiveInObject({ token, inBody, expected: { rules } }: Case): Advice | undefined {
  if (!rules.has('field') || !token?.text.startsWith('@')) return undefined;
  if (token.type !== 'header' && token.type !== 'use') {
    return {
      hint: `\`${token.text}\` starts a declaration and cannot stand inside another one: move it out.`,
    };
  }
  if (inBody) return undefined;
  return {
    hint: `\`${token.text}\` stands directly in a block, not inside one of its objects: move it out.`,
  };
}

function equalsSign({ token, before, wantsColon }: Case): Advice | undefined {
  if (token?.type !== 'equals' || !wantsColon || !before) return undefined;
  const hint = `Key and value are joined by \`:\`: write \`${before.text}: …\`.`;
  return { hint, fixes: [replaceToken('Use `:`', token, ':')] };
}

/** `/test: "…"` */
function quotedKey({ token, chunk, at, expected: { rules } }: Case): Advice | undefined {
  if (token?.type !== 'word' || !rules.has('field')) return undefined;
  const hint = `A key with such characters needs quotes: \`"${token.text}": …\`.`;
  const isKey = chunk.tokens[at + 1]?.type === 'colon';
  return {
    hint,
    fixes: isKey ? [replaceToken('Put the key in quotes', token, writeString(token.text))] : [],
  };
}

function noReference({ before, expected: { tokens } }: Case): Advice | undefined {
  if (!tokens.has('reference') || !before) return undefined;
  return {
    hint: `Name the file on the same line: \`${before.text} ./file\` or \`${before.text} @alias/path\`.`,
  };
}

function noTitle({ token, before, chunk, at, expected: { tokens } }: Case): Advice | undefined {
  if (before?.type === 'for')
    return { hint: 'Name the tools without quotes, with commas between them: `for <id>, <id>`.' };
  if (before?.type === 'as')
    return { hint: 'Give the alias a name of letters, digits, `_` and `-`: `as shared`.' };
  if (!tokens.has('string') || tokens.has('text')) return undefined;
  if (before?.type === 'into') {
    const fixes =
      token?.type === 'name' ? [replaceToken('Put it in quotes', token, writeString(token.text))] : [];
    return { hint: 'Put the directory in quotes: `into "shared/skills"`.', fixes };
  }
  if (before?.type !== 'header' && chunk.tokens[at - 2]?.type !== 'header') return undefined;
  const hint = 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.';
  const first = chunk.tokens.slice(0, at).findLastIndex(one => one.type === 'header') + 1;
  return { hint, fixes: token && !chunk.tokens[first]!.newLine ? quoteFrom(chunk.tokens, first) : [] };
}

function noValue({ chunk, at, before, token, opener, expected: { rules } }: Case): Advice | undefined {
  if (!rules.has('value') || (opener && !token)) return undefined;
  if (before?.type === 'lparen') return { hint: 'List what is allowed: `enum("a", "b")`, or `range(1..5)`.' };
  if (before?.type === 'dash') return { hint: 'Write what the list item says: `- "…"`.' };
  const key = chunk.tokens[at - 2];
  if (before?.type !== 'colon' || !key) return undefined;
  return {
    hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.`,
    fixes: [removeKey(key, before)],
  };
}

function colonInText({ token, chunk, at, inside, wantsColon }: Case): Advice | undefined {
  if (token?.type !== 'colon' || wantsColon) return undefined;
  if (inside?.text === '[') {
    return { hint: '`[ ]` holds values. Use `{ }` for fields, and quotes for a text with `:` in it.' };
  }
  return {
    hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
    fixes: chunk.tokens[at - 1]?.newLine ? [] : quoteText(chunk.tokens, at - 1),
  };
}

/** `project: My App`: the second word reads like the next key. */
function unquotedWords({
  token,
  before,
  chunk,
  at,
  wantsColon,
  expected: { tokens },
}: Case): Advice | undefined {
  if (!token || token.newLine || wantsColon || !tokens.has('comma')) return undefined;
  if (token.type !== 'name' && token.type !== 'word') return undefined;
  if (before?.type !== 'name' && before?.type !== 'word') return undefined;
  return {
    hint: 'A text of more than one word needs quotes: `"…"`.',
    fixes: quoteText(chunk.tokens, at - 1),
  };
}

/** `{ "a", "b" }` */
function listInBraces({ token, before, chunk, at, inBody, inside, wantsColon }: Case): Advice | undefined {
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

function strayComma({ token, wantsColon }: Case): Advice | undefined {
  if (token?.type !== 'comma' || wantsColon) return undefined;
  return {
    hint: 'Remove this comma: commas stand between two values, one at a time, and may be left out.',
    fixes: [removeToken(token)],
  };
}

/** What follows a key when only its colon is missing. */
const valueStarts = new Set(['string', 'text', 'lbrace', 'lbracket']);

function missingColon({ token, before, inside, inBody, opener, wantsColon }: Case): Advice | undefined {
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
    hint: `A colon is missing behind the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
    fixes: valueStarts.has(token.type) ? [insertBehind('Put a colon behind the key', before, ':')] : [],
  };
}

function openBrace({ opener, chunk }: Case): Advice | undefined {
  if (!opener) return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text] ?? '}'}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
    fixes: [closeBrace(chunk.tokens, opener)],
  };
}
