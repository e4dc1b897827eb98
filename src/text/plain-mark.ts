/** Stands above a text that begins like front matter, in files that have none. */
export const plainMark = '<!-- no front matter -->';

/** The text without the mark. */
export const withoutPlainMark = (text: string): string =>
  text.startsWith(`${plainMark}\n\n`) ? text.slice(plainMark.length + 2) : text;
