import { dirname, join } from 'node:path';
import { HostError, type WritableDisk } from '../../host/host.ts';
import type { SharedFile } from '../../kinds/output.ts';
import { manifestPath, privateManifestPath } from '../../plan/manifest.ts';
import type { KeyChange, PlanState } from '../../plan/plan.ts';
import { checkRelativePath } from '../../text/portable-path.ts';

/**
 * What writing runs keep on this machine, below `.instr/.state/`. None of it is committed.
 *
 * - `runs/<id>/new/<n>`: staged contents, and staged folders with theirs; gone when the run is through
 * - `runs/<id>/old/<n>`: what the run replaced, for `undo`
 * - `runs/<id>/undone.json`: the record of a run while an `undo` that takes it back comes to its end
 * - `journal.json`: a run that is being carried out; it becomes `runs/<id>/run.json` when it is through
 * - `rollback.json`: the same while it is being taken back
 * - `backups/<time>/<path>`: copies for people of what was taken over
 * - `manifest.json`: the record of ownership of private files
 * - `written.json`: hashes of what was written here, by path
 * - `others.json`: hashes of files that are not ours although they lie where ours do, by path
 * - `lock`: the process that writes now
 * - `stamp-<command>.json`: what a run that changed nothing saw and said (`cli/unchanged`)
 */
export const statePath = '.instr/.state';

/** Absolute paths of the files below `.instr/.state`. */
export interface StatePaths {
  readonly root: string;
  readonly folder: string;
  readonly journal: string;
  readonly rollback: string;
  readonly runs: string;
  readonly lock: string;
  readonly written: string;
}

/** Those paths for a project. */
export function statePaths(root: string): StatePaths {
  const folder = join(root, statePath);
  return {
    root,
    folder,
    journal: join(folder, 'journal.json'),
    rollback: join(folder, 'rollback.json'),
    runs: join(folder, 'runs'),
    lock: join(folder, 'lock'),
    written: join(folder, 'written.json'),
  };
}

/** Where the record of a run lies; `aside` is its place while an `undo` that takes it back comes to its end. */
export function recordPlaces({ runs }: StatePaths, id: string) {
  return { record: join(runs, id, 'run.json'), aside: join(runs, id, 'undone.json') };
}

/** One file of a run. `staged` and `saved` are names below the folder of the run; in a staged folder, paths. */
export interface RunStep {
  readonly path: string;
  readonly kind: 'write' | 'delete';
  readonly state: PlanState;
  readonly staged?: string;
  readonly before?: StoredFile;
  readonly after?: { readonly sha256: string; readonly mode: number };
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

/** A folder that a run makes, relative to the root, and its name below the folder of the run. */
export interface StagedTree {
  readonly path: string;
  readonly staged: string;
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
  /** The outermost of them, each staged with all that comes into it, so that one move brings it to its place. */
  readonly trees?: readonly StagedTree[];
  /** Folders that go when the run leaves them empty. */
  readonly emptied: readonly string[];
  /** A run that `undo` takes back; its record goes with the end of this one. */
  readonly undoes?: string;
}

/**
 * Reads a journal or record. `undefined`: not there, or not one of ours. Its paths are judged like those of outputs,
 * because a repository could bring such a file along.
 */
export function readRun(disk: WritableDisk, path: string): Run | undefined {
  const bytes = disk.readBytes(path);
  if (!bytes) return undefined;
  try {
    const run = JSON.parse(new TextDecoder().decode(bytes)) as Run;
    const sane =
      run.version === 1 &&
      isName(run.id) &&
      (run.undoes === undefined || isName(run.undoes)) &&
      [...run.directories, ...run.emptied].every(isPlace) &&
      (run.trees ?? []).every(tree => isPlace(tree.path) && /^\d+$/.test(tree.staged)) &&
      run.steps.every(
        step =>
          isPlace(step.path) &&
          (step.staged === undefined || isStaged(step.staged)) &&
          (step.before?.saved === undefined || /^\d+$/.test(step.before.saved)),
      );
    return sane ? run : undefined;
  } catch {
    return undefined;
  }
}

const isName = (text: unknown) => typeof text === 'string' && /^[0-9TZ-]+$/.test(text);

/** A number, or a path in the folder that has one. */
const isStaged = (name: string): boolean =>
  /^\d+(?:\/|$)/.test(name) && checkRelativePath(name) === undefined;

const isPlace = (path: unknown) =>
  typeof path === 'string' &&
  checkRelativePath(path) === undefined &&
  (path === privateManifestPath || !path.toLowerCase().startsWith(`${statePath}/`));

/** Makes the folder for state, which tells version control to leave it alone. */
export function ensureState(disk: WritableDisk, places: StatePaths): void {
  const ignore = join(places.folder, '.gitignore');
  if (disk.lstat(ignore)) return;
  disk.makeDirectory(places.folder);
  disk.writeBytes(ignore, new TextEncoder().encode('*\n'));
}

/** What nobody could ask for. */
const dispensable: ReadonlySet<string> = new Set(['.gitignore', 'stamp-compile.json', 'stamp-validate.json']);

/** Takes the folder for state away when it holds nothing that anybody could ask for: no run, no copy, no record. */
export function dropEmptyState(disk: WritableDisk, places: StatePaths): void {
  try {
    disk.removeEmptyDirectory(places.runs);
    if ((disk.list(places.folder) ?? []).some(({ name }) => !dispensable.has(name))) return;
    for (const name of dispensable) disk.removeFile(join(places.folder, name));
    if (disk.removeEmptyDirectory(places.folder)) disk.removeEmptyDirectory(dirname(places.folder));
    // Another run has begun meanwhile: what it keeps is not for version control.
    else ensureState(disk, places);
  } catch (error) {
    // Cleaning up is never worth failing for.
    if (!(error instanceof HostError)) throw error;
  }
}

/** Cleaning up is never worth failing for: the next run does it again. */
export function tidy(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}

/** Whether a step writes one of the records of ownership, which are no files of the user's tools. */
export const isRecord = (path: string): boolean => path === manifestPath || path === privateManifestPath;

/** Ids of the runs that are through, oldest first. */
export function finishedRuns(disk: WritableDisk, places: StatePaths): string[] {
  return (disk.list(places.runs) ?? [])
    .filter(({ name, kind }) => kind === 'directory' && isName(name))
    .map(({ name }) => name)
    .filter(name => disk.lstat(recordPlaces(places, name).record));
}
