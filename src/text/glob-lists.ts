/** Splits a comma-separated text into patterns, as rule files of tools write them. */
export function splitGlobs(text: string): string[] {
  // A comma within braces belongs to the pattern: `*.{ts,tsx}`.
  const parts = text.includes(',') ? (text.match(/(?:[^,{}]|\{[^{}]*\}|[{}])+/g) ?? []) : [text];
  return parts.map(part => part.trim()).filter(part => part !== '');
}

/** The deepest common folder of all globs; `undefined` for the root. Negated globs are ignored. */
export function commonFolder(all: readonly string[]): string | undefined {
  const globs = all.filter(glob => !glob.startsWith('!'));
  const folders = globs.map(glob => {
    const parts = glob.replace(/^\.?\//, '').split('/');
    const magic = parts.findIndex(part => /[*?[\]{}!()]/.test(part));
    return parts.slice(0, magic === -1 ? parts.length - 1 : magic);
  });
  const [first] = folders;
  if (!first) return undefined;
  const length = first.findIndex((part, at) => folders.some(other => other[at] !== part));
  const common = first.slice(0, length === -1 ? first.length : length);
  return common.length === 0 || common.includes('..') ? undefined : common.join('/');
}
