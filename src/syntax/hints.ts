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

/** The usual causes of a syntax error, the most certain ones first. `opener` is an open bracket that never closes. */
export function hintFor(failure: Failure, opener: Token | undefined): Advice {
  for (const cause of causes) {
    const advice = cause(failure, opener);
    if (advice) return advice;
  }
  return {};
}

type Cause = (failure: Failure, opener: Token | undefined) => Advice | undefined;

const causes: readonly Cause[] = [
  openText,
  openString,
  wrongQuotes,
  slashComment,
  missingAt,
  closerWithoutOpener,
  looseText,
  loneItem,
  nestedHeader,
  equalsSign,
  missingReference,
  unquotedWords,
  strayComma,
  missingColon,
  openBracket,
  missingValue,
  listOfFields,
  missingBody,
  strangeCharacter,
];

const tokenAt = ({ chunk, at }: Failure): Token | undefined => chunk.tokens[at];
const before = ({ chunk, at }: Failure): Token | undefined => chunk.tokens[at - 1];

function openText(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (token?.type !== 'openText') return undefined;
  return {
    found: '`"""` that is never closed',
    expected: 'a closing `"""`',
    hint: 'Close the text with `"""` on a line of its own. Inside a text write `\\"""` for three quotes.',
  };
}

function openString(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (token?.type !== 'openString') return undefined;
  const mark = token.text[0]!;
  return {
    expected: `a closing \`${mark}\` on the same line`,
    hint: `Close the text with \`${mark}\`; for several lines use \`"""\` at both ends.`,
  };
}

function wrongQuotes(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (token?.type !== 'wrongQuote') return undefined;
  const inner = token.text.slice(1).replace(/["“”‘’»`]$/u, '');
  const example = inner && !inner.includes('"') ? `: \`"${inner.slice(0, 40)}"\`` : '';
  return { hint: `Use straight quotes${example}. Typographic quotes and backticks do not start a text.` };
}

function slashComment(failure: Failure): Advice | undefined {
  if (tokenAt(failure)?.type !== 'slashComment') return undefined;
  return { hint: 'A comment starts with `#`.' };
}

function missingAt(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (failure.at !== 0 || token?.type !== 'name') return undefined;
  const next = failure.chunk.tokens[1];
  if (next?.type === 'lbrace') return { hint: `Declarations start with \`@\`: write \`@${token.text} {\`.` };
  if (/^(?:use|inherit|extend|override)$/.test(token.text)) {
    return { hint: `Declarations start with \`@\`: write \`@${token.text}\`.` };
  }
  return { hint: 'Everything in a file stands in a declaration; free text goes into one such as `@knowledge { """…""" }`.' };
}

function closerWithoutOpener(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (!token || !/^[}\])]$/.test(token.text)) return undefined;
  if (failure.at === 0) return { hint: `Nothing is open here: remove this \`${token.text}\`.` };
  const open: Token[] = [];
  for (const one of failure.chunk.tokens.slice(0, failure.at)) {
    if (/^[{[(]$/.test(one.text)) open.push(one);
    else if (/^[}\])]$/.test(one.text)) open.pop();
  }
  const innermost = open.at(-1);
  const closer = innermost && { '{': '}', '[': ']', '(': ')' }[innermost.text];
  if (!innermost || !closer || closer === token.text) return undefined;
  return {
    hint: `\`${innermost.text}\` is still open and needs \`${closer}\` first.`,
    related: [
      {
        message: `\`${innermost.text}\` is opened here`,
        span: { source: innermost.source, start: innermost.start, end: innermost.end },
      },
    ],
  };
}

/** In a nested object only fields may stand. */
function looseText(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (!failure.expected.rules.has('field') || failure.expected.rules.has('item')) return undefined;
  if (token?.type !== 'text') return undefined;
  return {
    found: 'a loose text',
    hint: 'Text inside an object needs a key: write `content: """` instead of `"""`.',
  };
}

function loneItem(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (token?.type !== 'dash') return undefined;
  const { rules } = failure.expected;
  if (rules.has('field') && !rules.has('item')) {
    return { hint: 'Inside an object a list belongs to a key: `rules: ["…", "…"]`.' };
  }
  if (rules.has('value')) return { hint: 'Inside `[ ]` items stand without `-`, one after the other.' };
  return undefined;
}

