import { printable } from './display.ts';

/**
 * Styles are marked by sequences that hold a random number of this process. Text of others cannot contain it, so that its
 * control sequences are told apart from the program's own styles when a text is printed.
 */
const secret = String(Math.floor(Math.random() * 2 ** 50));

const marks = new RegExp(`\\x1b\\[${secret};(\\d+)m`, 'g');

/** Marks a text to be printed in a style. */
export type Paint = (text: string) => string;

/** A style by the codes that turn it on and off. */
export const styleOf =
  (on: number, off: number): Paint =>
  text =>
    text === '' ? '' : `\x1b[${secret};${on}m${text}\x1b[${secret};${off}m`;

/** Shows control and hidden characters of a text by name, and keeps its styles. */
export const escapeText = (text: string): string =>
  text
    .split(marks)
    .map((piece, at) => (at % 2 === 0 ? printable(piece) : `\x1b[${secret};${piece}m`))
    .join('');

/** Turns the styles of a text into codes of the terminal, or drops them. */
export const renderStyles = (text: string, colors: boolean): string =>
  text.replace(marks, colors ? '\x1b[$1m' : '');

/** The codes that styles of this program consist of. */
const codes = /\x1b\[(1|2|22|31|32|33|34|36|39)m/g;

/** The opposite of `renderStyles`: the text of an earlier run with its styles marked. */
export const markStyles = (text: string): string => text.replace(codes, `\x1b[${secret};$1m`);

/** The columns of a line without its styles. */
export const columnsOf = (text: string): number => text.replace(/\x1b\[[\d;]*m/g, '').length;
