/** What the program may assume about the screens it writes to. */
export interface Terminal {
  /** A person can read standard error and answer on standard input. */
  readonly interactive: boolean;
  readonly stdout: Screen;
  readonly stderr: Screen;
}

/** What reports are shown on. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Whether to use colours: the terminal has them, and no option or variable turns them off. */
  readonly colors: boolean;
  /** Characters in a line; 80 when it is no terminal. */
  readonly columns: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * The facts about this process's terminal. `choice` is what `--color` or `--no-color` said; it wins over
 * `NO_COLOR`, that over `FORCE_COLOR`, and that over what the stream is.
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
