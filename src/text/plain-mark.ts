/** Marks a file without front matter whose text begins like front matter. It is written above the text. */
export const noFrontMatterMark = '<!-- no front matter -->';

export const withoutNoFrontMatterMark = (text: string): string =>
  text.startsWith(`${noFrontMatterMark}\n\n`) ? text.slice(noFrontMatterMark.length + 2) : text;
