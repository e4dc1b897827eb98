import { dirname, join } from 'node:path';
import { runRecovered } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { HostError, ignoreHostErrors } from '../../host/host.ts';
import type { Present } from '../../plan/plan.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { presentReader } from './present.ts';
import {
  finishedRuns,
  type ProjectState,
  type Run,
  type RunStep,
  readRun,
  recordedRuns,
  recordOf,
  type StoredFile,
} from './state.ts';

/** The number of runs that can be reverted. */
const keptRuns = 10;

/**
 * Executes the steps of a journal from wherever they were left. If that fails, everything is reverted and the failure
 * returned. Throws `HostError` if reverting fails too; the journal then stays for the next run.
 */
export function execute(run: Run, state: ProjectState): HostError | undefined {
  const { root, disk } = state;
  try {
    const moves = movesOf(run, state);
    // A file may be replaced by a folder, so deletions come first.
    for (const step of run.steps) if (step.kind === 'delete') moves.forward(step);
    for (const folder of run.directories) disk.makeDirectory(join(root, folder));
    for (const step of run.steps) if (step.kind === 'write') moves.forward(step);
    for (const folder of run.emptied) disk.removeEmptyDirectory(join(root, folder));
    disk.rename(state.journal, recordOf(state, run.id));
    return undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    disk.rename(state.journal, state.rollback);
    rollBack(run, state);
    return error;
  }
}

/** Reverts what `execute` did, from wherever it was left. */
function rollBack(run: Run, state: ProjectState): void {
  const { root, disk } = state;
  const moves = movesOf(run, state);
  const back = [...run.steps].reverse();
  for (const step of back) if (step.kind === 'write') moves.backward(step);
  for (const folder of [...run.directories].reverse()) disk.removeEmptyDirectory(join(root, folder));
  for (const step of back) if (step.kind === 'delete') moves.backward(step);
  disk.removeFile(state.rollback);
  ignoreHostErrors(() => disk.removeTree(join(state.runs, run.id)));
}

/** A journal of another user or folder; it is not executed. */
export class ForeignState extends HostError {
  constructor(path: string) {
    super(`${path} is not the journal of a run of this user.`, path, 'EFOREIGN');
  }
}

/** Whether a journal exists. */
export const isPending = ({ journal, rollback, disk }: ProjectState): boolean =>
  [journal, rollback].some(path => disk.lstat(path));

/** The interrupted run. Throws `ForeignState` for a journal with an invalid seal. */
export function interruptedRun(state: ProjectState): { run: Run; isRollback: boolean } | undefined {
  for (const path of [state.rollback, state.journal]) {
    if (!state.disk.lstat(path)) continue;
    const run = readRun(state, path);
    if (!run) throw new ForeignState(path);
    return { run, isRollback: path === state.rollback };
  }
  return undefined;
}

/**
 * Recovers from an interrupted run, and reports it: completes the run, or reverts it if that is impossible. The caller
 * holds the lock. Returns `undefined` if no run was interrupted.
 */
export function recover(state: ProjectState, report: Report): 'finished' | 'taken back' | undefined {
  const interrupted = interruptedRun(state);
  let recovery: 'finished' | 'taken back' | undefined;
  if (interrupted) {
    const { run, isRollback } = interrupted;
    checkContents(run, state);
    if (isRollback) rollBack(run, state);
    recovery = isRollback || execute(run, state) ? 'taken back' : 'finished';
    const outcome = recovery === 'finished' ? 'its files are complete now' : 'its changes were taken back';
    report(runRecovered({ outcome }));
  }
  ignoreHostErrors(() => dropRunFolders(state));
  return recovery;
}

/**
 * Checks every path and content of an interrupted run against the sealed journal. Throws `HostError` for a mismatch.
 */
function checkContents(run: Run, { root, disk, runs }: ProjectState): void {
  for (const path of [...run.directories, ...run.emptied]) disk.admit(join(root, path));
  for (const { path, staged, before, after } of run.steps) {
    disk.admit(join(root, path));
    const contents = [
      [staged && join(runs, run.id, 'new', staged), after],
      [before?.saved && join(runs, run.id, 'old', before.saved), before],
    ] as const;
    for (const [content, stored] of contents) {
      if (!content || !stored || !disk.lstat(content)) continue;
      if (!hasContent(content, stored, disk))
        throw new HostError(`${content} is not what the interrupted run left there.`, content, 'EFOREIGN');
    }
  }
}

