import { escapeForTerminal } from './display.ts';

/**
 * Styles are marked by sequences that contain a random number of this process. Other text cannot contain it,
 * so that control sequences in that text can be told apart from the program's own styles when it is printed.
 */
const secret = String(Math.floor(Math.random() * 2 ** 50));

const marks = new RegExp(`\\x1b\\[${secret};(\\d+)m`, 'g');

/** Marks a text to be printed in a style. */
export type Paint = (text: string) => string;

/** A style, given the codes that turn it on and off. */
export const styleOf =
  (on: number, off: number): Paint =>
  text =>
    text === '' ? '' : `\x1b[${secret};${on}m${text}\x1b[${secret};${off}m`;

/** Replaces control and hidden characters of a text by their names; styles are kept. */
export const escapeText = (text: string): string =>
  text
    .split(marks)
    .map((piece, at) => (at % 2 === 0 ? escapeForTerminal(piece) : `\x1b[${secret};${piece}m`))
    .join('');

/** Converts the styles of a text to terminal codes, or removes them. */
export const renderStyles = (text: string, colors: boolean): string =>
  text.replace(marks, colors ? '\x1b[$1m' : '');

/** The terminal codes that styles of this program use. */
const codes = /\x1b\[(1|2|22|31|32|33|34|36|39)m/g;

/** The inverse of `renderStyles`, for the recorded output of an earlier run. */
export const markStyles = (text: string): string => text.replace(codes, `\x1b[${secret};$1m`);

/** The length of a line without its styles. */
export const columnsOf = (text: string): number => text.replace(/\x1b\[[\d;]*m/g, '').length;
