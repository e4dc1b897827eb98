/** A word that needs no quotes in a POSIX shell, in PowerShell and for people. */
const plain = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** An argument list as one POSIX shell command; every argument stays one argument, nothing in it is expanded. */
export function posixCommand(argv: readonly string[]): string {
  return argv.map(word => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** The same for PowerShell; the call operator makes a quoted program run. */
export function powershellCommand(argv: readonly string[]): string {
  const words = argv.map(word =>
    plain.test(word) && !word.startsWith('@') ? word : `'${word.replaceAll("'", "''")}'`,
  );
  return words[0]?.startsWith("'") ? `& ${words.join(' ')}` : words.join(' ');
}
