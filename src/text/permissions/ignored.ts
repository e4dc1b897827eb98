/**
 * The globs from the root of the project that a pattern of a `.gitignore` stands for: a name counts in every folder, a path from
 * the root, and what a folder holds with it. Nothing for a pattern that takes a file out again.
 */
export function ignoredGlobs(pattern: string): readonly string[] {
  const text = pattern.replace(/\s+$/, '').replace(/^\\(?=[!#])/, '');
  if (pattern.startsWith('!') || text === '' || text === '/') return [];
  const isFolder = text.endsWith('/');
  const body = text.replace(/^\/+|\/+$/g, '');
  const isRooted = text.replace(/\/+$/, '').includes('/');
  const glob = isRooted || body.startsWith('**/') ? body : `**/${body}`;
  if (glob.endsWith('/**') || glob === '**') return [glob];
  return isFolder ? [`${glob}/**`] : [glob, `${glob}/**`];
}

/**
 * The way back: the patterns that stand for exactly these globs, and the globs that no pattern stands for without others.
 */
export function ignorePatterns(globs: readonly string[]): {
  readonly patterns: readonly string[];
  readonly others: readonly string[];
} {
  const given = new Set(globs);
  const said = new Set<string>();
  const patterns: string[] = [];
  for (const glob of given) {
    if (said.has(glob)) continue;
    const body = glob.replace(/\/\*\*$/, '');
    const name = body.startsWith('**/') ? body.slice('**/'.length) : undefined;
    const pattern = name === undefined ? `/${body}` : name.includes('/') ? body : name;
    const found = [pattern, `${pattern}/`].find(one => {
      const stands = ignoredGlobs(one);
      return stands.includes(glob) && stands.every(other => given.has(other));
    });
    if (found === undefined) continue;
    patterns.push(found);
    for (const one of ignoredGlobs(found)) said.add(one);
  }
  return { patterns, others: [...given].filter(glob => !said.has(glob)) };
}
