/**
 * Whether a text has only ASCII characters. Most names do, and the tables behind `\p{L}` take V8 longer to build than
 * a small program takes to compile: patterns for all letters are kept for names that need them.
 */
export const isAscii = (text: string): boolean => ascii.test(text);

/** A pattern in a function is an object for each call. */
const ascii = /^[\0-\x7f]*$/;
