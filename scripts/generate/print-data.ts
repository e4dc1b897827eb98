/**
 * An expression for a value of JSON, for what every run needs and nothing changes. V8 reads a text faster than it makes the
 * same of literals, also when it has kept what it compiled, which holds each key and each object by itself.
 */
export const printData = (value: unknown): string =>
  `/* @__PURE__ */ JSON.parse(${JSON.stringify(printAscii(value))})`;

/** A value as JSON without characters that take two bytes: V8 would hold the whole text in two for each then. */
export const printAscii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
