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
