import type { Terminal } from '../host/terminal.ts';
import type { CompileContext } from '../project/session/world.ts';

/** One run of the program, as commands see it. */
export interface Invocation {
  readonly context: CompileContext;
  readonly terminal: Terminal;
  /** Progress and questions must not mix with the one JSON object, nor disturb a quiet run. */
  readonly silent: boolean;
  readonly verbose: boolean;
}
