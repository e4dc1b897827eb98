import { basename, dirname } from 'node:path';
import type { DirEntry, Stat, WritableDisk } from './host.ts';

/**
 * A disk that shows unsaved documents instead of the files on the disk. A document is found by the path it
 * was opened with and by its real path. All other reads go to `disk` directly, without extra cost. Writes go
 * to `disk`.
 */
export function unsavedDisk(disk: WritableDisk, texts: ReadonlyMap<string, Uint8Array>): WritableDisk {
  const shown = new Map<string, Uint8Array>();
  const names = new Map<string, string[]>();
  for (const [path, bytes] of texts) {
    for (const one of new Set([path, disk.realpath(path) ?? path])) {
      shown.set(one, bytes);
      names.set(dirname(one), [...(names.get(dirname(one)) ?? []), basename(one)]);
    }
  }
  const statOf = (path: string, bytes: Uint8Array): Stat => {
    const mode = disk.stat(path)?.mode ?? 0o644;
    return { kind: 'file', size: bytes.length, mode, executable: (mode & 0o111) !== 0, mtimeMs: 0 };
  };
  const answers = {
    readBytes: (path: string) => shown.get(path) ?? disk.readBytes(path),
    stat: (path: string) => {
      const bytes = shown.get(path);
      return bytes ? statOf(path, bytes) : disk.stat(path);
    },
    lstat: (path: string) => {
      const bytes = shown.get(path);
      const there = disk.lstat(path);
      return bytes && there?.kind !== 'link' ? statOf(path, bytes) : there;
    },
    realpath: (path: string) => disk.realpath(path) ?? (shown.has(path) ? path : undefined),
    list: (path: string): readonly DirEntry[] | undefined => {
      const entries = disk.list(path);
      const more = (names.get(path) ?? []).filter(name => !entries?.some(entry => entry.name === name));
      if (more.length === 0) return entries;
      const added = more.map((name): DirEntry => ({ name, kind: 'file' }));
      return [...(entries ?? []), ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
  return Object.assign(Object.create(disk) as WritableDisk, answers);
}
