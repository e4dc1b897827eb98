import {
  hasReference,
  markReference,
  type Reference,
  splitReferences,
  writeReferences,
} from './variables.ts';

/** A word that needs no quotes in a POSIX shell or in PowerShell. */
const plain = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** Quotes a text as one word of a POSIX shell. Only references to variables are expanded. */
export const posixWord = (word: string): string => {
  if (plain.test(word)) return word;
  if (!hasReference(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const quoted = (text: string) => text.replace(/["$`\\]/g, '\\$&');
  const variable = ({ name, fallback }: Reference) =>
    fallback === undefined ? `\${${name}}` : `\${${name}:-${quoted(fallback).replaceAll('}', '\\}')}}`;
  return `"${writeReferences(word, variable, quoted)}"`;
};

/**
 * Prints an argument list as a POSIX shell command. Every argument stays one argument, and only references
 * are expanded.
 */
export function posixCommand(argv: readonly string[]): string {
  return argv.map(posixWord).join(' ');
}

/**
 * Quotes a text as one word of a command line for the default shell of the system; references to variables
 * stay marked. POSIX shells and the shell of Windows agree on double quotes. Words that these cannot express
 * are quoted for POSIX shells only.
 */
export function lineWord(word: string): string {
  if (plain.test(word)) return word;
  if (hasReference(word))
    return `"${writeReferences(word, markReference, text => text.replace(/["$`\\]/g, '\\$&'))}"`;
  return /["$`\n]|\\[\\}\n]|\\$|^$/.test(word) ? posixWord(word) : `"${word}"`;
}

/** The inverse of `lineWord`; other words are returned unchanged. */
export function fromLineWord(word: string): string {
  if (/^"[^"$`]+"$/.test(word)) return word.slice(1, -1);
  return /^'(?:[^']|'\\'')*'$/.test(word) ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

/** Prints an argument list for PowerShell. The call operator is needed to run a quoted program. */
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

/** Common folders of programs whose paths contain blanks. */
const blankNames = /^(?:[A-Za-z]:[\\/]|\/Applications\/|\/Library\/|~\/Library\/)/;

/**
 * Splits a command line into an argument list. Returns `undefined` for one word, the path of a program with
 * blanks, and syntax that needs a shell.
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

/** The words of a command: the given list, or the words of a single command line. */
export const commandWords = (command: readonly string[]): readonly string[] =>
  command.length === 1 ? (splitCommand(command[0]!) ?? command) : command;
