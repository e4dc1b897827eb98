import { dirname, join } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import { HostError } from '../../host/host.ts';
import type { Present } from '../../plan/plan.ts';
import { presentReader } from './present.ts';
import {
  finishedRuns,
  ignoreHostErrors,
  isRecord,
  type ProjectState,
  type Run,
  type RunStep,
  readRun,
  recordPlaces,
  type StoredFile,
} from './state.ts';

/** So many runs can be taken back. */
const keptRuns = 10;

/**
 * Does what a journal on disk says, from wherever it was left. When the outside world does not let it finish,
 * everything done so far is taken back and the failure is returned. Throws `HostError` when even that fails;
 * the journal then stays, and the next run tries again.
 */
export function execute(run: Run, state: ProjectState): HostError | undefined {
  const { root, disk } = state;
  try {
    const moves = movesOf(run, state);
    // A file may make room for a folder of its name, so deletions come first.
    for (const step of run.steps) if (step.kind === 'delete') moves.forward(step);
    for (const folder of run.directories) disk.makeDirectory(join(root, folder));
    for (const step of run.steps) if (step.kind === 'write') moves.forward(step);
    for (const folder of run.emptied) disk.removeEmptyDirectory(join(root, folder));
    if (run.undoes !== undefined) {
      moveAway(run.undoes, state);
      disk.removeFile(state.journal);
    } else {
      disk.rename(state.journal, recordPlaces(state, run.id).record);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    disk.rename(state.journal, state.rollback);
    rollBack(run, state);
    return error;
  }
}

/** Takes back what `carryOut` did, from wherever it was left. */
function rollBack(run: Run, state: ProjectState): void {
  const { root, disk } = state;
  const moves = movesOf(run, state);
  const back = [...run.steps].reverse();
  for (const step of back) if (step.kind === 'write') moves.backward(step);
  for (const folder of [...run.directories].reverse()) disk.removeEmptyDirectory(join(root, folder));
  for (const step of back) if (step.kind === 'delete') moves.backward(step);
  if (run.undoes !== undefined) resume(run.undoes, state);
  disk.removeFile(state.rollback);
  ignoreHostErrors(() => disk.removeTree(join(state.runs, run.id)));
}

/**
 * Forgets a run that was taken back, in a way that can be taken back itself: without its record it is swept up when
 * the journal is gone, and not before.
 */
function moveAway(id: string, state: ProjectState): void {
  const { record, undoneRecord } = recordPlaces(state, id);
  if (state.disk.lstat(record)) state.disk.rename(record, undoneRecord);
}

/** Remembers it again. */
function resume(id: string, state: ProjectState): void {
  const { record, undoneRecord } = recordPlaces(state, id);
  if (state.disk.lstat(undoneRecord)) state.disk.rename(undoneRecord, record);
}

/** What became of an interrupted run; `undefined`: there was none. */
export type Recovery = 'finished' | 'taken back' | undefined;

/** A journal that this user did not make here; nothing of it is done. */
export class ForeignState extends HostError {
  constructor(path: string) {
    super(`${path} is not the journal of a run of this user.`, path, 'EFOREIGN');
  }
}

/** Whether a run was interrupted, as the names of files say. */
export const isPending = ({ journal, rollback, disk }: ProjectState): boolean =>
  [journal, rollback].some(path => disk.lstat(path));

/** The run that was interrupted. Throws `ForeignState` when a journal is there that this user did not make here. */
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
 * Brings a project that an interrupted run left to one state: the new one, or the old one when that cannot be
 * reached. The caller holds the lock. Gives what was done; `undefined`: there was nothing to do.
 */
export function recover(state: ProjectState): Recovery {
  const interrupted = interruptedRun(state);
  let recovery: Recovery;
  if (interrupted) {
    const { run, isRollback } = interrupted;
    checkContents(run, state);
    if (isRollback) rollBack(run, state);
    recovery = isRollback || execute(run, state) ? 'taken back' : 'finished';
  }
  ignoreHostErrors(() => dropRunFolders(state));
  return recovery;
}

/**
 * Checks what an interrupted run would move or write, before it moves anything: each place, and each content against the
 * hash in the sealed journal. Throws `HostError` for what does not pass.
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

/** Whether there is the stored content, or the stored link, at a path. */
export function hasContent(path: string, stored: StoredFile, disk: ProjectState['disk']): boolean {
  if (stored.link !== undefined) return disk.readLink(path) === stored.link;
  return (
    disk.lstat(path)?.kind === 'file' && sha256(disk.readBytes(path) ?? new Uint8Array()) === stored.sha256
  );
}

/** What an unfinished run has left in the place of its files, in words; nothing when that cannot be seen. */
export function unfinishedState(state: ProjectState): string {
  try {
    const files = (interruptedRun(state)?.run.steps ?? []).filter(({ path }) => !isRecord(path));
    const present = presentReader(state.root, state.disk);
    const changed = files.filter(({ path, kind, after }) => {
      const now = present(path);
      if (kind === 'delete') return !now;
      return now !== undefined && !now.obstacle && sha256(now.read()) === after?.sha256;
    });
    if (files.length === 0) return '';
    if (changed.length === 0) return ' Its files are as they were before.';
    return changed.length === files.length
      ? ' Its files are all in place; only the end of the run could not be recorded.'
      : ` ${changed.length} of its ${files.length} files are changed, the others are as they were before.`;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return '';
  }
}

/**
 * Removes staged leftovers, runs that never came to their journal, and all but the last runs. The records of somebody
 * else, who uses the same folder from another machine or container, stay.
 */
export function dropRunFolders(state: ProjectState): void {
  const { disk, runs } = state;
  const folders = (disk.list(runs) ?? []).map(({ name }) => name);
  const undone = folders.filter(name => readRun(state, recordPlaces(state, name).undoneRecord)?.id === name);
  // These first: a folder that cannot be removed must not look like an undo that was killed.
  for (const name of undone) ignoreHostErrors(() => disk.removeFile(recordPlaces(state, name).undoneRecord));
  const finished = [...finishedRuns(state)].map(({ id }) => id);
  const kept = new Set(finished.slice(0, keptRuns));
  for (const name of folders) {
    const folder = join(runs, name);
    const { record, undoneRecord } = recordPlaces(state, name);
    if (kept.has(name)) ignoreHostErrors(() => disk.removeTree(join(folder, 'new')));
    else if ([...finished, ...undone].includes(name) || !(disk.lstat(record) || disk.lstat(undoneRecord)))
      disk.removeTree(folder);
  }
}

/** The single moves of a run, each of which may be repeated: it looks at the disk to see whether it was done. */
function movesOf(run: Run, { root, disk, runs }: ProjectState) {
  const folder = join(runs, run.id);
  const present = presentReader(root, disk);
  const at = (path: string) => join(root, path);
  const staged = (step: RunStep) => join(folder, 'new', step.staged ?? '');

  /** Whether a path holds nothing, or still what the run found there; an edit made since then is not touched. */
  const isLeft = (path: string, now: Present | undefined, stored: StoredFile | undefined): boolean => {
    if (!now) return true;
    // The file behind a link may be one that this very run has written or removed already.
    if (stored?.link !== undefined) return disk.readLink(at(path)) === stored.link;
    if (now.obstacle) return stored === undefined && now.obstacle.kind === 'directory';
    if (stored === undefined) return false;
    return now.kind !== 'link' && sha256(now.read()) === stored.sha256;
  };

  /** A rename, also where the project spans file systems: then by way of a sibling. */
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
        // What is no longer staged is in its place already, or was until somebody removed it.
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
