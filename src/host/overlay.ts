import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { type DirEntry, type Disk, HostError, type Stat, type WritableDisk } from './host.ts';
import { readMethods } from './intercept-reads.ts';

/** The node in memory that replaces a path of the underlying disk. */
type OverlayNode =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory' }
  | { readonly kind: 'nothing' };

const nothing: OverlayNode = { kind: 'nothing' };

/** The result of resolving a path. */
interface ResolvedPath {
  readonly key: string;
  /** Whether the path exists. */
  readonly exists: boolean;
  /** Whether the underlying disk is visible here, unless a node in memory replaces it. */
  readonly isTransparent: boolean;
}

/** A disk that keeps its changes in memory. */
export interface OverlayDisk extends WritableDisk {
  /** Drops all changes. */
  forget(): void;
}

/** The maximum number of symlinks in a chain, as in operating systems. */
const mostLinks = 40;

const statOf = (node: OverlayNode): Stat | undefined => {
  if (node.kind === 'nothing') return undefined;
  const mode = node.kind === 'file' ? node.mode : 0o755;
  const size = node.kind === 'file' ? node.bytes.length : 0;
  return { kind: node.kind, size, mode, executable: (mode & 0o111) !== 0, mtimeMs: 0 };
};

/** The changes in memory over a disk, and the resolution of paths in both. */
function changesOver(disk: Disk) {
  const nodes = new Map<string, OverlayNode>();
  /** Keys of the nodes in each folder. */
  const members = new Map<string, Set<string>>();

  /** Folders of the underlying disk that paths led through. They are assumed to last as long as this view. */
  const folders = new Map<string, Stat>();

  const folderAt = (key: string): Stat | undefined => {
    const known = folders.get(key) ?? disk.lstat(key);
    if (known?.kind === 'directory') folders.set(key, known);
    return known;
  };

  /** The node for a name in a folder. `isTransparent` says whether the underlying disk is visible there. */
  const keptNodeAt = (key: string, isTransparent: boolean, isLast: boolean): OverlayNode | Stat =>
    nodes.get(key) ?? (isTransparent ? (isLast ? disk.lstat(key) : folderAt(key)) : undefined) ?? nothing;

  /**
   * Resolves a path segment by segment. Symlinks in folders are followed, and the last one when `last` is
   * set. The target of a symlink may have changed in memory, so the underlying disk cannot resolve it.
   */
  const goTo = (path: string, last: boolean, links = 0): ResolvedPath => {
    const { root } = parse(path);
    let place: ResolvedPath = { key: root, exists: true, isTransparent: true };
    const parts = path.slice(root.length).split(sep).filter(Boolean);
    for (const [index, part] of parts.entries()) {
      const key = join(place.key, part);
      const isLast = index === parts.length - 1;
      const found = place.exists ? keptNodeAt(key, place.isTransparent, isLast) : nothing;
      if (found.kind === 'link' && (last || !isLast)) {
        const target = 'target' in found ? found.target : disk.readLink(key);
        if (target === undefined || links >= mostLinks) return { key, exists: false, isTransparent: false };
        place = goTo(resolve(place.key, target), true, links + 1);
        continue;
      }
      const exists = isLast ? found.kind !== 'nothing' : found.kind === 'directory';
      // Nothing of the underlying disk is visible below a folder that was removed, replaced by a file, or
      // created anew.
      place = { key, exists, isTransparent: place.isTransparent && !nodes.has(key) };
    }
    return place;
  };

  /** The canonical name of a path, with all symlinks in its folder resolved. */
  const keyOf = (path: string): string => goTo(resolve(path), false).key;

  /** The node in memory that replaces a path; `undefined` when the underlying disk counts. */
  const nodeAt = (path: string): OverlayNode | undefined => {
    if (nodes.size === 0) return undefined;
    const { key, exists, isTransparent } = goTo(resolve(path), false);
    return nodes.get(key) ?? (exists && isTransparent ? undefined : nothing);
  };

  const put = (path: string, node: OverlayNode): void => {
    const key = keyOf(path);
    nodes.set(key, node);
    const folder = dirname(key);
    if (folder !== key) members.set(folder, (members.get(folder) ?? new Set()).add(key));
  };

  const realpath = (path: string): string | undefined => {
    if (nodes.size === 0) return disk.realpath(path);
    const { key, exists } = goTo(resolve(path), true);
    return exists ? key : undefined;
  };

  const forget = (): void => {
    nodes.clear();
    members.clear();
    folders.clear();
  };

  return { nodes, members, goTo, keyOf, nodeAt, realpath, put, forget };
}

