/** What the search of the site looks through: every part of every page, by its heading. */

/** A part of a page: where it is, what it is called, and its words. */
export interface Part {
  readonly url: string;
  readonly title: string;
  /** The page that it is in. */
  readonly page: string;
  readonly text: string;
}

/** A page with its address and its content. */
interface Page {
  readonly url: string;
  readonly title: string;
  readonly html: string;
}

/** Where a part begins: a heading or a finding with a name that links lead to. */
const start = /<(?:h[1-4]|details)\b[^>]*\bid="([^"]*)"[^>]*>([\s\S]*?)<\/(?:h[1-4]|summary)>/g;

/** The parts of a page in its order; what stands before the first heading belongs to the page. */
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

/** The program that has all parts at hand: a page that is a file may load no data. */
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
