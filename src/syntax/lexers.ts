import { ascii, full, type States } from '../generated/lexers.ts';

let madeFull: States | undefined;
let madeAscii: States | undefined;

/** The tokens of the language. They are made when the first word with other letters is met: V8 takes long to do it. */
export function fullStates(): States {
  madeFull ??= full();
  return madeFull;
}

/**
 * Tokens that agree with the full ones wherever words are ASCII. Where they cannot tell, there is `other`, or a `word`
 * that holds a character beyond ASCII; neither changes the state, so the full ones can go on from there.
 */
export function asciiStates(): States {
  madeAscii ??= ascii();
  return madeAscii;
}
