import type { Terminal } from '../host/terminal.ts';
import type { Compiling } from '../project/session/world.ts';

/** One run of the program, as commands see it. */
export interface Invocation {
  readonly context: Compiling;
  readonly terminal: Terminal;
  /** Progress and questions must not mix with the one JSON object, nor disturb a quiet run. */
  readonly silent: boolean;
  readonly verbose: boolean;
}
