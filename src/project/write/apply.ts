import { join, sep } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import { type Clock, HostError, type WritableDisk } from '../../host/host.ts';
import { isSameText } from '../../plan/line-ends.ts';
import {
  isEmptyManifest,
  manifestPath,
  partOf,
  printManifest,
  privateManifestPath,
} from '../../plan/manifest.ts';
import type { PlanEntry, Present, ReadPresent, WritePlan } from '../../plan/plan.ts';
import { folderFinder, parentOf } from '../../plan/safe-path.ts';
import { printWritten, readWritten } from '../../plan/written.ts';
import type { Changing } from '../../text/changing.ts';
import { type Backup, dropBackups, type FindCommitted, keepBackups } from './backup.ts';
import { carryOut, dropRunFolders } from './journal.ts';
import { presentReader } from './present.ts';
import {
  ensureState,
  finishedRuns,
  type Run,
  type RunStep,
  type StagedTree,
  type StatePaths,
  tidy,
} from './state.ts';

/** What a plan is carried out with. */
export interface ApplyOptions {
  readonly disk: WritableDisk;
  readonly clock: Clock;
  readonly findCommitted: FindCommitted;
  /** A run that this one takes back; it is forgotten, and this one is not recorded. Folders that it made go again. */
  readonly undoes?: Pick<Run, 'id' | 'directories'>;
}

/** What was written, or why nothing was. */
export type ApplyResult =
  | {
      readonly ok: true;
      readonly written: number;
      readonly deleted: number;
      readonly backups: readonly Backup[];
    }
  /** A file is not what it was when the plan was made: plan again. Nothing was changed. */
  | { readonly ok: false; readonly moved: string }
  /** The outside world failed. Nothing was changed. */
  | { readonly ok: false; readonly error: HostError };

/** The text of a record of ownership as it is now. */
export type ReadRecord = (path: string) => string | undefined;

/** Whether a plan would change anything on disk. */
export function hasWork(plan: WritePlan, read: ReadRecord): boolean {
  return (
    plan.entries.some(entry => entry.action !== 'keep') ||
    [manifestPath, privateManifestPath].some(path => isRecordNews(plan, path, read))
  );
}

/**
 * Whether a plan would change something that others see: private files are each machine's own affair, and a checkout
 * that has none is up to date.
 */
export const hasSharedWork = (plan: WritePlan, read: ReadRecord): boolean =>
  plan.entries.some(entry => entry.action !== 'keep' && !entry.private && !entry.modeOnly) ||
  isRecordNews(plan, manifestPath, read, comparable);

/** Whether a file is a program is not known on every system; an original that somebody removed needs no compile. */
const comparable = (text: string): string =>
  text.replace(/,"executable":true/g, '').replace(/,\n {2}"originals": \{\n[^}]*\n {2}\}/, '');

function isRecordNews(
  { manifest }: WritePlan,
  path: string,
  read: ReadRecord,
  view = (text: string) => text,
): boolean {
  const part = partOf(manifest, path);
  const text = read(path);
  if (text === undefined && isEmptyManifest(part)) return false;
  return view(printManifest(part)) !== view(text?.replace(/\r\n/g, '\n') ?? '');
}

/**
 * Carries a plan out, whole or not at all; the caller holds the lock of the project and has recovered it.
 * A journal says what is to happen, contents are staged while it goes to the medium, then it takes its name, and every
 * file is renamed to its place. A process that dies leaves a project that the next run brings to the new state or back
 * to the old one.
 */
export async function applyPlan(
  plan: WritePlan,
  places: StatePaths,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { disk } = options;
  const present = presentReader(places.root, disk);
  const work = plan.entries.filter(entry => entry.action !== 'keep');
  for (const entry of work) {
    if (!sameAsPlanned(entry.before, present(entry.path))) return { ok: false, moved: entry.path };
  }
  const time = options.clock();
  const id = nextId(disk, places, time);
  const folder = join(places.runs, id);
  let backups: Backup[] = [];
  let run: Run;
  const dropStaged = () => {
    tidy(() => disk.removeTree(folder));
    tidy(() => dropBackups(backups, places, disk));
  };
  try {
    ensureState(disk, places);
    disk.makeDirectory(join(folder, 'new'));
    disk.makeDirectory(join(folder, 'old'));
    backups = keepBackups(work, places, time, disk, options.findCommitted);
    remember(plan, places, disk);
    const staged = stage(work, plan, present, { places, id, time, ...options });
    run = staged.run;
    const draft = join(folder, 'draft');
    await writeAside(staged, draft, disk);
    disk.rename(draft, places.journal);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    dropStaged();
    return { ok: false, error };
  }
  const failure = carryOut(run, places, disk);
  if (failure) return { ok: false, error: failure };
  tidy(() => dropRunFolders(disk, places));
  const deleted = work.filter(entry => entry.action === 'delete').length;
  return { ok: true, written: work.length - deleted, deleted, backups };
}

