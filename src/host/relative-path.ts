import { isAbsolute, relative, sep } from 'node:path';
import { isInGit } from '../text/git-name.ts';
import { leavesRoot } from '../text/paths.ts';

/** The path with `/` between its segments, as in sources and messages. */
export const withForwardSlashes = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

/** The path from a folder to a file, with `/` between its segments. */
export const relativePath = (from: string, to: string): string => withForwardSlashes(relative(from, to));

/** The `/`-separated path from a folder to a path in it, `''` for the folder itself; `undefined` outside. */
export function pathBelow(folder: string, path: string): string | undefined {
  const rest = relativePath(folder, path);
  // A folder may be named `~`.
  return isAbsolute(rest) || leavesRoot(`./${rest}`) ? undefined : rest;
}

/**
 * The path from the real root of a project or registry to a real path in it; `undefined` outside of it, and in Git
 * folders, which may contain credentials.
 */
export function placeInProject(realRoot: string, real: string): string | undefined {
  const place = pathBelow(realRoot, real);
  return place === undefined || isInGit(place) ? undefined : place;
}
