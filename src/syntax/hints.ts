import type { Advice, AdviceRule, Failure, FailureCase } from './failure.ts';
import * as brackets from './hints-brackets.ts';
import * as parts from './hints-parts.ts';
import * as texts from './hints-texts.ts';
import type { Token } from './lexer.ts';

/**
 * Finds the usual cause of a syntax error; the most certain rules are tried first. `opener` is a bracket
 * before the failing token that is never closed.
 */
export function hintFor(failure: Failure, opener: Token | undefined): Advice {
  const { chunk, at, expected } = failure;
  const open: Token[] = [];
  for (const token of chunk.tokens.slice(0, at)) {
    if (/^[{[(]$/.test(token.text)) open.push(token);
    else if (/^[}\])]$/.test(token.text)) open.pop();
  }
  const asked: FailureCase = {
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

const causes: readonly AdviceRule[] = [
  texts.openText,
  texts.openString,
  texts.wrongQuotes,
  texts.slashComment,
  parts.outsideDeclaration,
  parts.noBody,
  texts.semicolon,
  texts.strangeCharacter,
  brackets.openList,
  brackets.otherCloser,
  texts.looseText,
  parts.strayListItem,
  parts.directiveInObject,
  parts.equalsSign,
  parts.quotedKey,
  parts.noReference,
  parts.noTitle,
  parts.noValue,
  texts.colonInText,
  texts.unquotedWords,
  brackets.listInBraces,
  parts.strayComma,
  texts.sentence,
  parts.missingColon,
  brackets.openBrace,
];
