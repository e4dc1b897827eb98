/** Words that some version of YAML does not read as text. */
const words = new Set(['true', 'false', 'yes', 'no', 'on', 'off', 'null', 'y', 'n', '~', '<<', '=']);

/** Numbers, dates and times of all YAML versions; the pattern may match more than these. */
const numbers =
  /^(?:[-+.]*(?:\d[\d_.,:e+-]*)?|[-+]?0[xob][\da-f_]*|[-+.\d_]*e[-+]?\d+|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?[t\s].*)$/i;

/** Characters with a meaning in YAML at the beginning of a value; `-`, `?` and `:` only before a blank. */
const starts = /^(?:[\s,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;

/** The end of a key, the beginning of a comment, and a trailing blank, which YAML would drop. */
const inside = /:(?:\s|$)|\s#|\s$/;

/** Unprintable characters, line ends of any YAML version, and lone surrogates. */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Most texts: a letter, followed by no character that has a meaning inside a value. */
const simple = /^[A-Za-z][ -"$-9;-~]*[!"$-9;-~]$/;

const letterE = 0x65;

/** Whether an unquoted text after a key or a dash means the same in every version of YAML. */
export function isPlainScalar(text: string): boolean {
  if (text.length <= 5 && words.has(text.toLowerCase())) return false;
  const isSimple = simple.test(text);
  // The only numbers that begin with a letter begin with `e`.
  if (isSimple && (text.charCodeAt(0) | 32) !== letterE) return true;
  if (numbers.test(text)) return false;
  if (isSimple) return true;
  return text !== '' && !starts.test(text) && !inside.test(text) && !unprintable.test(text);
}

/** A text in double quotes, valid in JSON and in every version of YAML. */
export const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
