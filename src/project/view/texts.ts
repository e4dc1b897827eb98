import { join } from 'node:path';
import type { PresentTexts } from '../../emit/limits.ts';
import { type Disk, readTextAt } from '../../host/host.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { ProjectTexts } from '../../spec/loading/load.ts';
import { memoize } from '../../text/memo.ts';
import { joinPath } from '../../text/paths.ts';
import { excludedFolders } from '../../text/places.ts';
import { textLinkTarget } from '../text-links.ts';
import { readOwned } from '../write/records.ts';

/** The files of the project after a compile. */
export function projectTexts(root: string, entries: readonly PlanEntry[], disk: Disk): ProjectTexts {
  const planned = new Map(entries.map(entry => [entry.path, entry]));
  const decoder = new TextDecoder();
  const base = disk.realpath(root) ?? root;
  const get = memoize((path: string): string | undefined => {
    const entry = planned.get(path);
    if (entry?.action === 'delete') return undefined;
    if (entry?.content) return decoder.decode(entry.content);
    const link = textLinkAt(base, path, disk);
    if (link) return get(link.place);
    const bytes = disk.stat(join(root, path))?.kind === 'file' ? disk.readBytes(join(root, path)) : undefined;
    return bytes && decoder.decode(bytes);
  });
  const isLink = (path: string) =>
    disk.lstat(join(root, path))?.kind === 'link' || textLinkAt(base, path, disk) !== undefined;
  return { has: path => get(path) !== undefined, get, isLink };
}

/** The link that a checkout left as a text at a path below the real root, if there is one. */
function textLinkAt(root: string, path: string, disk: Disk): ReturnType<typeof textLinkTarget> {
  const full = join(root, path);
  return textLinkTarget(root, full, disk.lstat(full), disk);
}

/** The maximum number of folders to search, because the result only serves a warning. */
const most = 10_000;

/**
 * Main files in the project that are not owned, by path below `baseDir`, read on demand. Hidden folders and folders of
 * packages are skipped.
 */
export function presentTexts(root: string, baseDir: string, disk: Disk): PresentTexts {
  const base = join(root, baseDir);
  let owned: ReadonlySet<string> | undefined;
  const isOurs = (path: string): boolean => {
    owned ??= new Set(readOwned(disk, root, () => {})?.files.keys());
    return owned.has(joinPath(baseDir, path));
  };
  const realRoot = disk.realpath(root) ?? root;
  const read = (path: string): string | undefined => {
    const full = join(realRoot, baseDir, path);
    if (disk.stat(full)?.kind !== 'file' || isOurs(path)) return undefined;
    return readTextAt(disk, textLinkAt(realRoot, joinPath(baseDir, path), disk)?.target ?? full);
  };
  return {
    get: memoize(read),
    named(names) {
      const found: string[] = [];
      let left = most;
      for (let level = ['']; level.length > 0; ) {
        const folders: string[] = [];
        for (const folder of level) {
          if (left-- <= 0) return found;
          for (const { name, kind } of disk.list(join(base, folder)) ?? []) {
            const path = joinPath(folder, name);
            if (kind === 'directory') {
              if (!name.startsWith('.') && !excludedFolders.has(name)) folders.push(path);
            } else if (folder !== '' && names.has(name)) found.push(path);
          }
        }
        level = folders;
      }
      return found;
    },
  };
}
