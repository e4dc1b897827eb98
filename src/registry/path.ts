/**
 * Joins a path below the root of a tree from its parts, without `.` and empty segments. `undefined` when it would
 * leave the root or means something else on another system (backslash, NUL).
 */
export function innerPath(path: string): string | undefined {
  if (isPlain.test(path)) return path;
  const result: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (result.length === 0) return undefined;
      result.pop();
    } else if (/[\\\u0000]/.test(segment)) return undefined;
    else result.push(segment);
  }
  return result.join('/');
}

/** Nothing to leave out, and nothing that means something else elsewhere. */
const isPlain = /^(?!\.)[^\\\0/]+(?:\/(?!\.)[^\\\0/]+)*$/;

/** Where a relative link leads from the directory that holds it; `undefined` when it is out of the tree. */
export function linkTarget(directory: string, target: string): string | undefined {
  if (target.startsWith('/') || /^[a-z]:/i.test(target)) return undefined;
  return innerPath(directory === '' ? target : `${directory}/${target}`);
}
