import type { Related } from '../diagnostics/diagnostic.ts';
import type { Failure } from './explain.ts';
import type { Token } from './lexer.ts';

/** What to say beside the bare facts; parts left out are derived from the failure itself. */
export interface Advice {
  readonly hint?: string | undefined;
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
  readonly related?: readonly Related[] | undefined;
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
  };
}

function openString({ token }: Case): Advice | undefined {
  if (token?.type !== 'openString') return undefined;
  const mark = token.text[0]!;
  return {
    expected: `a closing \`${mark}\` on the same line`,
    hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
  };
}

function wrongQuotes({ token }: Case): Advice | undefined {
  if (token?.type !== 'wrongQuote') return undefined;
  const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
  const example = inner && !/["`]/.test(inner) ? `: \`"${inner.slice(0, 40)}"\`` : '';
  return { hint: `Use straight quotes${example}. Typographic quotes and backticks do not start a text.` };
}

function slashComment({ token }: Case): Advice | undefined {
  if (token?.type !== 'slashComment') return undefined;
  return { hint: 'A comment starts with `#`.' };
}

function outsideDeclaration({ at, token }: Case): Advice | undefined {
  if (at !== 0 || !token) return undefined;
  if (closers['{'] === token.text || token.text === ']' || token.text === ')') {
    return { hint: `Nothing is open here: remove this \`${token.text}\`.` };
  }
  if (token.type === 'header') {
    return {
      hint: '`@header` stands in the block that it names a section of: `@standards { @header "Title" … }`.',
    };
  }
  if (/^(?:use|inherit|extend|override)$/.test(token.text)) {
    return { hint: `Declarations start with \`@\`: write \`@${token.text}\`.` };
  }
  if (token.type === 'name' && /^\s*\{/.test(token.source.text.slice(token.end, token.end + 20))) {
    return { hint: `Declarations start with \`@\`: write \`@${token.text} {\`.` };
  }
  return {
    hint: 'Everything in a file stands in a declaration; free text goes into one such as `@knowledge { """…""" }`.',
  };
}

function noBody({ chunk, at, expected: { tokens, rules } }: Case): Advice | undefined {
  const head = chunk.tokens[0];
  const wants = tokens.has('lbrace') || tokens.has('segment');
  if (!wants || !head || rules.has('value') || chunk.tokens.slice(0, at).some(one => one.type === 'lbrace')) {
    return undefined;
  }
  if (head.type === 'at')
    return { hint: `The content of \`${head.text}\` stands in braces: \`${head.text} { … }\`.` };
  return {
    hint: `Name what is changed, then the change in braces: \`${head.text} standards.testing { … }\`.`,
  };
}

function semicolon({ token }: Case): Advice | undefined {
  if (token?.text !== ';') return undefined;
  return { hint: 'Remove the `;`: fields stand on lines of their own or are separated by `,`.' };
}

function strangeCharacter({ token }: Case): Advice | undefined {
  if (token?.type !== 'other') return undefined;
  return { hint: 'Text with characters like this needs quotes: `"…"`.' };
}

/** An open `[` or `(` swallows what follows it until something does not fit. */
function openList({ opener }: Case): Advice | undefined {
  if (!opener || opener.text === '{') return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text]}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
  };
}

function otherCloser({ token, inside }: Case): Advice | undefined {
  if (!token || !inside || !/^[}\])]$/.test(token.text)) return undefined;
  const closer = closers[inside.text]!;
  if (closer === token.text) return undefined;
  return {
    hint: `\`${inside.text}\` is still open and needs \`${closer}\` first.`,
    related: [here(inside, `\`${inside.text}\` is opened here`)],
  };
}

