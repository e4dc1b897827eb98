import { join, relative, sep } from 'node:path';
import type { Disk } from '../../host/host.ts';
import { compileGlobs, globBase } from '../../text/globs.ts';
import type { Project } from '../open/open.ts';

/** `watch` of the configuration, ready to use. Paths are absolute. */
export interface WatchSettings {
  /** Milliseconds that further changes are waited for. */
  readonly debounce: number;
  readonly clear: boolean;
  /** Folders that are watched beside those a compile looked at. */
  readonly folders: readonly string[];
  readonly includes: (path: string) => boolean;
  readonly excludes: (path: string) => boolean;
}

const defaultDebounce = 50;

/** More folders than this are not searched for `watch.include`: that would be somebody else's tree. */
const maximumFolders = 5000;

/**
 * Reads the settings. What a compile reads is always watched; `include` adds to that, so its default (`**` + `/*.prs`)
 * costs nothing. Without a project the defaults hold.
 */
export async function readWatchSettings(project: Project | undefined, disk: Disk): Promise<WatchSettings> {
  const {
    include,
    exclude,
    debounce = defaultDebounce,
    clearScreen = false,
  } = project?.loaded.config.watch ?? {};
  const base = { debounce, clear: clearScreen, folders: [], includes: () => false, excludes: () => false };
  if (!project || !(include || exclude)) return base;
  const matcher = (patterns: readonly string[] | undefined) => {
    if (!patterns?.length) return () => false;
    const matches = compileGlobs(patterns);
    return (path: string) => matches(relative(project.root, path).split(sep).join('/'));
  };
  const bases = (include ?? []).map(pattern => join(project.root, globBase(pattern).base));
  return {
    ...base,
    folders: foldersBelow(bases, disk),
    includes: matcher(include),
    excludes: matcher(exclude),
  };
}

function foldersBelow(bases: readonly string[], disk: Disk): string[] {
  const found = new Set<string>();
  const search = (folder: string): void => {
    if (found.size >= maximumFolders || found.has(folder)) return;
    const entries = disk.list(folder);
    if (!entries) return;
    found.add(folder);
    for (const { name, kind } of entries) {
      if (kind === 'directory' && name !== 'node_modules' && name !== '.git') search(join(folder, name));
    }
  };
  bases.forEach(search);
  return [...found];
}
