/** Words whose usual spelling differs from their first letter in upper case. */
const spellings: ReadonlyMap<string, string> = new Map(
  `API APIs CI CD CLI CSS DB ESLint GraphQL HTML HTTP IDE IDs iOS JavaScript JSON LLM macOS MCP npm OAuth
   PR PRs README REST SDK SEO SQL SSR TDD TypeScript UI URL UX XML YAML`
    .split(/\s+/)
    .map(word => [word.toLowerCase(), word]),
);

/** `syntax-highlighting`, `maxSubjectLength`, `code_style` to their words. */
export function wordsOf(identifier: string): string[] {
  const apart =
    identifier === identifier.toLowerCase()
      ? identifier
      : identifier.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return apart.split(/[\s_-]+/).filter(word => word !== '');
}

const isIdentifier = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** A heading from a key: `graph-first` to `Graph First`. A key that is no identifier was worded by the user and stays. */
export function titleOf(key: string): string {
  if (!isIdentifier.test(key)) return key;
  return wordsOf(key)
    .map(word => spellings.get(word.toLowerCase()) ?? word[0]!.toUpperCase() + word.slice(1))
    .join(' ');
}

/** A label from a key: `packageManager` to `Package manager`. */
export function labelOf(key: string): string {
  if (!isIdentifier.test(key)) return key;
  return wordsOf(key)
    .map((word, index) => {
      const spelling = spellings.get(word.toLowerCase());
      if (spelling) return spelling;
      if (/^[A-Z]{2,}$/.test(word)) return word;
      return index === 0 ? word[0]!.toUpperCase() + word.slice(1) : word.toLowerCase();
    })
    .join(' ');
}

/** The identifier a heading or label stands for: `Graph First` to `graph-first`. Empty when it has no letters. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  return wordsOf(words.trim()).join('-').toLowerCase();
}