function nestedHeader(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  if (token?.type !== 'header' && token?.type !== 'use') return undefined;
  if (!failure.expected.rules.has('field') || failure.expected.rules.has('item')) return undefined;
  return { hint: `\`${token.text}\` stands directly in a block, not inside one of its objects: move it out.` };
}

function equalsSign(failure: Failure): Advice | undefined {
  if (tokenAt(failure)?.type !== 'equals') return undefined;
  const key = before(failure);
  if (!failure.expected.tokens.has('colon') || !key) return undefined;
  return { hint: `Key and value are joined by \`:\`: write \`${key.text}: …\`.` };
}

function missingReference(failure: Failure): Advice | undefined {
  if (!failure.expected.tokens.has('reference')) return undefined;
  const keyword = failure.chunk.tokens[failure.at - 1]?.text ?? '@use';
  return { hint: `Name the file on the same line: \`${keyword} ./file\` or \`${keyword} @alias/path\`.` };
}

/** `project: My App`: the second word reads like the next key. */
function unquotedWords(failure: Failure): Advice | undefined {
  const token = tokenAt(failure);
  const word = before(failure);
  if (!token || token.newLine || !word || (word.type !== 'name' && word.type !== 'word')) return undefined;
  const { tokens, rules } = failure.expected;
  if (token.type === 'colon' && tokens.has('comma')) {
    return { hint: 'A text with `:` in it needs quotes; fields need braces: `{ key: value }`.' };
  }
  const isKey = tokens.has('colon') && rules.size === 0;
  if (isKey || !tokens.has('comma')) return undefined;
  if (token.type === 'wrongQuote' || /^[{}[\](),=]$/.test(token.text)) return undefined;
  return { hint: 'A text of more than one word needs quotes: `"…"`.' };
}

function strayComma(failure: Failure): Advice | undefined {
  if (tokenAt(failure)?.type !== 'comma') return undefined;
  return { hint: 'Remove this comma: commas stand between two values, one at a time, and may be left out.' };
}

function missingColon(failure: Failure): Advice | undefined {
  const key = before(failure);
  const { tokens, rules } = failure.expected;
  if (!key || !tokens.has('colon') || rules.size > 0) return undefined;
  const token = tokenAt(failure);
  if (token?.type === 'at' || /^[}\])]$/.test(token?.text ?? '}')) {
    return { hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or \`- "${plain(key)}"\` for a list item.` };
  }
  return { hint: `A colon is missing behind the key: write \`${key.text}: …\`. Text without a key needs quotes.` };
}

const plain = (token: Token) => token.text.replace(/^["']|["']$/g, '');

function openBracket(_failure: Failure, opener: Token | undefined): Advice | undefined {
  if (!opener) return undefined;
  const closer = { '{': '}', '[': ']', '(': ')' }[opener.text] ?? '}';
  return { hint: `Close the \`${opener.text}\` with \`${closer}\`.` };
}

function missingValue(failure: Failure): Advice | undefined {
  const key = failure.chunk.tokens[failure.at - 2];
  if (before(failure)?.type !== 'colon' || !failure.expected.rules.has('value') || !key) return undefined;
  return { hint: `\`${key.text}\` has no value: write \`${key.text}: "…"\`, or remove the key.` };
}

function listOfFields(failure: Failure): Advice | undefined {
  if (tokenAt(failure)?.type !== 'colon') return undefined;
  if (!failure.expected.tokens.has('rbracket')) return undefined;
  return { hint: '`[ ]` holds values. Use `{ }` for fields, and quotes for a text with `:` in it.' };
}

function missingBody(failure: Failure): Advice | undefined {
  const head = failure.chunk.tokens[0];
  if (!failure.expected.tokens.has('lbrace') || failure.expected.rules.has('value') || !head) return undefined;
  if (failure.chunk.tokens.slice(0, failure.at).some(token => token.type === 'lbrace')) return undefined;
  return { hint: `The content of \`${head.text}\` stands in braces: \`${head.text} { … }\`.` };
}

function strangeCharacter(failure: Failure): Advice | undefined {
  if (tokenAt(failure)?.type !== 'other') return undefined;
  return { hint: 'Text with characters like this needs quotes: `"…"`.' };
}
