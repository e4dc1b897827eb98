import type { Terminal } from '../host/terminal.ts';
import type { CompileContext } from '../project/session/world.ts';

/** One run of the program, as commands see it. */
export interface Invocation {
  readonly context: CompileContext;
  readonly terminal: Terminal;
  /** Whether progress and questions are suppressed: for JSON output, and with `--quiet`. */
  readonly silent: boolean;
  readonly verbose: boolean;
}
