import { dirname, join, relative, resolve, sep } from 'node:path';
import { commonGitFolder, hooksPathScope, pathInGit, topOfRepository } from '../../host/git.ts';
import { type Disk, HostError, readTextAt, type WritableDisk } from '../../host/host.ts';
import { pathBelow } from '../open/root.ts';

/** A repository whose own lists and hooks may be written. */
export interface GitPlaces {
  readonly top: string;
  /** The list `info/<name>`. Throws `HostError` where it is a link, or lies behind one. */
  list(name: 'attributes' | 'exclude'): string;
  /** The folder of hooks. Throws `HostError` where the repository itself has it outside. */
  hooks(): string;
}

/**
 * The places in the repository around `root`; `undefined`: there is none. A `.git` folder can come from an archive: its
 * links and its settings lead to no place outside of the repository.
 */
export function gitPlaces(root: string, disk: Disk): GitPlaces | undefined {
  const top = topOfRepository(root);
  const found = top === undefined ? undefined : commonGitFolder(root);
  if (top === undefined || found === undefined) return undefined;
  const common = disk.realpath(found) ?? found;
  return {
    top,
    list(name) {
      const path = pathInGit(root, `info/${name}`) ?? join(common, 'info', name);
      requireInside(path, realFolder(dirname(path), disk), [common]);
      if ((disk.lstat(path)?.kind ?? 'file') !== 'file') throw refused(path, 'it is no regular file');
      return path;
    },
    hooks() {
      const path = pathInGit(root, 'hooks') ?? join(common, 'hooks');
      const isOfRepository = /^(?:local|worktree|)$/.test(hooksPathScope(root));
      const realTop = folderWithGit(disk.realpath(root) ?? root, disk);
      if (isOfRepository) requireInside(path, realFolder(path, disk), [common, realTop]);
      return path;
    },
  };
}

const refused = (path: string, reason: string) =>
  new HostError(
    `${path} is refused: ${reason}. Look at what is there, and remove it if it is not yours.`,
    path,
    'EREFUSED',
  );

function requireInside(path: string, real: string, folders: readonly string[]): void {
  if (folders.some(folder => real === folder || pathBelow(folder, real) !== undefined)) return;
  throw refused(path, `it lies in ${real}, outside of the repository`);
}

/** Where a folder really is, or would be made. */
function realFolder(folder: string, disk: Disk): string {
  let there = folder;
  while (!disk.lstat(there) && dirname(there) !== there) there = dirname(there);
  return resolve(disk.realpath(there) ?? there, folder.slice(there.length).replace(/^[/\\]/, ''));
}

/** The folder with the `.git` that is nearest: settings such as `core.worktree` do not change it. */
function folderWithGit(start: string, disk: Disk): string {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
    if (disk.lstat(join(folder, '.git'))) return folder;
  return start;
}

export interface Marks {
  readonly start: string;
  readonly end: string;
}

/** Writes our lines in a file of Git; without any, the part is removed. Everything else stays. */
export function writeBlock(
  path: string,
  { start, end }: Marks,
  lines: readonly string[],
  disk: WritableDisk,
): void {
  const text = readTextAt(disk, path) ?? '';
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  const before = from === -1 ? text : text.slice(0, from);
  const behind = from === -1 || to === -1 ? '' : text.slice(to + end.length).replace(/^\n/, '');
  const own = lines.length > 0 ? `${[start, ...lines, end].join('\n')}\n` : '';
  const next = `${before}${before && !before.endsWith('\n') ? '\n' : ''}${own}${behind}`;
  if (next === text) return;
  disk.makeDirectory(dirname(path));
  disk.writeBytes(path, new TextEncoder().encode(next));
}

const below = (top: string, path: string): string => relative(top, path).split(sep).join('/');

/**
 * A project, as lists and hooks of its repository name it. They are read line by line, and a shell runs hooks: a name that
 * ends a line throws `HostError`.
 */
export function placeOf(root: string, top: string): string {
  const place = below(top, root) || '.';
  if (/[\u0000-\u001f\u007f]/.test(place))
    throw new HostError(
      `${root} has a name with control characters, which lists and hooks of Git cannot hold. Rename the folder.`,
      root,
      'EREFUSED',
    );
  return place;
}

/** A pattern that matches one file below `root` and nothing else, for a list at the top of a repository. */
export const gitPattern = (root: string, top: string, path: string): string =>
  `/${below(top, join(root, path))}`.replace(/[\\*?[\]]/g, '\\$&');

/** A pattern as a list of attributes has it. */
export const quotedPattern = (pattern: string): string =>
  /[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern;
