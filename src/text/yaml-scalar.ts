/** Words that one of the versions of YAML reads as something else than a text. */
const words = new Set(['true', 'false', 'yes', 'no', 'on', 'off', 'null', 'y', 'n', '~', '<<', '=']);

/** Numbers, dates and times of all versions, generously. */
const numbers =
  /^(?:[-+.]*(?:\d[\d_.,:e+-]*)?|[-+]?0[xob][\da-f_]*|[-+.\d_]*e[-+]?\d+|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?[t\s].*)$/i;

/** Signs that mean something to YAML at the beginning of a value; `-`, `?` and `:` do only before a blank. */
const starts = /^(?:[\s,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;

/** The end of a key, the beginning of a comment, and a blank that would be lost. */
const inside = /:(?:\s|$)|\s#|\s$/;

/** What does not print, or ends a line in some version of YAML, and halves of characters. */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Most texts: a letter, and then no sign that means something inside of a value. */
const simple = /^[A-Za-z][ -"$-9;-~]*[!"$-9;-~]$/;

const letterE = 0x65;

/** Whether a text says the same in every version of YAML when it stands without quotes behind a key or a dash. */
export function isPlainScalar(text: string): boolean {
  if (text.length <= 5 && words.has(text.toLowerCase())) return false;
  const isSimple = simple.test(text);
  // Numbers that begin with a letter begin with `e`.
  if (isSimple && (text.charCodeAt(0) | 32) !== letterE) return true;
  if (numbers.test(text)) return false;
  if (isSimple) return true;
  return text !== '' && !starts.test(text) && !inside.test(text) && !unprintable.test(text);
}

/** A text in double quotes, as JSON and every version of YAML read it. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
