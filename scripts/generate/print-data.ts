/**
 * An expression for a constant JSON value that every run needs. V8 parses a JSON text faster than it creates the same value
 * from literals, even with a code cache, which stores each key and each object separately.
 */
export const printData = (value: unknown): string =>
  `/* @__PURE__ */ JSON.parse(${JSON.stringify(printAscii(value))})`;

/** A value as ASCII-only JSON. With other characters, V8 could store the whole text with two bytes per character. */
export const printAscii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