/**
 * A writable view of `disk` that keeps all changes in memory, so that it shows the result of a run without
 * running it. It supports moving files and symlinks, creating folders, and removing empty ones.
 */
export function overlayDisk(disk: Disk): OverlayDisk {
  const { nodes, members, goTo, keyOf, nodeAt, realpath, put, forget } = changesOver(disk);

  const lstat = (path: string): Stat | undefined => {
    const node = nodeAt(path);
    return node ? statOf(node) : disk.lstat(path);
  };

  const readBytes = (path: string): Uint8Array | undefined => {
    const real = realpath(path);
    if (real === undefined) return undefined;
    const node = nodeAt(real);
    if (!node) return disk.readBytes(real);
    return node.kind === 'file' ? node.bytes : undefined;
  };

  const list = (path: string): readonly DirEntry[] | undefined => {
    if (nodes.size === 0) return disk.list(path);
    const { key: folder, exists, isTransparent } = goTo(resolve(path), true);
    const node = nodes.get(folder);
    if (!exists || (node && node.kind !== 'directory')) return undefined;
    const below = isTransparent && !node ? disk.list(folder) : [];
    if (!below) return undefined;
    const kinds = new Map(below.map(({ name, kind }) => [name, kind]));
    for (const key of members.get(folder) ?? []) {
      const kind = nodes.get(key)?.kind;
      if (kind === 'nothing') kinds.delete(basename(key));
      else if (kind) kinds.set(basename(key), kind);
    }
    return [...kinds].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  const take = (path: string): OverlayNode => {
    const stat = lstat(path);
    if (stat?.kind === 'file') return { kind: 'file', bytes: readBytes(path)!, mode: stat.mode };
    const target = readLink(path);
    if (target !== undefined) return { kind: 'link', target };
    throw new HostError(`${path} does not exist.`, path, 'ENOENT');
  };

  const readLink = (path: string): string | undefined => {
    const node = nodeAt(path);
    if (!node) return disk.readLink(path);
    return node.kind === 'link' ? node.target : undefined;
  };

  const removeFile = (path: string): boolean => {
    if (!lstat(path)) return false;
    put(path, nothing);
    return true;
  };

  return {
    forget,
    readBytes,
    lstat,
    stat: path => {
      const real = realpath(path);
      return real === undefined ? undefined : lstat(real);
    },
    list,
    realpath,
    readLink,
    makeDirectory(path) {
      if (lstat(path)) return;
      if (dirname(path) !== path) this.makeDirectory(dirname(path));
      put(path, { kind: 'directory' });
    },
    writeBytes: (path, bytes, { mode = 0o644 } = {}) => put(path, { kind: 'file', bytes, mode }),
    sync: async () => {},
    rename(from, to) {
      const node = take(from);
      put(from, nothing);
      put(to, node);
    },
    makeLink: (target, path) => put(path, { kind: 'link', target }),
    setMode(path, mode) {
      const node = take(path);
      if (node.kind === 'file') put(path, { ...node, mode });
    },
    removeFile,
    removeEmptyDirectory(path) {
      if (list(path)?.length !== 0) return false;
      put(path, nothing);
      return true;
    },
    removeTree(path) {
      if (!removeFile(path)) return;
      const below = keyOf(path) + sep;
      for (const key of nodes.keys()) if (key.startsWith(below)) nodes.delete(key);
    },
  };
}

/** A file as a value: its content, and whether it is executable. */
export interface MemoryFile {
  readonly content: string | Uint8Array;
  readonly executable?: boolean;
}

/** A view of `disk` with further files. Their paths are absolute, or relative to `root`. */
export function withFiles(
  disk: Disk,
  root: string,
  files: Iterable<readonly [path: string, file: MemoryFile]>,
): OverlayDisk {
  const view = overlayDisk(disk);
  for (const [path, { content, executable }] of files) {
    const at = resolve(root, path);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    view.makeDirectory(dirname(at));
    view.writeBytes(at, bytes, { mode: executable ? 0o755 : 0o644 });
  }
  return view;
}

const emptyDisk = Object.fromEntries(readMethods.map(method => [method, () => undefined])) as unknown as Disk;

/** A disk that contains exactly these files, and `root`. */
export function memoryDisk(root: string, files: Iterable<readonly [string, MemoryFile]>): OverlayDisk {
  const disk = withFiles(emptyDisk, root, files);
  disk.makeDirectory(root);
  return disk;
}
