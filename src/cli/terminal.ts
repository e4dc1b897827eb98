/** Facts about the terminals of the standard streams. */
export interface Terminal {
  /** Whether a user can read standard error and answer on standard input. */
  readonly interactive: boolean;
  readonly stdout: Screen;
  readonly stderr: Screen;
}

/** The output device of reports. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Whether to use colours: the terminal supports them, and no option or variable disables them. */
  readonly colors: boolean;
  /** Characters per line; 80 when it is not a terminal. */
  readonly columns: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Facts about the terminal of this process. `choice` is the value of `--color` or `--no-color`. It takes
 * precedence over `NO_COLOR`, which takes precedence over `FORCE_COLOR`, and this over what the stream
 * supports.
 */
export function terminalFacts(
  choice: boolean | undefined,
  environment: Environment = process.env,
  streams: { stdin: Stream; stdout: Stream; stderr: Stream } = process,
): Terminal {
  const screen = (stream: Stream): Screen => ({
    isTerminal: stream.isTTY === true,
    colors: choice ?? wantsColors(stream, environment),
    columns: stream.columns && stream.columns > 0 ? stream.columns : 80,
  });
  return {
    interactive: streams.stdin.isTTY === true && streams.stderr.isTTY === true && !environment.CI,
    stdout: screen(streams.stdout),
    stderr: screen(streams.stderr),
  };
}

function wantsColors(stream: Stream, environment: Environment): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return !['0', 'false'].includes(environment.FORCE_COLOR);
  return stream.isTTY === true && environment.TERM !== 'dumb';
}
