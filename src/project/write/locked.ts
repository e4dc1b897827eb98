import {
  lockBusy,
  runUnfinished,
  stateForeign,
  stateTracked,
  writeFailed,
} from '../../generated/diagnostics.ts';
import { HostError } from '../../host/host.ts';
import { LockBusy, withLock } from '../../host/lock.ts';
import { pathBelow, withForwardSlashes } from '../../host/relative-path.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { trackedByGit } from '../git/queries.ts';
import { isInRepository } from '../project-files.ts';
import { ForeignState, isPending } from './journal.ts';
import { ensureState, type ProjectState, statePath } from './state.ts';

/** How long a run waits for another one, in milliseconds. */
const lockTimeout = 30_000;

/** Runs `body` with the lock of the project. Returns `undefined` after a report, also of a host failure. */
export async function locked<T>(
  state: ProjectState,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    const tracked = trackedState(state);
    if (tracked !== undefined) {
      report(stateTracked({ path: tracked }, { file: tracked }));
      return undefined;
    }
    ensureState(state);
    return await withLock(state.disk, state.lock, lockTimeout, body);
  } catch (error) {
    if (error instanceof LockBusy) {
      const holder = error.holder === undefined ? '' : ` (process ${error.holder})`;
      report(lockBusy({ holder, seconds: lockTimeout / 1000, path: `${statePath}/lock` }));
    } else if (error instanceof HostError) reportFailure(error, state, report);
    else throw error;
    return undefined;
  }
}

/** Reports a host failure, and whether the project is unchanged or waits for the next run. */
export function reportFailure(error: HostError, state: ProjectState, report: Report): void {
  const shown = pathBelow(state.root, error.path) || withForwardSlashes(error.path);
  const where = { file: shown };
  if (error instanceof ForeignState) {
    report(stateForeign({ path: shown }, where));
    return;
  }
  const problem = error.message.replaceAll(error.path, shown);
  report((isPending(state) ? runUnfinished : writeFailed)({ problem }, where));
}

/** A file of the state folder that Git tracks, so that it may be from another machine; `undefined` if there is none. */
function trackedState({ root, disk, folder }: ProjectState): string | undefined {
  if (!disk.lstat(folder) || !isInRepository(root, disk)) return undefined;
  const tracked = [...(trackedByGit(root, [statePath]) ?? [])];
  return tracked.find(path => path !== `${statePath}/.gitignore`);
}
