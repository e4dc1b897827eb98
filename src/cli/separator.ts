/** The arguments up to `--`, after which all arguments are values. */
export function beforeSeparator(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  return at === -1 ? args : args.slice(0, at);
}
