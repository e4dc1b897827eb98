/**
 * Whether a text has only ASCII characters. Most names do. V8 needs longer to build the tables behind `\p{L}`
 * than to compile a small program, so patterns for all letters are used only for names that need them.
 */
export const isAscii = (text: string): boolean => ascii.test(text);

/** A literal inside the function would create a new object on every call. */
const ascii = /^[\0-\x7f]*$/;
