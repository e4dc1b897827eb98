import type { Related } from '../text/diagnostics/diagnostic.ts';
import type { Fix } from '../text/diagnostics/fixes.ts';
import type { Chunk } from './cut.ts';
import type { Token } from './lexer.ts';
import type { Expectation } from './parser.ts';

/** Where parsing of a chunk failed, and what would have been valid instead. */
export interface Failure {
  readonly chunk: Chunk;
  /** Index of the failing token; the number of tokens when the chunk ends too early. */
  readonly at: number;
  readonly expected: Expectation;
}

/** The message for a failure; absent parts are derived from the failure itself. */
export interface Advice {
  readonly hint?: string | undefined;
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly fixes?: readonly Fix[] | undefined;
}

/** A failure with the facts that most rules need. */
export interface FailureCase extends Failure {
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

/** Returns advice for the kind of failure that the rule covers, else `undefined`. */
export type AdviceRule = (failure: FailureCase) => Advice | undefined;

/** Maps opening to closing brackets. */
export const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