/** In a nested object only fields may stand. */
function looseText({ token, expected: { rules } }: Case): Advice | undefined {
  if (token?.type !== 'text' || !rules.has('field') || rules.has('item')) return undefined;
  return {
    found: 'a loose text',
    hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
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
  return { hint: `Key and value are joined by \`:\`: write \`${before.text}: …\`.` };
}

/** `/test: "…"` */
function quotedKey({ token, expected: { rules } }: Case): Advice | undefined {
  if (token?.type !== 'word' || !rules.has('field')) return undefined;
  return { hint: `A key with such characters needs quotes: \`"${token.text}": …\`.` };
}

function noReference({ before, expected: { tokens } }: Case): Advice | undefined {
  if (!tokens.has('reference') || !before) return undefined;
  return {
    hint: `Name the file on the same line: \`${before.text} ./file\` or \`${before.text} @alias/path\`.`,
  };
}

function noTitle({ before, chunk, at, expected: { tokens } }: Case): Advice | undefined {
  if (before?.type === 'as')
    return { hint: 'Give the alias a name of letters, digits, `_` and `-`: `as shared`.' };
  if (!tokens.has('string') || tokens.has('text')) return undefined;
  if (before?.type === 'into') return { hint: 'Put the directory in quotes: `into "shared/skills"`.' };
  if (before?.type !== 'header' && chunk.tokens[at - 2]?.type !== 'header') return undefined;
  return { hint: 'A header needs a title in quotes: `@header "Title"` or `@header section "Title"`.' };
}

function noValue({ chunk, at, before, token, opener, expected: { rules } }: Case): Advice | undefined {
  if (!rules.has('value') || (opener && !token)) return undefined;
  if (before?.type === 'lparen') return { hint: 'List what is allowed: `enum("a", "b")`, or `range(1..5)`.' };
  if (before?.type === 'dash') return { hint: 'Write what the list item says: `- "…"`.' };
  const key = chunk.tokens[at - 2];
  if (before?.type !== 'colon' || !key) return undefined;
  return { hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.` };
}

function colonInText({ token, inside, wantsColon }: Case): Advice | undefined {
  if (token?.type !== 'colon' || wantsColon) return undefined;
  if (inside?.text === '[') {
    return { hint: '`[ ]` holds values. Use `{ }` for fields, and quotes for a text with `:` in it.' };
  }
  return {
    hint: 'A text with `:` in it needs quotes: `"…"`; fields below a key need braces: `{ key: value }`.',
  };
}

/** `project: My App`: the second word reads like the next key. */
function unquotedWords({ token, before, wantsColon, expected: { tokens } }: Case): Advice | undefined {
  if (!token || token.newLine || wantsColon || !tokens.has('comma')) return undefined;
  if (token.type !== 'name' && token.type !== 'word') return undefined;
  if (before?.type !== 'name' && before?.type !== 'word') return undefined;
  return { hint: 'A text of more than one word needs quotes: `"…"`.' };
}

/** `{ "a", "b" }` */
function listInBraces({ token, before, inBody, inside, wantsColon }: Case): Advice | undefined {
  if (!wantsColon || inBody || inside?.text !== '{' || !before) return undefined;
  if (token?.type !== 'comma' && token?.type !== 'rbrace') return undefined;
  return {
    hint: `\`{ }\` holds fields with a key and a value. For a list of values write \`[${before.text}]\`.`,
  };
}

function strayComma({ token, wantsColon }: Case): Advice | undefined {
  if (token?.type !== 'comma' || wantsColon) return undefined;
  return { hint: 'Remove this comma: commas stand between two values, one at a time, and may be left out.' };
}

function missingColon({ token, before, inside, opener, wantsColon }: Case): Advice | undefined {
  if (!wantsColon || !before || (!token && opener)) return undefined;
  if (inside?.text === '(') return { hint: `An argument has a name and a value: \`${before.text}: …\`.` };
  if (!token || /^[}\]),]$/.test(token.text)) {
    const text = before.text.replace(/^["']|["']$/g, '');
    return {
      hint: `\`${before.text}\` has no value: write \`${before.text}: "…"\`, or \`- "${text}"\` for a list item.`,
    };
  }
  return {
    hint: `A colon is missing behind the key: write \`${before.text}: …\`. Text without a key needs quotes.`,
  };
}

function openBrace({ opener }: Case): Advice | undefined {
  if (!opener) return undefined;
  return {
    hint: `Close the \`${opener.text}\` with \`${closers[opener.text] ?? '}'}\`.`,
    related: [here(opener, `\`${opener.text}\` is opened here and never closed`)],
  };
}
