import { dirname, join } from 'node:path';
import { lockBusy, outputBlocked, projectMoves, stateTracked } from '../../generated/diagnostics.ts';
import { trackedByGit } from '../../host/git.ts';
import { type Clock, HostError } from '../../host/host.ts';
import { LockBusy, withLock } from '../../host/lock.ts';
import type { WritePlan } from '../../plan/plan.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { pathBelow } from '../open/root.ts';
import { isInRepository } from '../project-files.ts';
import { applyPlan, type Backup } from './apply.ts';
import { reportFailure, takeoverNote } from './report.ts';
import { ensureState, type ProjectState, type Run, statePath } from './state.ts';

/** Milliseconds that a run waits for another one. */
const lockTimeout = 30_000;

/** What a run has changed; `ok: false`: nothing, and a report says why. */
export interface Committed {
  readonly ok: boolean;
  readonly written: number;
  readonly deleted: number;
  readonly backups: readonly Backup[];
}

/** The outcome of a run that changed nothing. */
export const unchanged = { written: 0, deleted: 0, backups: [] };

/**
 * Carries a plan out and reports copies that were made, and failures of the disk. `moved` is a file that changed since
 * the plan was made: nothing was written then, and the caller plans again or reports it.
 */
export async function commitPlan(
  plan: WritePlan,
  state: ProjectState,
  clock: Clock,
  report: Report,
  undoes?: Run,
): Promise<Committed & { readonly moved?: string }> {
  const result = await applyPlan(plan, state, { clock, ...(undoes && { undoes }) });
  if (result.ok) {
    const lost = new Map(plan.entries.map(({ path, difference }) => [path, difference?.lost]));
    for (const backup of result.backups) report(takeoverNote(backup, lost.get(backup.path)));
    return result;
  }
  if ('moved' in result) return { ok: false, ...unchanged, moved: result.moved };
  reportFailure(result.error, state, report);
  return { ok: false, ...unchanged };
}

/** Reports that a file changed while a run was at work. */
export const reportMoved = (path: string, report: Report): void =>
  report(projectMoves({ path }, { file: path }));

/** Reports what of the state folder is a link, or no file or folder where there has to be one. */
export function isStateBlocked(state: ProjectState, report: Report): boolean {
  const obstacle = stateObstacle(state);
  if (obstacle) report(outputBlocked(obstacle, { file: obstacle.path }));
  return obstacle !== undefined;
}

/** Reports state that cannot be that of this machine by the place where it lies, or because Git brings it. */
export async function isStateRefused(state: ProjectState, report: Report): Promise<boolean> {
  if (isStateBlocked(state, report)) return true;
  const path = await isStateTracked(state);
  if (path !== undefined) report(stateTracked({ path }, { file: path }));
  return path !== undefined;
}

/**
 * Runs `body` with the lock of the project. What prevents it, and failures of the disk, are reported; the result then
 * is `undefined`.
 */
export async function locked<T>(
  state: ProjectState,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  return reporting(state, report, async () => {
    if (await isStateRefused(state, report)) return undefined;
    ensureState(state);
    try {
      return await withLock(state.disk, state.lock, { wait: lockTimeout }, body);
    } catch (error) {
      if (!(error instanceof LockBusy)) throw error;
      const holder = error.holder === undefined ? '' : ` (process ${error.holder})`;
      report(lockBusy({ holder, seconds: lockTimeout / 1000, path: `${statePath}/lock` }));
      return undefined;
    }
  });
}

/** Runs `body`; failures of the disk are reported, and the result then is `undefined`. */
export async function reporting<T>(
  state: ProjectState,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, state, report);
    return undefined;
  }
}

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
function stateObstacle({
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
    ? 'it is a symbolic link, and the state must be inside the project'
    : 'something of another kind is in the place of state';

/**
 * A file of the state folder that Git tracks: it may have come with a clone, so that nothing of the folder counts.
 * `undefined`: there is none, or the project is in no repository.
 */
async function isStateTracked({ root, disk, folder }: ProjectState): Promise<string | undefined> {
  if (!disk.lstat(folder) || !isInRepository(root, disk)) return undefined;

  const tracked = [...(trackedByGit(root, [statePath]) ?? [])];
  return tracked.find(path => path !== `${statePath}/.gitignore`);
}
