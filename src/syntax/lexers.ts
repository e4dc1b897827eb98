import moo from 'moo';
import { ascii, full, type LexerStates } from '../generated/lexers.ts';

/** A lexer of moo, with the part of its interface that moo's types leave out. */
export interface Lexer extends moo.Lexer {
  /** The types of moo leave out that what was saved can be given back. */
  reset(text?: string, state?: moo.LexerState): this;
}

/** The constructor of lexers, which moo does not export; it takes compiled states and the name of the first. */
const MooLexer = moo.compile({ any: 'x' }).constructor as new (states: LexerStates, start: string) => Lexer;

let fullStates: LexerStates | undefined;

/** The lexer of the language. Its states are made when the first word with other letters is met: V8 takes long to do it. */
export function makeFullLexer(): Lexer {
  fullStates ??= full();
  return new MooLexer(fullStates, 'main');
}

let asciiStates: LexerStates | undefined;

/**
 * A lexer that agrees with the full one wherever words are ASCII. Where it cannot tell, its token is `other`, or a
 * `word` that holds a character beyond ASCII; neither changes its state, so the full one can go on from there.
 */
export function makeAsciiLexer(): Lexer {
  asciiStates ??= ascii();
  return new MooLexer(asciiStates, 'main');
}