/**
 * Takes down what is about to be written. A content that then was not written after all does no harm in the record:
 * nobody else writes it there. Neither does a record that is cut off: it counts as none.
 */
function remember({ entries, manifest }: WritePlan, places: StatePaths, disk: WritableDisk): void {
  const bytes = disk.readBytes(places.written);
  const written = readWritten(bytes && new TextDecoder().decode(bytes));
  const text = printWritten(written, entries, manifest.files);
  if (text === undefined) return;
  disk.writeBytes(places.written, new TextEncoder().encode(text));
}

function sameAsPlanned(planned: Present | undefined, now: Present | undefined): boolean {
  if (!planned || !now) return planned === now;
  if (planned.kind !== now.kind || planned.real !== now.real || planned.mode !== now.mode) return false;
  if (planned.obstacle?.kind !== now.obstacle?.kind) return false;
  return Buffer.compare(planned.read(), now.read()) === 0;
}

/** Ids sort in the order of the runs, also when the clock was set back. */
function nextId(disk: WritableDisk, places: StatePaths, time: Date): string {
  const last = finishedRuns(disk, places).at(-1);
  const number = last === undefined ? 1 : Number.parseInt(last, 10) + 1;
  return `${String(number).padStart(8, '0')}-${time.toISOString().slice(0, 19).replace(/[:-]/g, '')}Z`;
}

interface StageOptions extends ApplyOptions {
  readonly places: StatePaths;
  readonly id: string;
  readonly time: Date;
}

/** A run, and what is to be written aside for it: absolute paths, folders first, outer ones before inner ones. */
interface Staged {
  readonly run: Run;
  readonly folders: readonly string[];
  readonly files: readonly StagedFile[];
}

interface StagedFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
  /** Absent: a file is written. */
  readonly link: PlanEntry['link'] | undefined;
  /** The mode counts whatever the umask says. */
  readonly exact: boolean;
}

/** Writes the draft of the journal, and the contents while it goes to the medium. */
async function writeAside(staged: Staged, draft: string, disk: WritableDisk): Promise<void> {
  disk.writeBytes(draft, new TextEncoder().encode(`${JSON.stringify(staged.run)}\n`));
  const synced = disk.sync(draft);
  try {
    writeStaged(staged, disk);
  } catch (error) {
    // It is waited for, and what failed first is told.
    await synced.catch(() => {});
    throw error;
  }
  await synced;
}

function writeStaged({ folders, files }: Staged, disk: WritableDisk): void {
  for (const folder of folders) disk.makeDirectory(folder);
  for (const { path, content, mode, link, exact } of files) {
    if (link !== undefined) {
      disk.makeLink(link, path);
      continue;
    }
    disk.writeBytes(path, content, { mode, exclusive: true });
    if (exact) disk.setMode(path, mode);
  }
}

