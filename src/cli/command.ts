import { Command, type CommandClass, Option } from 'clipanion';
import type { Invocation } from './invocation.ts';

/** The forms that `--format` takes where it is about findings. */
export const findingFormats: readonly string[] = ['text', 'github'];

/** The forms of `validate`, of which findings are the only result. */
export const reportFormats: readonly string[] = [...findingFormats, 'sarif'];

/** What a command gives back; the runner turns it into text or JSON and an exit code. */
export interface Outcome {
  /** Set when findings alone do not decide: errors make 1, everything else 0. */
  readonly exitCode?: number;
  /** Whether nothing was to be done, so that the same run has the same outcome until something changes. */
  readonly settled?: boolean;
  /** Absolute path of the project the findings are about. */
  readonly root?: string;
  /** The command's own members of the JSON object. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** With `--json` the object stands in one line, because lines stand before it that were written meanwhile. */
  readonly lines?: boolean;
  /** The result as text for stdout, at most `width` columns wide where it can be; made only when it is shown. */
  readonly text?: (width: number) => string | Promise<string>;
  /** The text is content of files, or a list that programs read: a pipe gets it exactly as it is. */
  readonly content?: boolean;
  /** The text may be long: on a terminal it goes through the user's pager. */
  readonly paged?: boolean;
  /** What was done, for stdout; left out with `--quiet` and `--json`. */
  readonly summary?: (width: number) => string;
  /** Advice and the like, for stderr; left out with `--quiet` and `--json`. */
  readonly notes?: () => string;
}

/** The groups of the list of commands, in its order. */
export const groups = ['Start', 'Every day', 'Share', 'Look into', 'Integrate'] as const;

export type Group = (typeof groups)[number];

/** The options that every command takes, and the shape of a command: it runs, and returns its outcome. */
export abstract class PrsCommand extends Command {
  /** Whether the short list of commands shows it; the full list shows every command. */
  static readonly listed: boolean = false;

  /** The name of the arguments that may be repeated, for help: clipanion shows none. */
  static readonly rest: string = 'argument';

  cwd = Option.String('--cwd', { description: 'Run in this directory.' });
  config = Option.String('--config', { description: 'Use this configuration file.' });
  json = Option.Boolean('--json', false, { description: 'Print one JSON object on stdout.' });
  verbose = Option.Boolean('--verbose', false, { description: 'Show what is going on, and every omission.' });
  quiet = Option.Boolean('--quiet', false, { description: 'Show errors only.' });
  color = Option.Boolean('--color', { description: 'Colours, or --no-color for none.' });

  /** Reported findings of a command with `--strict` fail at warnings. */
  get failsOnWarnings(): boolean {
    return false;
  }

  /** Whether notes about the sources are shown. */
  get detailed(): boolean {
    return this.verbose;
  }

  /** `github` prints annotations instead of frames, `sarif` a log on stdout. */
  get diagnosticsFormat(): string | undefined {
    return undefined;
  }

  /** What `--format` may be. */
  get diagnosticsFormats(): readonly string[] {
    return findingFormats;
  }

  abstract run(invocation: Invocation): Promise<Outcome>;

  /** The runner calls `run`; clipanion's own way of executing is not used. */
  async execute(): Promise<number> {
    return 0;
  }
}

/** A command of `prs`. */
export type PrsCommandClass = CommandClass &
  (new () => PrsCommand) & {
    readonly listed: boolean;
    readonly rest: string;
    /** The spelling that clipanion accepts of an argument that other programs pass. */
    readonly spelled?: (word: string) => string;
  };
