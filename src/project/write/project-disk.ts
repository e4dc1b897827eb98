import { basename, dirname, join, resolve } from 'node:path';
import { type Disk, HostError, type WritableDisk } from '../../host/host.ts';
import { pathBelow } from '../../host/relative-path.ts';
import { isGitName, isInGit } from '../../text/git-name.ts';
import { memoize } from '../../text/memo.ts';

declare const guarded: unique symbol;

/** A disk that only writes inside the project and outside Git folders. */
export interface ProjectDisk extends WritableDisk {
  readonly [guarded]: true;
  /** Throws `HostError` for a path that must not be written. */
  admit(path: string): void;
}

/** The state folder, relative to the root; no links are followed in it. */
export const statePath = '.instr/.state';

/** Checks paths before a write operation; see `projectDisk`. */
function pathGuard(disk: WritableDisk, root: string) {
  const realRoot = disk.realpath(root) ?? root;
  /** The path relative to the root; `undefined` outside the project. */
  const below = (path: string): string | undefined => pathBelow(realRoot, path) ?? pathBelow(root, path);

  const refused = (path: string, reason: string) =>
    new HostError(`${path} is refused: ${reason}.`, path, 'EREFUSED');

  /** Real paths of checked folders; cleared before operations that may change them. */
  const passed = new Map<string, string>();

  /**
   * Returns the real path of a folder, existing or not, after checking it and the folders above it. `path` is the path
   * to write.
   */
  const checkFolder = (folder: string, path: string): string => {
    const known = passed.get(folder);
    if (known !== undefined) return known;
    const wanted = below(folder);
    if (wanted === undefined) throw refused(path, 'it is outside the project');
    const named = wanted === '' ? realRoot : join(checkFolder(dirname(folder), path), basename(folder));
    const exists = disk.lstat(named) !== undefined;
    const place = exists ? disk.realpath(named) : named;
    if (place === undefined) throw refused(path, 'a symbolic link on the way to it leads nowhere');
    const names = below(place);
    if (names === undefined) throw refused(path, 'a symbolic link leads out of the project');
    if (isBelowState(wanted) && names !== wanted)
      throw refused(path, 'there must be no symbolic link on the way to state of prs');
    const git = exists ? gitFolders(place) : gitFolders(dirname(place));
    if (isInGit(names) || git.some(one => pathBelow(one, place) !== undefined))
      throw refused(path, 'Git keeps itself there');
    if (exists) passed.set(folder, place);
    return place;
  };

  /** Git folders named by `.git` files in a folder or above it. */
  const gitFolders = memoize((folder: string): readonly string[] => {
    const above = dirname(folder);
    const linked = Object.values(linkedGitFolders(folder, disk) ?? {});
    const inherited = above === folder ? [] : gitFolders(above);
    return [...inherited, ...linked.map(path => disk.realpath(path) ?? path)];
  });

  const admit = (path: string): void => {
    checkFolder(dirname(path), path);
    if (isGitName(basename(path))) throw refused(path, 'Git keeps itself there');
  };
  /** Checks a path for operations that would follow a link. */
  const admitFile = (path: string): void => {
    admit(path);
    const kind = disk.lstat(path)?.kind ?? 'file';
    if (kind !== 'file')
      throw refused(path, kind === 'link' ? 'it is a symbolic link' : 'it is no regular file');
  };
  return { below, passed, checkFolder, admit, admitFile };
}

/**
 * Guards the write operations of a disk. Each operation resolves the real path first: it must be in the project, not in
 * a Git folder, and without links below `.instr/.state`. Otherwise a `HostError` is thrown and nothing is done.
 */
export function projectDisk(disk: WritableDisk, root: string): ProjectDisk {
  const { below, passed, checkFolder, admit, admitFile } = pathGuard(disk, root);
  return {
    readBytes: path => disk.readBytes(path),
    stat: path => disk.stat(path),
    lstat: path => disk.lstat(path),
    list: path => disk.list(path),
    realpath: path => disk.realpath(path),
    readLink: path => disk.readLink(path),
    admit,
    makeDirectory(path) {
      const place = checkFolder(path, path);
      disk.makeDirectory(path);
      // Folders that were made here are no links.
      for (let at = path, real = place; below(at) !== undefined && !passed.has(at); at = dirname(at)) {
        passed.set(at, real);
        real = dirname(real);
      }
    },
    writeBytes(path, bytes, options) {
      if (options?.exclusive) admit(path);
      else admitFile(path);
      disk.writeBytes(path, bytes, options);
    },
    sync(path) {
      admitFile(path);
      return disk.sync(path);
    },
    rename(from, to) {
      admit(from);
      admit(to);
      if (passed.has(from)) passed.clear();
      disk.rename(from, to);
    },
    makeLink(target, path) {
      admit(path);
      const folder = disk.realpath(dirname(path)) ?? dirname(path);
      admit(resolve(folder, target));
      passed.clear();
      disk.makeLink(target, path);
    },
    setMode(path, mode) {
      admitFile(path);
      disk.setMode(path, mode);
    },
    removeFile(path) {
      if (!disk.lstat(path)) return false;
      admit(path);
      return disk.removeFile(path);
    },
    removeEmptyDirectory(path) {
      if (!disk.lstat(path)) return false;
      admit(path);
      passed.clear();
      return disk.removeEmptyDirectory(path);
    },
    removeTree(path) {
      if (!disk.lstat(path)) return;
      admit(path);
      passed.clear();
      disk.removeTree(path);
    },
  } as ProjectDisk;
}

const isBelowState = (path: string): boolean => path === statePath || path.startsWith(`${statePath}/`);

/** The Git folders that the `.git` file of a folder names: that of the worktree, and the shared one. */
export function linkedGitFolders(
  folder: string,
  disk: Disk,
): { readonly worktree: string; readonly shared: string } | undefined {
  const pointer = join(folder, '.git');
  const named = disk.lstat(pointer)?.kind === 'file' && lineOf(pointer, disk)?.match(/^gitdir: (.+)$/)?.[1];
  if (!named) return undefined;
  const worktree = resolve(folder, named);
  const shared = lineOf(join(worktree, 'commondir'), disk);
  return { worktree, shared: shared === undefined ? worktree : resolve(worktree, shared) };
}

function lineOf(path: string, disk: Disk): string | undefined {
  const found = disk.stat(path);
  if (found?.kind !== 'file' || found.size > 1 << 16) return undefined;
  return new TextDecoder().decode(disk.readBytes(path)).trimEnd();
}
