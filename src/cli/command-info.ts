/** What is known of a command without running it: for help, completion scripts and suggestions. */
export interface CommandInfo {
  readonly name: string;
  readonly description: string;
  readonly details: string;
  readonly positionals: readonly PositionalInfo[];
  readonly options: readonly OptionInfo[];
  readonly examples: readonly (readonly [label: string, line: string])[];
}

/** An option as help and completion show it. */
export interface OptionInfo {
  /** `--dry-run`, or `-h` and `--help`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** A positional argument as help and completion show it. */
export interface PositionalInfo {
  readonly name: string;
  readonly required: boolean;
  readonly rest: boolean;
}

/** The options that every one of some commands takes, as the first of them describes them. */
export function commonOptions([first, ...others]: readonly CommandInfo[]): readonly OptionInfo[] {
  return (first?.options ?? []).filter(({ names }) =>
    others.every(({ options }) => options.some(option => option.names[0] === names[0])),
  );
}
