/** The arguments up to `--`, behind which everything is a value. */
export function beforeSeparator(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  return at === -1 ? args : args.slice(0, at);
}
