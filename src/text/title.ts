/** Words whose usual spelling is not just capitalized. */
const spellings: ReadonlyMap<string, string> = new Map(
  `API APIs CI CD CLI CSS DB ESLint GraphQL HTML HTTP IDE IDs iOS JavaScript JSON LLM macOS MCP npm OAuth
   PR PRs README REST SDK SEO SQL SSR TDD TypeScript UI URL UX XML YAML`
    .split(/\s+/)
    .map(word => [word.toLowerCase(), word]),
);

/** Splits an identifier such as `syntax-highlighting`, `maxSubjectLength` or `code_style` into words. */
export function wordsOf(identifier: string): string[] {
  const apart =
    identifier === identifier.toLowerCase()
      ? identifier
      : identifier.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return apart.split(/[\s_-]+/).filter(word => word !== '');
}

const isIdentifier = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** The words of a key in their usual spelling, or else as `spell` says. A key that is no identifier is worded already. */
function inWords(key: string, spell: (word: string, index: number) => string): string {
  if (!isIdentifier.test(key)) return key;
  return wordsOf(key)
    .map((word, index) => spellings.get(word.toLowerCase()) ?? spell(word, index))
    .join(' ');
}

const capitalized = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** Makes a heading from a key: `graph-first` becomes `Graph First`. */
export const titleOf = (key: string): string => inWords(key, capitalized);

/** Makes a label from a key: `packageManager` becomes `Package manager`. */
export const labelOf = (key: string): string =>
  inWords(key, (word, index) =>
    index === 0 || /^[A-Z]{2,}$/.test(word) ? capitalized(word) : word.toLowerCase(),
  );

/**
 * Makes an identifier from a heading or label: `Graph First` becomes `graph-first`. Empty when it has no
 * letters.
 */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  return wordsOf(words.trim()).join('-').toLowerCase();
}
