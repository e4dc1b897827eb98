import { join } from 'node:path';
import type { UserFolders } from '../../host/home.ts';
import type { DirEntry, WritableDisk } from '../../host/host.ts';
import { pathBelow, relativePath, withForwardSlashes } from '../../host/relative-path.ts';
import { configNames, localConfigPath } from '../../text/places.ts';

const configFiles = [...configNames, 'instr.lock', localConfigPath];
const stateFiles = ['.instr/manifest.json', '.instr/.state'];

/**
 * A disk on which the home folder is a project. Its configuration and sources are in the user's configuration
 * folder, its manifest and state in the state folder, and all other files where they are.
 */
export function userDisk(disk: WritableDisk, folders: UserFolders): WritableDisk {
  const real = (path: string): string => realPath(path, folders);
  return {
    readBytes: path => disk.readBytes(real(path)),
    stat: path => disk.stat(real(path)),
    lstat: path => disk.lstat(real(path)),
    list: path => disk.list(real(path)),
    // Mapped paths appear to lie in the home folder.
    realpath: path => (real(path) === path ? disk.realpath(path) : disk.stat(real(path)) && path),
    readLink: path => disk.readLink(real(path)),
    makeDirectory: path => disk.makeDirectory(real(path)),
    writeBytes: (path, bytes, options) => disk.writeBytes(real(path), bytes, options),
    sync: path => disk.sync(real(path)),
    rename: (from, to) => disk.rename(real(from), real(to)),
    makeLink: (target, path) => disk.makeLink(target, real(path)),
    setMode: (path, mode) => disk.setMode(real(path), mode),
    removeFile: path => disk.removeFile(real(path)),
    removeEmptyDirectory: path => disk.removeEmptyDirectory(real(path)),
    removeTree: path => disk.removeTree(real(path)),
  };
}

/** The same disk for finding sources: it shows nothing else of the home folder. */
export function userSources(disk: WritableDisk, { root: home }: UserFolders): WritableDisk {
  const shown = (): DirEntry[] =>
    ['.instr', ...configFiles].flatMap((name): DirEntry[] => {
      const kind = disk.lstat(join(home, name))?.kind;
      return kind ? [{ name, kind: name === '.instr' ? 'directory' : kind }] : [];
    });
  return { ...disk, list: path => (path === home ? shown() : disk.list(path)) };
}

function realPath(path: string, { root: home, config, state }: UserFolders): string {
  const below = relativePath(home, path);
  if (configFiles.includes(below)) return join(config, below);
  if (below === '.instr') return config;
  if (!below.startsWith('.instr/')) return path;
  const isState = stateFiles.some(name => below === name || below.startsWith(`${name}/`));
  return join(isState ? state : config, below.slice('.instr/'.length));
}

/** The real path of a file of that project for messages: `.instr/x` is `x` in the configuration folder. */
export function displayPath(path: string, folders: UserFolders): string {
  const real = realPath(join(folders.root, path), folders);
  const below = pathBelow(folders.root, real);
  return below === undefined ? withForwardSlashes(real) : `~/${below}`;
}
