import { dirname, join } from 'node:path';
import { HostError, readTextAt, type WritableDisk } from '../../host/host.ts';
import type { SharedFile } from '../../kinds/output.ts';
import { manifestPath, privateManifestPath } from '../../plan/manifest.ts';
import type { KeyChange, PlanState } from '../../plan/plan.ts';
import { type ProjectDisk, projectDisk, statePath } from './project-disk.ts';
import { sealText, unsealText } from './seal.ts';

/**
 * What writing runs keep on this machine, below `.instr/.state/`. None of it is committed. The JSON files but `lock` and
 * the stamps carry a seal (`seal.ts`), and the files of a run are checked against the hashes in its journal or record.
 *
 * - `runs/<id>/new/<n>`: staged contents; gone when the run is through
 * - `runs/<id>/old/<n>`: what the run replaced, for `undo`
 * - `runs/<id>/undone.json`: the record of a run while an `undo` that takes it back comes to its end
 * - `journal.json`: a run that is being carried out; it becomes `runs/<id>/run.json` when it is through
 * - `rollback.json`: the same while it is being taken back
 * - `backups/<time>/<path>`: copies for people of what was taken over
 * - `manifest.json`: the record of ownership of private files
 * - `written.json`: hashes of what was written here, by path
 * - `others.json`: hashes of files that are not ours although they lie where ours do, by path
 * - `lock`: the process that writes now
 */
export { statePath };

/** A project as writing runs see it: its guarded disk, and absolute paths of files below `.instr/.state`. */
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

/** Opens the state of a project; nothing is made. */
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

/** Where the record of a run lies; `aside` is its place while an `undo` that takes it back comes to its end. */
export function recordPlaces({ runs }: Pick<ProjectState, 'runs'>, id: string) {
  return { record: join(runs, id, 'run.json'), undoneRecord: join(runs, id, 'undone.json') };
}

/** One file of a run. `staged` and `saved` are names below the folder of the run. */
export interface RunStep {
  readonly path: string;
  readonly kind: 'write' | 'delete';
  readonly state: PlanState;
  readonly staged?: string;
  readonly before?: StoredFile;
  readonly after?: Omit<StoredFile, 'saved'>;
  /** For a shared file: the keys that changed, so that it can be taken back beside edits of the user. */
  readonly format?: SharedFile['format'];
  readonly keys?: readonly KeyChange[];
  readonly created?: readonly (readonly string[])[];
}

/** What a step found: a file with a saved copy, or a symbolic link that said `link`. */
export interface StoredFile {
  readonly sha256: string;
  readonly mode: number;
  readonly saved?: string;
  readonly link?: string;
}

/** A run as it is kept: the journal while it goes on, the record for `undo` afterwards. */
export interface Run {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Deletions first, the manifest last. */
  readonly steps: readonly RunStep[];
  /** Folders the run makes, relative to the root, outer ones first. */
  readonly directories: readonly string[];
  /** Folders that go when the run leaves them empty. */
  readonly emptied: readonly string[];
  /** A run that `undo` takes back; its record goes with the end of this one. */
  readonly undoes?: string;
}

/** Reads a journal or record. Gives `undefined` where there is none that this user made here. */
export function readRun({ root, disk }: ProjectState, path: string): Run | undefined {
  if (disk.lstat(path)?.kind !== 'file') return undefined;
  const text = unsealText(readTextAt(disk, path)?.trimEnd() ?? '', 'run', { root, disk });
  if (text === undefined) return undefined;
  const run = JSON.parse(text) as Run;
  return run.version === 1 ? run : undefined;
}

/** A run as the text of its journal. */
export const printRun = (run: Run, state: ProjectState): string =>
  `${sealText(JSON.stringify(run), 'run', state)}\n`;

/** Makes the folder for state, which tells version control to leave it alone. */
export function ensureState({ disk, folder }: ProjectState): void {
  const ignore = join(folder, '.gitignore');
  if (disk.lstat(ignore)) return;
  disk.makeDirectory(folder);
  disk.writeBytes(ignore, new TextEncoder().encode('*\n'));
}

/** What nobody could ask for. */
const dispensable: ReadonlySet<string> = new Set(['.gitignore']);

/** Takes the folder for state away when it holds nothing that anybody could ask for: no run, no copy, no record. */
export function dropEmptyState(state: ProjectState): void {
  const { disk, folder, runs } = state;
  ignoreHostErrors(() => {
    disk.removeEmptyDirectory(runs);
    if ((disk.list(folder) ?? []).some(({ name }) => !dispensable.has(name))) return;
    for (const name of dispensable) disk.removeFile(join(folder, name));
    if (disk.removeEmptyDirectory(folder)) disk.removeEmptyDirectory(dirname(folder));
    // Another run has begun meanwhile: what it keeps is not for version control.
    else ensureState(state);
  });
}

/** Cleaning up is never worth failing for: the next run does it again. */
export function ignoreHostErrors(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}

/** Whether a step writes one of the records of ownership, which are no files of the user's tools. */
export const isRecord = (path: string): boolean => path === manifestPath || path === privateManifestPath;

/** Runs of this user that are through, newest first, read one by one. */
export function* finishedRuns(state: ProjectState): Generator<Run> {
  const names = (state.disk.list(state.runs) ?? []).filter(({ kind }) => kind === 'directory');
  for (const { name } of names.reverse()) {
    const run = readRun(state, recordPlaces(state, name).record);
    // A record counts in its own folder, where its copies are.
    if (run?.id === name) yield run;
  }
}
