import { type DirEntry, HostError, type Stat, type WritableDisk } from './host.ts';
import { relativePath } from './relative-path.ts';

/** A file as a value: its content, and whether it is executable. */
export interface MemoryFile {
  readonly content: string | Uint8Array;
  readonly executable?: boolean;
}

/**
 * A read-only disk that contains exactly these files below `root` (paths relative to it, `/`-separated). It
 * has no symlinks.
 */
export function memoryDisk(root: string, files: ReadonlyMap<string, MemoryFile>): WritableDisk {
  const folders = new Map<string, Map<string, DirEntry['kind']>>([['', new Map()]]);
  for (const path of files.keys()) addTo(folders, path, 'file');
  const bytes = new Map<string, Uint8Array>();

  const keyOf = (path: string): string => relativePath(root, path);

  const readBytes = (path: string): Uint8Array | undefined => {
    const key = keyOf(path);
    const file = files.get(key);
    if (!file) return undefined;
    let content = bytes.get(key);
    if (!content) {
      content = typeof file.content === 'string' ? new TextEncoder().encode(file.content) : file.content;
      bytes.set(key, content);
    }
    return content;
  };

  const stat = (path: string): Stat | undefined => {
    const key = keyOf(path);
    const file = files.get(key);
    if (file) {
      const executable = file.executable === true;
      const size = readBytes(path)!.length;
      return { kind: 'file', size, executable, mtimeMs: 0, mode: executable ? 0o755 : 0o644 };
    }
    if (!folders.has(key)) return undefined;
    return { kind: 'directory', size: 0, executable: false, mtimeMs: 0, mode: 0o755 };
  };

  return {
    readBytes,
    stat,
    lstat: stat,
    list: path => {
      const entries = folders.get(keyOf(path));
      if (!entries) return undefined;
      return [...entries].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    realpath: path => (stat(path) ? path : undefined),
    readLink: () => undefined,
    makeDirectory: refuse,
    writeBytes: refuse,
    sync: refuse,
    rename: (_from, to) => refuse(to),
    link: (_from, to) => refuse(to),
    makeLink: (_target, path) => refuse(path),
    setMode: refuse,
    removeFile: refuse,
    removeEmptyDirectory: refuse,
    removeTree: refuse,
  };
}

/** Adds a path to its folder, and that folder to its parent. */
function addTo(
  folders: Map<string, Map<string, DirEntry['kind']>>,
  path: string,
  kind: DirEntry['kind'],
): void {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, slash));
  if (!folders.has(folder)) {
    folders.set(folder, new Map());
    addTo(folders, folder, 'directory');
  }
  folders.get(folder)!.set(path.slice(slash + 1), kind);
}

function refuse(path: string): never {
  throw new HostError(`${path} cannot be written: these files are values.`, path, 'EROFS');
}
