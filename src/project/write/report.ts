import {
  runRecovered,
  runUnfinished,
  stateForeign,
  takenOver,
  writeFailed,
} from '../../generated/diagnostics.ts';
import type { HostError } from '../../host/host.ts';
import { pathBelow, withForwardSlashes } from '../../host/relative-path.ts';
import { lostWords } from '../../plan/plan.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { posixWord } from '../../text/shell.ts';
import { ForeignState, isPending, type Recovery, unfinishedState } from './journal.ts';
import { hasSecret } from './seal.ts';
import type { Backup, ProjectState } from './state.ts';

/** Reports how an interrupted run was recovered. */
export function reportRecovery(recovered: Recovery, report: Report): void {
  if (!recovered) return;
  const outcome = recovered === 'finished' ? 'its files are complete now' : 'its changes were taken back';
  report(runRecovered({ outcome }));
}

/** The finding about a replaced file: where its old content is, how to restore it, and which fields are lost. */
export function takeoverNote({ path, copy, commit }: Backup, lostFields: readonly string[] = []): Diagnostic {
  const holes = copy
    ? { where: `its old content is in ${copy}`, restore: `cp ${posixWord(copy)} ${posixWord(path)}` }
    : {
        where: `commit ${commit} has its old content`,
        restore: `git checkout ${commit} -- ${posixWord(path)}`,
      };
  const group = {
    all: 'files were taken over',
    group: copy ? 'have a copy' : 'are in the last commit as they were',
    note: holes.restore,
    lost: lostFields,
    hint: '`prs undo` reverts the whole run; the command next to a file restores its old content.',
  };
  const where =
    lostFields.length > 0 ? `${holes.where}${lostWords({ kind: 'content', lostFields })}` : holes.where;
  return takenOver({ path, ...holes, where }, { file: path, group });
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