/** Whether a path has the stored content or link. */
export function hasContent(path: string, stored: StoredFile, disk: ProjectState['disk']): boolean {
  if (stored.link !== undefined) return disk.readLink(path) === stored.link;
  return (
    disk.lstat(path)?.kind === 'file' && sha256(disk.readBytes(path) ?? new Uint8Array()) === stored.sha256
  );
}

/**
 * Removes staged leftovers, runs without a journal, undone runs, and all but the last runs. Records of others who use the
 * folder from another machine stay.
 */
export function dropRunFolders(state: ProjectState): void {
  const { disk, runs } = state;
  const recorded = recordedRuns(state);
  const kept = new Set(
    finishedRuns(state)
      .slice(0, keptRuns)
      .map(({ id }) => id),
  );
  // First, so that a run whose undo is no longer recorded does not look like one that can be reverted.
  for (const { undoes } of recorded) if (undoes !== undefined) disk.removeFile(recordOf(state, undoes));
  for (const { name } of disk.list(runs) ?? []) {
    const folder = join(runs, name);
    if (kept.has(name)) ignoreHostErrors(() => disk.removeTree(join(folder, 'new')));
    else if (recorded.some(({ id }) => id === name) || !disk.lstat(recordOf(state, name)))
      disk.removeTree(folder);
  }
}

/** The moves of a run. Each can be repeated, because it checks the disk first. */
function movesOf(run: Run, { root, disk, runs }: ProjectState) {
  const folder = join(runs, run.id);
  const present = presentReader(root, disk);
  const at = (path: string) => join(root, path);
  const staged = (step: RunStep) => join(folder, 'new', step.staged ?? '');

  /** Whether a path is empty or has what the run found there; later edits are not touched. */
  const isLeft = (path: string, now: Present | undefined, stored: StoredFile | undefined): boolean => {
    if (!now) return true;
    // The run may have written or removed the file behind the link already.
    if (stored?.link !== undefined) return disk.readLink(at(path)) === stored.link;
    if (now.obstacle) return stored === undefined && now.obstacle.kind === 'directory';
    if (stored === undefined) return false;
    return now.kind !== 'link' && sha256(now.read()) === stored.sha256;
  };

  /** Renames a file; across file systems, by a copy beside the target. */
  const move = (from: string, to: string, mode: number) => {
    try {
      disk.rename(from, to);
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'EXDEV') throw error;
      const sibling = `${to}.${run.id}.tmp`;
      disk.removeFile(sibling);
      disk.writeBytes(sibling, disk.readBytes(from) ?? new Uint8Array(), { mode, exclusive: true });
      disk.setMode(sibling, mode);
      disk.rename(sibling, to);
      disk.removeFile(from);
    }
  };

  const removeEmptyTree = (path: string) => {
    for (const { name, kind } of disk.list(at(path)) ?? [])
      if (kind === 'directory') removeEmptyTree(`${path}/${name}`);
    disk.removeEmptyDirectory(at(path));
  };

  return {
    forward(step: RunStep) {
      if (step.kind === 'delete') {
        if (isLeft(step.path, present(step.path), step.before)) disk.removeFile(at(step.path));
        return;
      }
      const now = present(step.path);
      if (!isLeft(step.path, now, step.before)) {
        disk.removeFile(staged(step));
        return;
      }
      if (now?.obstacle?.kind === 'directory' && disk.lstat(staged(step))) removeEmptyTree(step.path);
      try {
        move(staged(step), at(step.path), step.after!.mode);
      } catch (error) {
        // A file that is no longer staged is in its place already.
        if (!(error instanceof HostError) || disk.lstat(staged(step))) throw error;
      }
    },

    backward(step: RunStep) {
      const now = disk.lstat(at(step.path));
      if (step.kind === 'write') {
        const done = !disk.lstat(staged(step));
        if (!done || !now || !hasContent(at(step.path), step.after!, disk)) return;
        if (!step.before) {
          disk.removeFile(at(step.path));
          return;
        }
      } else if (now) return;
      const { before } = step;
      if (!before) return;
      disk.makeDirectory(dirname(at(step.path)));
      if (before.link !== undefined) {
        disk.removeFile(at(step.path));
        disk.makeLink(before.link, at(step.path));
      } else if (disk.lstat(join(folder, 'old', before.saved!))) {
        move(join(folder, 'old', before.saved!), at(step.path), before.mode);
      }
    },
  };
}
