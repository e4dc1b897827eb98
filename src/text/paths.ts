/**
 * Whether a path that should be relative leads out of the directory it is relative to: it is absolute, starts at
 * a home directory or a drive, or climbs above its start. Backslashes count as separators, as they do on Windows.
 * Links are not seen here; whoever writes checks those.
 */
export function leavesRoot(path: string): boolean {
  if (/^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:)/.test(path) || path.includes('\0')) return true;
  return joinSegments(path.split(/[/\\]/)).climbs;
}

/** `./a/../b/` is `b`, and `.` is the start itself, which is empty. Backslashes count as separators. */
export const plainPath = (path: string): string =>
  isOrdinary.test(path) ? path : joinSegments(path.split(/[/\\]/)).path;

/** Names of letters, digits and dashes, which may begin with a dot: nearly all paths are plain at first sight. */
const isOrdinary = /^\.?[\w-][\w.-]*(?:\/\.?[\w-][\w.-]*)*$/;

/**
 * A path below the root of a tree of files, without `.` and empty segments. `undefined` when it would leave the root
 * or means something else on another system (backslash, NUL).
 */
export function innerPath(path: string): string | undefined {
  if (isPlain.test(path)) return path;
  if (/[\\\0]/.test(path)) return undefined;
  const { climbs, path: inner } = joinSegments(path.split('/'));
  return climbs ? undefined : inner;
}

/** A path without `.`, empty segments, or characters that other systems read otherwise. */
const isPlain = /^(?!\.\.?(?:\/|$))[^\\\0/]+(?:\/(?!\.\.?(?:\/|$))[^\\\0/]+)*$/;

/** Where a relative link leads from the directory that holds it; `undefined` when it is out of the tree. */
export function linkTarget(directory: string, target: string): string | undefined {
  if (target.startsWith('/') || /^[a-z]:/i.test(target)) return undefined;
  return innerPath(directory === '' ? target : `${directory}/${target}`);
}

function joinSegments(segments: readonly string[]): { readonly path: string; readonly climbs: boolean } {
  const parts: string[] = [];
  let climbs = false;
  for (const segment of segments) {
    if (segment === '..') climbs = parts.pop() === undefined || climbs;
    else if (segment !== '' && segment !== '.') parts.push(segment);
  }
  return { path: parts.join('/'), climbs };
}

/** `review` for `a/review.agent.md`; the folder for a file that every folder has. */
export function baseName(path: string): string {
  const parts = path.split('/');
  const file = parts.at(-1)!;
  const stem = file.replace(/^(\.?[^.]+)\..*$/, '$1').replace(/^\./, '');
  const folder = parts.at(-2);
  return /^(?:SKILL|AGENT|agent)$/.test(stem) && folder !== undefined ? folder : stem;
}
