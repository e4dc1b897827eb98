import type { Advice, Case, Cause, Failure } from './failure.ts';
import { listInBraces, openBrace, openList, otherCloser } from './hints-brackets.ts';
import {
  directiveInObject,
  equalsSign,
  loneItem,
  missingColon,
  noBody,
  noReference,
  noTitle,
  noValue,
  outsideDeclaration,
  quotedKey,
  strayComma,
} from './hints-parts.ts';
import {
  colonInText,
  looseText,
  openString,
  openText,
  semicolon,
  slashComment,
  strangeCharacter,
  unquotedWords,
  wrongQuotes,
} from './hints-texts.ts';
import type { Token } from './lexer.ts';

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
