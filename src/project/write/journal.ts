import { dirname, join } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import { HostError, type WritableDisk } from '../../host/host.ts';
import type { Present } from '../../plan/plan.ts';
import { folderFinder } from '../../plan/safe-path.ts';
import { presentReader } from './present.ts';
import {
  finishedRuns,
  isRecord,
  type Run,
  type RunStep,
  readRun,
  recordPlaces,
  type StatePaths,
  type StoredFile,
  tidy,
} from './state.ts';

/** So many runs can be taken back. */
const keptRuns = 10;

/**
 * Does what a journal on disk says, from wherever it was left. When the outside world does not let it finish,
 * everything done so far is taken back and the failure is returned. Throws `HostError` when even that fails;
 * the journal then stays, and the next run tries again.
 */
export function carryOut(run: Run, places: StatePaths, disk: WritableDisk): HostError | undefined {
  try {
    const hand = handOn(run, places, disk);
    // A file may make room for a folder of its name, so what goes goes first.
    for (const step of run.steps) if (step.kind === 'delete') hand.forward(step);
    const isPlaced = hand.placeTrees();
    for (const folder of run.directories)
      if (!isPlaced(folder)) disk.makeDirectory(join(places.root, folder));
    for (const step of run.steps) if (step.kind === 'write' && !isPlaced(step.path)) hand.forward(step);
    for (const folder of run.emptied) disk.removeEmptyDirectory(join(places.root, folder));
    if (run.undoes !== undefined) {
      setAside(run.undoes, places, disk);
      disk.removeFile(places.journal);
    } else {
      disk.rename(places.journal, recordPlaces(places, run.id).record);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    disk.rename(places.journal, places.rollback);
    takeBack(run, places, disk);
    return error;
  }
}

/** Takes back what `carryOut` did, from wherever it was left. */
function takeBack(run: Run, places: StatePaths, disk: WritableDisk): void {
  const hand = handOn(run, places, disk);
  const back = [...run.steps].reverse();
  for (const step of back) if (step.kind === 'write') hand.backward(step);
  for (const folder of [...run.directories].reverse()) disk.removeEmptyDirectory(join(places.root, folder));
  for (const step of back) if (step.kind === 'delete') hand.backward(step);
  if (run.undoes !== undefined) takeUp(run.undoes, places, disk);
  disk.removeFile(places.rollback);
  tidy(() => disk.removeTree(join(places.runs, run.id)));
}

/**
 * Forgets a run that was taken back, in a way that can be taken back itself: without its record it is swept up when
 * the journal is gone, and not before.
 */
function setAside(id: string, places: StatePaths, disk: WritableDisk): void {
  const { record, aside } = recordPlaces(places, id);
  if (disk.lstat(record)) disk.rename(record, aside);
}

/** Remembers it again. */
function takeUp(id: string, places: StatePaths, disk: WritableDisk): void {
  const { record, aside } = recordPlaces(places, id);
  if (disk.lstat(aside)) disk.rename(aside, record);
}

/** What became of an interrupted run; `undefined`: there was none. */
export type Recovery = 'finished' | 'taken back' | undefined;

/**
 * Brings a project that an interrupted run left to one state: the new one, or the old one when that cannot be
 * reached. The caller holds the lock. Gives what was done; `undefined`: there was nothing to do.
 */
export function recover(places: StatePaths, disk: WritableDisk): Recovery {
  const recovery = recoverJournal(places, disk);
  tidy(() => dropRunFolders(disk, places));
  return recovery;
}

function recoverJournal(places: StatePaths, disk: WritableDisk): Recovery {
  const back = readRun(disk, places.rollback);
  if (back) {
    takeBack(back, places, disk);
    return 'taken back';
  }
  const run = readRun(disk, places.journal);
  if (!run) return undefined;
  return carryOut(run, places, disk) ? 'taken back' : 'finished';
}

/** What an unfinished run has left in the place of its files, in words; nothing when that cannot be seen. */
export function unfinishedState(places: StatePaths, disk: WritableDisk): string {
  try {
    const run = readRun(disk, places.rollback) ?? readRun(disk, places.journal);
    const present = presentReader(places.root, disk);
    const files = (run?.steps ?? []).filter(({ path }) => !isRecord(path));
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

/** Removes staged leftovers, runs that never came to their journal, and all but the last runs. */
export function dropRunFolders(disk: WritableDisk, places: StatePaths): void {
  const finished = finishedRuns(disk, places);
  const kept = new Set(finished.slice(-keptRuns));
  const folders = (disk.list(places.runs) ?? []).map(({ name }) => name);
  // These first: a folder that cannot be removed must not look like an undo that was killed.
  for (const { aside } of folders.map(name => recordPlaces(places, name)))
    if (disk.lstat(aside)) tidy(() => disk.removeFile(aside));
  for (const name of folders) {
    const folder = join(places.runs, name);
    const left = kept.has(name) ? join(folder, 'new') : folder;
    // Mostly nothing is there, or an empty folder: looking costs less than removing a tree.
    const kind = disk.lstat(left)?.kind;
    if (kind && !(kind === 'directory' && left !== folder && disk.removeEmptyDirectory(left)))
      disk.removeTree(left);
  }
}

/** The single moves of a run, each of which may be repeated: it looks at the disk to see whether it was done. */
function handOn(run: Run, places: StatePaths, disk: WritableDisk) {
  const folder = join(places.runs, run.id);
  const present = presentReader(places.root, disk);
  const at = (path: string) => join(places.root, path);
  const staged = (step: RunStep) => join(folder, 'new', step.staged ?? '');

  /** Whether a path holds nothing, or still what the run found there; an edit made since then is not touched. */
  const isLeft = (path: string, now: Present | undefined, stored: StoredFile | undefined): boolean => {
    if (!now) return true;
    // A link is what it says: the file behind it may be one that this very run has written or removed already.
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
      disk.writeBytes(sibling, disk.readBytes(from) ?? new Uint8Array(), { mode });
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
    /**
     * Brings every staged folder to its place by one move where nothing is yet, and says of a path whether it went
     * with one. Where something is by now, or the move is refused, the files go one by one.
     */
    placeTrees(): (path: string) => boolean {
      const placed = new Set<string>();
      for (const tree of run.trees ?? []) {
        const from = join(folder, 'new', tree.staged);
        try {
          // What is no longer staged was moved before the run was interrupted.
          if (disk.lstat(from)) {
            if (present(tree.path)) continue;
            disk.rename(from, at(tree.path));
          }
          placed.add(tree.path);
        } catch (error) {
          if (!(error instanceof HostError)) throw error;
        }
      }
      const placedWith = folderFinder(placed);
      return placed.size === 0 ? () => false : path => placedWith(path) !== undefined;
    },

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
        if (!done || !now) return;
        if (sha256(disk.readBytes(at(step.path)) ?? new Uint8Array()) !== step.after!.sha256) return;
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