/** Says what is to be written aside and what is to be done with it, and gives present contents a second name. */
function stage(
  work: readonly PlanEntry[],
  plan: WritePlan,
  present: ReadPresent,
  options: StageOptions,
): Staged {
  const { disk, places, id } = options;
  const folder = join(places.runs, id);
  let number = 0;
  const directories = missingFolders(work, places, disk);
  const stagedIn = stageFolders(directories, join(folder, 'new'), () => String(number++));
  const prefix = join(folder, 'new') + sep;
  const files: StagedFile[] = [];
  const write = (
    content: Uint8Array,
    { path, mode, link }: Pick<PlanEntry, 'path' | 'mode' | 'link'>,
    exact: boolean,
  ): string => {
    const name = stagedIn.nameOf(path) ?? String(number++);
    files.push({ path: prefix + name, content, mode, link, exact });
    return name;
  };
  const save = (path: string, found: Present): RunStep['before'] => {
    const absolute = join(places.root, path);
    const link = found.kind === 'link' ? disk.readLink(absolute) : undefined;
    const common = { sha256: sha256(found.read()), mode: found.mode };
    if (link !== undefined) return { ...common, link };
    const saved = String(number++);
    copy(disk, absolute, join(folder, 'old', saved), found);
    return { ...common, saved };
  };

  const steps: RunStep[] = [];
  for (const kind of ['delete', 'write'] as const) {
    for (const entry of work) {
      if (entry.action !== kind) continue;
      const found = entry.before?.obstacle ? undefined : entry.before;
      const step: Changing<RunStep> = { path: entry.path, kind, state: entry.state };
      if (kind === 'write') {
        step.staged = write(entry.content!, entry, found?.kind === 'file');
        step.after = { sha256: entry.sha256, mode: entry.mode };
      }
      if (found) step.before = save(entry.path, found)!;
      if (entry.shared) {
        step.format = entry.shared.format;
        step.keys = entry.shared.changes;
        step.created = entry.shared.created;
      }
      steps.push(step);
    }
  }
  for (const path of [privateManifestPath, manifestPath]) {
    const part = partOf(plan.manifest, path);
    const before = present(path);
    const saved = () => (before && !before.obstacle ? { before: save(path, before)! } : {});
    if (isEmptyManifest(part)) {
      // Owning nothing is said by no manifest at all.
      if (before) steps.push({ path, kind: 'delete', state: 'removed', ...saved() });
      continue;
    }
    const content = new TextEncoder().encode(printManifest(part));
    if (before && isSameText(before.read(), content)) continue;
    steps.push({
      path,
      kind: 'write',
      state: before ? 'changed' : 'new',
      staged: write(content, { path, mode: 0o644 }, false),
      after: { sha256: sha256(content), mode: 0o644 },
      ...saved(),
    });
  }
  const run: Run = {
    version: 1,
    id,
    time: options.time.toISOString(),
    steps,
    directories,
    trees: stagedIn.trees,
    emptied: foldersLeft(work, options.undoes?.directories),
    ...(options.undoes && { undoes: options.undoes.id }),
  };
  return { run, folders: stagedIn.folders, files };
}

/**
 * Where the folders that a run needs (outer ones first) are made below `place`, each outermost one under a name of its
 * own: a move of it brings all that it holds to its place. `nameOf` gives the staged name of a file in one of them.
 */
function stageFolders(
  directories: readonly string[],
  place: string,
  name: () => string,
): Pick<Staged, 'folders'> & {
  readonly trees: StagedTree[];
  readonly nameOf: (path: string) => string | undefined;
} {
  const names = new Map<string, string>();
  const outermost = folderFinder(names);
  const nameOf = (path: string) => {
    const folder = outermost(path);
    return folder === undefined ? undefined : names.get(folder)! + path.slice(folder.length);
  };
  const folders: string[] = [];
  const prefix = place + sep;
  for (const path of directories) {
    if (outermost(path) === undefined) names.set(path, name());
    folders.push(prefix + nameOf(path)!);
  }
  return { trees: [...names].map(([path, staged]) => ({ path, staged })), folders, nameOf };
}

/** A second name costs nothing; where there are none, a copy. */
export function copy(
  disk: WritableDisk,
  from: string,
  to: string,
  found: Pick<Present, 'read' | 'mode'>,
): void {
  try {
    disk.link(from, to);
  } catch (error) {
    if (!(error instanceof HostError) || error.code === 'ENOSPC' || error.code === 'EDQUOT') throw error;
    disk.writeBytes(to, found.read(), { mode: found.mode });
    disk.setMode(to, found.mode);
  }
}

/** Folders that have to be made, outer ones first. */
function missingFolders(work: readonly PlanEntry[], { root }: StatePaths, disk: WritableDisk) {
  const there = new Map<string, boolean>([['', true]]);
  const isThere = (folder: string): boolean => {
    let known = there.get(folder);
    if (known === undefined) {
      known = isThere(parentOf(folder)) && disk.stat(join(root, folder))?.kind === 'directory';
      there.set(folder, known);
    }
    return known;
  };
  for (const { action, path } of work) if (action === 'write') isThere(parentOf(path));
  const all = [...there.keys()].filter(folder => !there.get(folder)).sort();
  return all;
}

/**
 * Folders of deleted files, inner ones first: they go when they are empty, as version control does it. Of a run that is
 * taken back only those go that it made.
 */
function foldersLeft(work: readonly PlanEntry[], made: readonly string[] | undefined): string[] {
  const left = new Set<string>();
  for (const { action, path } of work) {
    if (action !== 'delete') continue;
    for (let folder = parentOf(path); folder; folder = parentOf(folder)) {
      if (!made || made.includes(folder)) left.add(folder);
    }
  }
  return [...left].sort().reverse();
}
