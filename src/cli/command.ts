import { Command, type CommandClass, Option } from 'clipanion';
import type { OpenFailure } from '../project/open/open.ts';
import type { CompileContext, WithReport } from '../project/session/world.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import type { Terminal } from './terminal.ts';

/** The values of `--format` for findings. */
export const findingFormats: readonly string[] = ['text', 'github'];

/** The values of `--format` for `validate`, whose only result is findings. */
export const reportFormats: readonly string[] = [...findingFormats, 'sarif'];

/** The result of a command, which the runner converts to text or JSON and an exit code. */
export interface CommandResult {
  /** Overrides the default: 1 after errors, else 0. */
  readonly exitCode?: number;
  /** Whether nothing had to be done, so that the same run has the same result until something changes. */
  readonly settled?: boolean;
  /** Absolute path of the project of the findings. */
  readonly root?: string;
  /** The members of the JSON object that are specific to the command. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Whether `--json` prints the object on one line, because other lines of JSON were printed before. */
  readonly lines?: boolean;
  /** The result as text for stdout, wrapped at `width` columns where possible; computed only when shown. */
  readonly text?: (width: number) => string | Promise<string>;
  /** Whether the text is the content of files, or a list for programs, which a pipe must get unchanged. */
  readonly content?: boolean;
  /** Whether the text may be long, so that a terminal shows it in the user's pager. */
  readonly paged?: boolean;
  /** What was done, for stdout; not shown with `--quiet` and `--json`. */
  readonly summary?: (width: number) => string;
  /** Advice and other notes for stderr; not shown with `--quiet` and `--json`. */
  readonly notes?: () => string;
}

/** What a command returns: its result, or a failure whose reason was reported. */
export type Outcome = CommandResult | OpenFailure | undefined;

/** Reports why a command cannot do what it was asked for. */
export function refuse({ report }: WithReport, reason: Diagnostic): OpenFailure {
  report(reason);
  return 'wrong-request';
}

/** The options that each option excludes. */
export type Conflicts = Readonly<Record<string, readonly string[]>>;

/** A switch, which is off by default. */
export const flag = (name: string, description: string) => Option.Boolean(name, false, { description });

/** An option with a value. */
export const option = (name: string, description: string) => Option.String(name, { description });

/** An option with a value that may be repeated. */
export const listOption = (name: string, description: string) => Option.Array(name, { description });

/** The option that selects the user's configuration instead of a project. */
export const userOption = () =>
  flag('--user', 'Your user-level configuration, and the files in your home folder.');

/** The option of commands that support several projects. */
export const recursiveOption = () =>
  Option.Boolean('--recursive', {
    description: 'Every project below this folder; --no-recursive: only this one, even if it lists packages.',
  });

/** The groups in the list of commands, in order. */
export const groups = ['Start', 'Every day', 'Share', 'Look into', 'Integrate'] as const;

export type Group = (typeof groups)[number];

/**
 * The base class of commands with the options that all of them have. A command runs and returns its result.
 */
export abstract class PrsCommand extends Command {
  /** Whether the short list of commands shows it; the full list shows all. */
  static readonly listed: boolean = false;

  /** The name of repeatable arguments in help; clipanion shows none. */
  static readonly rest: string = 'argument';

  cwd = option('--cwd', 'Run in this folder.');
  config = option('--config', 'Use this configuration file.');
  json = flag('--json', 'Print one JSON object on stdout.');
  verbose = flag('--verbose', 'Show details, and every omission.');
  quiet = flag('--quiet', 'Show errors only.');
  color = Option.Boolean('--color', { description: 'Use colours; --no-color disables them.' });

  /** Whether the context of the command is the user's configuration. */
  declare readonly user?: boolean;

  /** Whether warnings make the command fail. */
  declare readonly strict?: boolean;

  /** `github` prints annotations instead of source frames, `sarif` a log on stdout. */
  declare readonly format?: string | undefined;

  /** The allowed values of `format`. */
  readonly formats: readonly string[] = findingFormats;

  /** The allowed values of arguments, by name. */
  readonly choices: Readonly<Record<string, readonly string[]>> = {};

  /** Combinations of options that are refused. */
  readonly conflicts: Conflicts = {};

  /** Whether notes about the sources are shown. */
  get detailed(): boolean {
    return this.verbose;
  }

  /** Whether nothing is shown or asked while the command runs. */
  get silent(): boolean {
    return this.json || this.quiet;
  }

  abstract run(context: CompileContext, terminal: Terminal): Promise<Outcome>;

  /** The runner calls `run` instead. */
  async execute(): Promise<number> {
    return 0;
  }
}

/** The class of a command. */
export type PrsCommandClass = CommandClass &
  (new () => PrsCommand) & {
    readonly listed: boolean;
    readonly rest: string;
    /** Converts an argument that other programs pass to the spelling that clipanion accepts. */
    readonly spelled?: (word: string) => string;
  };
