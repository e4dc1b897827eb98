import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Disk } from '../host/host.ts';
import { memoize } from '../text/memo.ts';
import { compareCodeUnits } from '../text/order.ts';
import { joinPath } from '../text/paths.ts';
import { excludedFolders, localPath } from '../text/places.ts';
import { ignoredByGit, pathsInGit } from './git/queries.ts';

/** A file or link of a project. */
export interface ProjectFile {
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly kind: 'file' | 'link';
}

/** The maximum number of files, because a repository is untrusted input. */
const limit = 100_000;

/**
 * Lists the files and links below a folder, sorted by path: tracked files, and untracked ones that are not ignored.
 * Without Git, `.gitignore` files are applied. Nested repositories are included; folders of packages and of version
 * control are not.
 */
export function listProjectFiles(root: string, disk: Disk): readonly ProjectFile[] {
  const isIgnored = ignoreRules(root, disk);
  const tracked = isInRepository(root, disk) ? pathsInGit(root) : undefined;
  if (!tracked) return walk(root, disk, isIgnored);
  const found: ProjectFile[] = [];
  for (const path of tracked) {
    if (found.length >= limit) break;
    if (path.split('/').some(name => excludedFolders.has(name))) continue;
    const kind = disk.lstat(join(root, path))?.kind;
    // Git lists a nested repository as one path.
    if (kind === 'directory') found.push(...walk(root, disk, isIgnored, path));
    else if (kind === 'file' || kind === 'link') found.push({ path, kind });
  }
  return found.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Whether a project may be compiled from a file, or a tool may read it. */
export const mayBeInstructions = (path: string): boolean =>
  /(?:^|\/)\.[^/]|\.(?:prs|md|mdc|markdown|ya?ml|jsonc?|toml)$/i.test(path);

/** Lists the files and links below a folder, including ignored ones, sorted by path. */
export const listAllFiles = (root: string, disk: Disk): readonly ProjectFile[] =>
  walk(root, disk, () => false);

function walk(root: string, disk: Disk, isIgnored: (path: string) => boolean, start = ''): ProjectFile[] {
  const found: ProjectFile[] = [];
  const search = (folder: string): void => {
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const path = joinPath(folder, name);
      if (excludedFolders.has(name) || found.length >= limit) continue;
      if (isIgnored(kind === 'directory' ? `${path}/` : path)) continue;
      if (kind === 'directory') search(path);
      else if (kind !== 'other') found.push({ path, kind });
    }
  };
  search(start);
  return found.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Sorted paths of the sources below a folder, including ignored private notes. */
export function listSources(root: string, disk: Disk): string[] {
  const listed = listProjectFiles(root, disk).flatMap(({ path, kind }) =>
    kind === 'file' && path.endsWith('.prs') && !path.includes('.instr/.state/') ? [path] : [],
  );
  const hasNotes = disk.lstat(join(root, localPath))?.kind === 'file';
  return [...new Set(hasNotes ? [...listed, localPath] : listed)].sort();
}

/** Whether the disk has a repository at or above a folder. */
export function isInRepository(root: string, disk: Disk): boolean {
  if (disk.lstat(join(root, '.git')) !== undefined) return true;
  const parent = dirname(root);
  return parent !== root && isInRepository(parent, disk);
}

/**
 * Returns a function that selects the ignored ones of some paths. Folders end with `/`. Without Git, `.gitignore` files
 * are applied.
 */
export function ignoredPaths(root: string, disk: Disk): (paths: readonly string[]) => ReadonlySet<string> {
  const isIgnored = ignoreRules(root, disk);
  return paths => ignoredByGit(root, paths) ?? new Set(paths.filter(isIgnored));
}

/**
 * Returns a function that applies the `.gitignore` files below `root` to a path. Folders end with `/`. The deepest file
 * that mentions a path decides, but an ignored folder excludes everything below it.
 */
export function ignoreRules(root: string, disk: Disk): (path: string) => boolean {
  const rulesOf = memoize((folder: string) => readRules(join(root, folder, '.gitignore'), disk));
  return path => {
    const parts = path.replace(/\/$/, '').split('/');
    for (let length = 1; length <= parts.length; length++) {
      const end = length < parts.length || path.endsWith('/') ? '/' : '';
      for (let depth = length - 1; depth >= 0; depth--) {
        const below = parts.slice(depth, length).join('/') + end;
        const { ignored, unignored } = rulesOf(parts.slice(0, depth).join('/')).test(below);
        if (ignored) return true;
        if (unignored) break;
      }
    }
    return false;
  };
}

const readRules = (path: string, disk: Disk): Ignore => {
  const bytes = disk.stat(path)?.kind === 'file' ? disk.readBytes(path) : undefined;
  return ignore({ ignorecase: false }).add(bytes ? new TextDecoder().decode(bytes) : '');
};
