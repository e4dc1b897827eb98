import { dirname, join } from 'node:path';
import { ignoreHostErrors, readTextAt, type WritableDisk } from '../../host/host.ts';
import type { SharedFile } from '../../kinds/output.ts';
import { manifestPath, privateManifestPath } from '../../plan/manifest.ts';
import type { KeyChange, PlanState } from '../../plan/plan.ts';
import { type ProjectDisk, projectDisk, statePath } from './project-disk.ts';
import { sealText, unsealText } from './seal.ts';

/**
 * The state of runs on this machine, below `.instr/.state/`. It is not committed. All JSON files are sealed
 * (`seal.ts`), and files of a run are checked against the hashes in its journal or record.
 *
 * - `runs/<id>/new/<n>`: staged contents, until the run is complete
 * - `runs/<id>/old/<n>`: replaced contents, for `undo`
 * - `journal.json`: a run in progress; later `runs/<id>/run.json`
 * - `rollback.json`: a run that is reverted after a failure
 * - `backups/<time>/<path>`: copies of replaced files of the user
 * - `manifest.json`: the private manifest
 * - `written.json`: hashes of written files, by path
 * - `others.json`: hashes of files at places of outputs that are not owned, by path
 * - `lock`: the process that writes
 */
export { statePath };

/** A project with its guarded disk, and absolute paths below `.instr/.state`. */
export interface ProjectState {
  readonly root: string;
  readonly disk: ProjectDisk;
  readonly folder: string;
  readonly journal: string;
  readonly rollback: string;
  readonly runs: string;
  readonly lock: string;
  readonly written: string;
}

/** Opens the state of a project without creating it. */
export function openState(root: string, disk: WritableDisk): ProjectState {
  const folder = join(root, statePath);
  return {
    root,
    disk: projectDisk(disk, root),
    folder,
    journal: join(folder, 'journal.json'),
    rollback: join(folder, 'rollback.json'),
    runs: join(folder, 'runs'),
    lock: join(folder, 'lock'),
    written: join(folder, 'written.json'),
  };
}

/** The path of the record of a run. */
export const recordOf = ({ runs }: Pick<ProjectState, 'runs'>, id: string): string =>
  join(runs, id, 'run.json');

/** One file of a run. `staged` and `saved` are names in the folder of the run. */
export interface RunStep {
  readonly path: string;
  readonly kind: 'write' | 'delete';
  readonly state: PlanState;
  readonly staged?: string;
  readonly before?: StoredFile;
  readonly after?: Omit<StoredFile, 'saved'>;
  /** For a shared file: the changed keys, so that they can be reverted despite later edits. */
  readonly format?: SharedFile['format'];
  readonly keys?: readonly KeyChange[];
  readonly created?: readonly (readonly string[])[];
}

/** What a step found: a file with a saved copy, or a link. */
export interface StoredFile {
  readonly sha256: string;
  readonly mode: number;
  readonly saved?: string;
  readonly link?: string;
}

/** Where the old content of a replaced file is. */
export interface Backup {
  readonly path: string;
  /** Path of the copy, relative to the root. */
  readonly copy?: string;
  /** The commit that contains it; there is no copy then. */
  readonly commit?: string;
}

/** A run: a journal in progress, or a record for `undo`. */
export interface Run {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Deletions first, manifests last. */
  readonly steps: readonly RunStep[];
  /** Folders that the run makes, relative to the root, outer ones first. */
  readonly directories: readonly string[];
  /** Folders that are removed if they are empty. */
  readonly emptied: readonly string[];
  /** The run that this one reverts. */
  readonly undoes?: string;
}

/** Reads a journal or record; `undefined` if it is missing or its seal is invalid. */
export function readRun({ root, disk }: ProjectState, path: string): Run | undefined {
  if (disk.lstat(path)?.kind !== 'file') return undefined;
  const text = unsealText(readTextAt(disk, path)?.trimEnd() ?? '', 'run', { root, disk });
  if (text === undefined) return undefined;
  const run = JSON.parse(text) as Run;
  return run.version === 1 ? run : undefined;
}

export const printRun = (run: Run, state: ProjectState): string =>
  `${sealText(JSON.stringify(run), 'run', state)}\n`;

/** Creates the state folder with a `.gitignore`. */
export function ensureState({ disk, folder }: ProjectState): void {
  const ignore = join(folder, '.gitignore');
  if (disk.lstat(ignore)) return;
  disk.makeDirectory(folder);
  disk.writeBytes(ignore, new TextEncoder().encode('*\n'));
}

/** Removes the state folder if it contains nothing of use. */
export function dropEmptyState(state: ProjectState): void {
  const { disk, folder, runs } = state;
  ignoreHostErrors(() => {
    disk.removeEmptyDirectory(runs);
    if ((disk.list(folder) ?? []).some(({ name }) => name !== '.gitignore')) return;
    disk.removeFile(join(folder, '.gitignore'));
    if (disk.removeEmptyDirectory(folder)) disk.removeEmptyDirectory(dirname(folder));
    // Another run has started.
    else ensureState(state);
  });
}

/** Whether a path is a manifest. */
export const isRecord = (path: string): boolean => path === manifestPath || path === privateManifestPath;

/** Completed runs of this user, newest first, also undos and undone runs that are not cleaned up. */
export function recordedRuns(state: ProjectState): Run[] {
  const names = (state.disk.list(state.runs) ?? []).filter(({ kind }) => kind === 'directory');
  return names.reverse().flatMap(({ name }) => {
    const run = readRun(state, recordOf(state, name));
    // A record is only valid in its own folder.
    return run?.id === name ? [run] : [];
  });
}

/** Runs that can be reverted, newest first. */
export function finishedRuns(state: ProjectState): Run[] {
  const runs = recordedRuns(state);
  const undone = new Set(runs.flatMap(({ undoes }) => undoes ?? []));
  return runs.filter(({ id, undoes }) => undoes === undefined && !undone.has(id));
}
