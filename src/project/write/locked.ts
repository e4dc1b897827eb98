import { dirname, join } from 'node:path';
import {
  lockBusy,
  outputBlocked,
  runUnfinished,
  stateForeign,
  stateTracked,
  writeFailed,
} from '../../generated/diagnostics.ts';
import { trackedByGit } from '../../host/git.ts';
import { HostError } from '../../host/host.ts';
import { LockBusy, withLock } from '../../host/lock.ts';
import { pathBelow, withForwardSlashes } from '../../host/relative-path.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { isInRepository } from '../project-files.ts';
import { ForeignState, isPending, unfinishedState } from './journal.ts';
import { hasSecret } from './seal.ts';
import { ensureState, type ProjectState, statePath } from './state.ts';

/** How long a run waits for another one, in milliseconds. */
const lockTimeout = 30_000;

/** Reports a link, or a wrong kind of file, in the state folder. */
export function isStateBlocked(state: ProjectState, report: Report): boolean {
  const obstacle = stateObstacle(state);
  if (obstacle) report(outputBlocked(obstacle, { file: obstacle.path }));
  return obstacle !== undefined;
}

/** Reports state that cannot belong to this machine: because of its place, or because Git tracks it. */
export function isStateRefused(state: ProjectState, report: Report): boolean {
  if (isStateBlocked(state, report)) return true;
  const path = trackedState(state);
  if (path !== undefined) report(stateTracked({ path }, { file: path }));
  return path !== undefined;
}

/** Runs `body` with the lock of the project. Returns `undefined` after a report. */
export async function locked<T>(
  state: ProjectState,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  return reporting(state, report, async () => {
    if (isStateRefused(state, report)) return undefined;
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

/** Runs `body`; returns `undefined` after a host failure was reported. */
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

/** Reports a host failure, and whether the project is unchanged or waits for the next run. */
export function reportFailure(error: HostError, state: ProjectState, report: Report): void {
  const shown = pathBelow(state.root, error.path) || withForwardSlashes(error.path);
  const where = { file: shown };
  if (error instanceof ForeignState) {
    const reason = hasSecret(state)
      ? 'it is not from a run of this user in this folder'
      : 'this user has no secret on this machine by which the runs of this user are recognised';
    report(stateForeign({ path: shown, reason }, where));
    return;
  }
  const problem = error.message.replaceAll(error.path, shown);
  const pending = isPending(state);
  const outcome = pending ? unfinishedState(state) : '';
  report(pending ? runUnfinished({ problem, outcome }, where) : writeFailed({ problem }, where));
}

/** Paths below the state folder with their required kinds. */
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

/** The first path of the state folder that is a link or has a wrong kind, with the reason. */
function stateObstacle({
  root,
  disk,
  folder,
}: ProjectState): { readonly path: string; readonly reason: string } | undefined {
  const above = dirname(folder);
  const parent = disk.lstat(above)?.kind;
  // In user scope, the sources are behind links of the user.
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

/** A tracked file of the state folder, which may have come with a clone; `undefined` if there is none. */
function trackedState({ root, disk, folder }: ProjectState): string | undefined {
  if (!disk.lstat(folder) || !isInRepository(root, disk)) return undefined;
  const tracked = [...(trackedByGit(root, [statePath]) ?? [])];
  return tracked.find(path => path !== `${statePath}/.gitignore`);
}
