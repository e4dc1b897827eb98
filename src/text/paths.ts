/**
 * Whether a relative path leaves its base directory: it is absolute, starts with a home directory or a drive,
 * or climbs above the base. Backslashes count as separators, as on Windows. Symlinks are not resolved; the
 * code that writes checks those.
 */
export function leavesRoot(path: string): boolean {
  if (/^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:)/.test(path) || path.includes('\0')) return true;
  return joinSegments(path.split(/[/\\]/)).climbs;
}

/**
 * Normalizes a relative path: `./a/../b/` becomes `b`, and `.` becomes the empty path. Backslashes count as
 * separators.
 */
export const normalizePath = (path: string): string =>
  isOrdinary.test(path) ? path : joinSegments(path.split(/[/\\]/)).path;

/** Fast check for paths that are already normalized, which most are: names of letters, digits and dashes. */
const isOrdinary = /^\.?[\w-][\w.-]*(?:\/\.?[\w-][\w.-]*)*$/;

/**
 * Normalizes a path below the root of a file tree by removing `.` and empty segments. Returns `undefined`
 * when the path leaves the root or has another meaning on another system (backslash, NUL).
 */
export function normalizeInnerPath(path: string): string | undefined {
  if (isPlain.test(path)) return path;
  if (/[\\\0]/.test(path)) return undefined;
  const { climbs, path: inner } = joinSegments(path.split('/'));
  return climbs ? undefined : inner;
}

/** A path without `.`, empty segments, or characters with another meaning on another system. */
const isPlain = /^(?!\.\.?(?:\/|$))[^\\\0/]+(?:\/(?!\.\.?(?:\/|$))[^\\\0/]+)*$/;

/**
 * Resolves a relative symlink against the directory that contains it; `undefined` when it leaves the tree.
 */
export function resolveLink(directory: string, target: string): string | undefined {
  if (target.startsWith('/') || /^[a-z]:/i.test(target)) return undefined;
  return normalizeInnerPath(directory === '' ? target : `${directory}/${target}`);
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

/** The folder of a path; empty in the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A name in a folder; an empty folder is the root. */
export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** A file name made from any text, in small letters; `otherwise` when nothing of the text can be used. */
export const fileStem = (text: string, otherwise: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '') || otherwise;

/**
 * The name of an item from its path: `review` for `a/review.agent.md`, and the folder name for files such as
 * `SKILL.md`.
 */
export function baseName(path: string): string {
  const parts = path.split('/');
  const file = parts.at(-1)!;
  const stem = file.replace(/^(\.?[^.]+)\..*$/, '$1').replace(/^\./, '');
  const folder = parts.at(-2);
  return /^(?:SKILL|AGENT|agent)$/.test(stem) && folder !== undefined ? folder : stem;
}
