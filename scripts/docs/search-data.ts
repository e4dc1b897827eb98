/** The search index of the site: the sections of all pages. */

/** A section of a page: its URL, title and text. */
export interface Part {
  readonly url: string;
  readonly title: string;
  /** Title of the page. */
  readonly page: string;
  readonly text: string;
}

/** A page with its URL and content. */
interface Page {
  readonly url: string;
  readonly title: string;
  readonly html: string;
}

/** Start of a section: a heading or a diagnostic with an id. */
const start = /<(?:h[1-4]|details)\b[^>]*\bid="([^"]*)"[^>]*>([\s\S]*?)<\/(?:h[1-4]|summary)>/g;

/** The sections of a page in order. Text before the first heading is a section with the title of the page. */
export function partsOfPage({ url, title, html }: Page): Part[] {
  const found = [...html.matchAll(start)];
  const before = wordsOf(html.slice(0, found[0]?.index ?? html.length));
  const parts = found.map(
    ({ index, 0: { length }, 1: name, 2: heading }, at): Part => ({
      url: `${url}#${name}`,
      title: wordsOf(heading!),
      page: title,
      text: wordsOf(html.slice(index + length, found[at + 1]?.index ?? html.length)),
    }),
  );
  return before === '' && parts.length > 0 ? parts : [{ url, title, page: title, text: before }, ...parts];
}

/** A script with all sections. It is not a JSON file, because pages opened from disk cannot load data. */
export const searchData = (parts: readonly Part[]): string => `self.siteParts = ${JSON.stringify(parts)};\n`;

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
};

const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|amp|quot);/g, one => characters[one]!)
    .replace(/\s+/g, ' ')
    .trim();
