/** Set by the build. */
export const version = process.env.INSTR_VERSION ?? 'development';

/** The arguments up to `--`, after which all arguments are values. */
export function beforeSeparator(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  return at === -1 ? args : args.slice(0, at);
}

/** The index of the command: the first word that is neither an option nor the value of one. */
export function commandIndex(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--cwd' || args[at] === '--config') at++;
    else if (!args[at]!.startsWith('-') || args[at] === '-') return at;
  }
  return args.length;
}
