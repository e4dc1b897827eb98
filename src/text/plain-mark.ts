/** Marks a file without front matter whose text begins like front matter. It is written above the text. */
export const plainMark = '<!-- no front matter -->';

/** The text without the mark. */
export const withoutPlainMark = (text: string): string =>
  text.startsWith(`${plainMark}\n\n`) ? text.slice(plainMark.length + 2) : text;
