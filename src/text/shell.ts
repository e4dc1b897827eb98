/** A word that needs no quotes in a POSIX shell, in PowerShell and for people. */
const plain = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** A text as one word of a POSIX shell, in which nothing is expanded. */
export const posixWord = (word: string): string =>
  plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** An argument list as one POSIX shell command; every argument stays one argument, nothing in it is expanded. */
export function posixCommand(argv: readonly string[]): string {
  return argv.map(posixWord).join(' ');
}

/** The same for PowerShell; the call operator makes a quoted program run. */
export function powershellCommand(argv: readonly string[]): string {
  const words = argv.map(word =>
    plain.test(word) && !word.startsWith('@') ? word : `'${word.replaceAll("'", "''")}'`,
  );
  return words[0]?.startsWith("'") ? `& ${words.join(' ')}` : words.join(' ');
}

/** Folders of programs whose names hold blanks. */
const blankNames = /^(?:[A-Za-z]:[\\/]|\/Applications\/|\/Library\/|~\/Library\/)/;

/**
 * A command line in one text as an argument list. `undefined` where it is one word, the path of a program with blanks
 * in it, or something that only a shell understands.
 */
export function splitCommand(text: string): string[] | undefined {
  const line = text.trim();
  if (!/\s/.test(line) || blankNames.test(line) || /[|&;<>`\\\n]/.test(line)) return undefined;
  if (/["']/.test(line.replace(/"[^"]*"|'[^']*'/g, ''))) return undefined;
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map(word => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The words of a command: as they are listed, or those of the command line that one text is. */
export const commandWords = (command: readonly string[]): readonly string[] =>
  command.length === 1 ? (splitCommand(command[0]!) ?? command) : command;
