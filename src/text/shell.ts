import {
  hasReference,
  markReference,
  type Reference,
  splitReferences,
  writeReferences,
} from './variables.ts';

/** A word that needs no quotes in a POSIX shell, in PowerShell and for people. */
const plain = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** A text as one word of a POSIX shell, in which nothing but references to variables is expanded. */
export const posixWord = (word: string): string => {
  if (plain.test(word)) return word;
  if (!hasReference(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const quoted = (text: string) => text.replace(/["$`\\]/g, '\\$&');
  const variable = ({ name, fallback }: Reference) =>
    fallback === undefined ? `\${${name}}` : `\${${name}:-${quoted(fallback).replaceAll('}', '\\}')}}`;
  return `"${writeReferences(word, variable, quoted)}"`;
};

/** An argument list as one POSIX shell command; every argument stays one argument, and only references are expanded. */
export function posixCommand(argv: readonly string[]): string {
  return argv.map(posixWord).join(' ');
}

/**
 * A text as one word of a line that the shell of the system runs; references to variables stay marked. Between double
 * quotes POSIX shells and that of Windows read the same; what only a POSIX shell can be told is written for it.
 */
export function lineWord(word: string): string {
  if (plain.test(word)) return word;
  if (hasReference(word))
    return `"${writeReferences(word, markReference, text => text.replace(/["$`\\]/g, '\\$&'))}"`;
  return /["$`\n]|\\[\\}\n]|\\$|^$/.test(word) ? posixWord(word) : `"${word}"`;
}

/** The text that `lineWord` made a word of, or the word as it is. */
export function fromLineWord(word: string): string {
  if (/^"[^"$`]+"$/.test(word)) return word.slice(1, -1);
  return /^'(?:[^']|'\\'')*'$/.test(word) ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

/** The same for PowerShell; the call operator makes a quoted program run. */
export function powershellCommand(argv: readonly string[]): string {
  const words = argv.map(powershellWord);
  return /^['"]/.test(words[0] ?? '') ? `& ${words.join(' ')}` : words.join(' ');
}

function powershellWord(word: string): string {
  if (plain.test(word) && !word.startsWith('@')) return word;
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  if (!hasReference(word)) return literal(word);
  const variable = ({ name, fallback }: Reference) =>
    fallback === undefined
      ? `\${env:${name}}`
      : `$(if (\${env:${name}}) { \${env:${name}} } else { ${literal(fallback)} })`;
  return `"${writeReferences(word, variable, text => text.replace(/["$`]/g, '`$&'))}"`;
}

/** Folders of programs whose names hold blanks. */
const blankNames = /^(?:[A-Za-z]:[\\/]|\/Applications\/|\/Library\/|~\/Library\/)/;

/**
 * A command line in one text as an argument list. `undefined` where it is one word, the path of a program with blanks
 * in it, or something that only a shell understands.
 */
export function splitCommand(text: string): string[] | undefined {
  const line = text.trim();
  if (splitReferences(line).some(part => typeof part === 'object' && /[\s"']/.test(part.fallback ?? '')))
    return undefined;
  if (!/\s/.test(line) || blankNames.test(line) || /[|&;<>`\\\n]/.test(line)) return undefined;
  if (/["']/.test(line.replace(/"[^"]*"|'[^']*'/g, ''))) return undefined;
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map(word => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The words of a command: as they are listed, or those of the command line that one text is. */
export const commandWords = (command: readonly string[]): readonly string[] =>
  command.length === 1 ? (splitCommand(command[0]!) ?? command) : command;
