import { dirname, join, resolve } from 'node:path';
import { commonGitFolder, hooksPathScope, pathInGit, topOfRepository } from '../../host/git.ts';
import { type Disk, HostError } from '../../host/host.ts';
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
