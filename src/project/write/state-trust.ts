import { dirname, join } from 'node:path';
import { trackedByGit } from '../../host/git.ts';
import { pathBelow } from '../open/root.ts';
import { type ProjectState, statePath } from './state.ts';

/** What lies below the state folder, by the kind that it must have. */
const kinds = {
  '': 'directory',
  runs: 'directory',
  backups: 'directory',
  lock: 'file',
  'lock.break': 'file',
  'journal.json': 'file',
  'rollback.json': 'file',
  'written.json': 'file',
  'others.json': 'file',
  'manifest.json': 'file',
} as const;

/** What of the state folder is a link, or no file or folder where there has to be one: its path, and what it is. */
export function stateObstacle({
  root,
  disk,
  folder,
}: ProjectState): { readonly path: string; readonly reason: string } | undefined {
  const above = dirname(folder);
  const parent = disk.lstat(above)?.kind;
  // Of a user the sources lie elsewhere, behind links of the user's own.
  const isInPlace = [above, join(disk.realpath(root) ?? root, pathBelow(root, above)!)].includes(
    disk.realpath(above) ?? '',
  );
  if (parent && parent !== 'directory' && !isInPlace)
    return { path: dirname(statePath), reason: reasonOf(parent) };
  for (const [name, wanted] of Object.entries(kinds)) {
    const kind = disk.lstat(join(folder, name))?.kind;
    if (kind && kind !== wanted)
      return { path: pathBelow(root, join(folder, name))!, reason: reasonOf(kind) };
  }
  return undefined;
}

const reasonOf = (kind: string): string =>
  kind === 'link'
    ? 'it is a symbolic link, and state of one machine lies in the project itself'
    : 'something of another kind is in the place of state';

/**
 * A file of the state folder that Git tracks: it may have come with a clone, so that nothing of the folder counts.
 * `undefined`: there is none, or the project is in no repository.
 */
export async function isStateTracked({ root, disk, folder }: ProjectState): Promise<string | undefined> {
  if (!disk.lstat(folder) || !isInRepository(root, disk)) return undefined;

  const tracked = [...(trackedByGit(root, [statePath]) ?? [])];
  return tracked.find(path => path !== `${statePath}/.gitignore`);
}

function isInRepository(folder: string, disk: ProjectState['disk']): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (disk.lstat(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}
