/**
 * Whether a text has only ASCII characters. Most names do, and the tables behind `\p{L}` take V8 longer to build than
 * a small program takes to compile: patterns for all letters are kept for names that need them.
 */
export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
