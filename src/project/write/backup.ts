import { dirname, join } from 'node:path';
import type { Committed } from '../../host/git.ts';
import { committedInGit } from '../../host/git.ts';
import { parentOf } from '../../plan/collect.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { type ProjectState, statePath } from './state.ts';

/** Where the content of a file that was taken over is now. */
export interface Backup {
  readonly path: string;
  /** Path of the copy, relative to the root. */
  readonly copy?: string;
  /** The commit that holds exactly that content; there is no copy then. */
  readonly commit?: string;
}

/** Files of the project that the last commit holds, by their content; `undefined` where there is no commit. */
export type FindCommitted = (root: string, files: ReadonlyMap<string, Uint8Array>) => Committed | undefined;

const isReplaced = (entry: PlanEntry) => entry.needsBackup && entry.before && !entry.before.obstacle;

/** Asks git only when something gets replaced: starting processes is nothing that every run should be ready for. */
export async function committedFinder(work: readonly PlanEntry[]): Promise<FindCommitted> {
  if (!work.some(isReplaced)) return () => undefined;

  return committedInGit;
}

/**
 * Keeps a copy of everything in `work` that is not ours and gets replaced, unless the last commit has exactly that
 * content under that path, and says where each is. The copies lie where no output can lie.
 */
export function keepBackups(
  work: readonly PlanEntry[],
  { root, disk }: ProjectState,
  time: Date,
  findCommitted: FindCommitted,
): Backup[] {
  const taken = work.filter(isReplaced);
  if (taken.length === 0) return [];
  const committed = findCommitted(
    root,
    new Map(
      taken.filter(({ before }) => before!.kind === 'file').map(({ path, before }) => [path, before!.read()]),
    ),
  );
  const folder = freeFolder(`${statePath}/backups/${time.toISOString().replace(/:/g, '-')}`, root, disk);
  return taken.map(({ path, before }) => {
    if (committed?.paths.has(path)) return { path, commit: committed.commit };
    const copy = `${folder}/${path}`;
    disk.makeDirectory(dirname(join(root, copy)));
    disk.writeBytes(join(root, copy), before!.read(), {
      mode: before!.mode | 0o600,
      exclusive: true,
    });
    return { path, copy };
  });
}

/** Removes the copies of what was not replaced after all. */
export function dropBackups(backups: readonly Backup[], { root, disk }: ProjectState): void {
  for (const { copy } of backups) {
    if (copy === undefined) continue;
    disk.removeFile(join(root, copy));
    for (let folder = parentOf(copy); folder !== statePath; folder = parentOf(folder))
      if (!disk.removeEmptyDirectory(join(root, folder))) break;
  }
}

/** Two takeovers within one tick of the clock keep their copies apart. */
function freeFolder(wanted: string, root: string, disk: ProjectState['disk']): string {
  let folder = wanted;
  for (let number = 2; disk.lstat(join(root, folder)); number++) folder = `${wanted}-${number}`;
  return folder;
}
