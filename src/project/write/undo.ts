import { join } from 'node:path';
import { nothingToUndo, undoEdited } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, HostError, ignoreHostErrors, type WritableDisk } from '../../host/host.ts';
import { loadFormat } from '../../plan/load-format.ts';
import { type Manifest, manifestPath, privateManifestPath, readManifest } from '../../plan/manifest.ts';
import type { PlanEntry, Present, ReadPresent, WritePlan } from '../../plan/plan.ts';
import { undoKeys } from '../../plan/shared-keys.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { commitPlan, fileEntry, reportMoved } from './apply.ts';
import { dropRunFolders, hasContent, interruptedRun, recover } from './journal.ts';
import { locked } from './locked.ts';
import { presentReader } from './present.ts';
import { joinedManifest, readOwned, recordAt } from './records.ts';
import { unsealText } from './seal.ts';
import {
  type Backup,
  dropEmptyState,
  finishedRuns,
  isRecord,
  openState,
  type ProjectState,
  type Run,
  type RunStep,
  recordedRuns,
  type StoredFile,
  statePath,
} from './state.ts';

/** A request to revert the last run. */
export interface UndoRequest {
  readonly root: string;
  readonly disk: WritableDisk;
  readonly clock: Clock;
  /** Whether to revert edited files too; copies of these are kept. */
  readonly force: boolean;
}

/** The result of an undo. */
export interface UndoOutcome {
  readonly ok: boolean;
  /** When the reverted run was made, ISO 8601. */
  readonly time?: string;
  /** Changed files, sorted by path. */
  readonly entries: readonly PlanEntry[];
  readonly backups: readonly Backup[];
}

const nothing: UndoOutcome = { ok: false, entries: [], backups: [] };

/** Reverts the last run that wrote something. Obstacles are reported. */
export async function undoLastRun(request: UndoRequest, report: Report): Promise<UndoOutcome> {
  const { root, disk } = request;
  const state = openState(root, disk);
  // Without state, none is created.
  if (disk.lstat(state.folder) === undefined) {
    report(nothingToUndo({ path: statePath }));
    return nothing;
  }
  const outcome = await locked(state, report, () => undoLocked(request, state, report));
  if (outcome?.ok) dropEmptyState(state);
  return outcome ?? nothing;
}

async function undoLocked(request: UndoRequest, state: ProjectState, report: Report): Promise<UndoOutcome> {
  const { clock, force } = request;
  // An undo that was killed is finished, also if only its clean-up was missing. Another run is not undone then.
  const earlier =
    interruptedRun(state)?.run ?? recordedRuns(state).find(({ undoes }) => undoes !== undefined);
  const recovered = recover(state, report);
  if (earlier?.undoes !== undefined && recovered !== 'taken back') return { ...nothing, ok: true };
  const [run] = finishedRuns(state);
  if (!run) {
    report(nothingToUndo({ path: statePath }));
    return nothing;
  }
  const present = presentReader(state.root, state.disk);
  const undo: Undo = { run, state, force, report, present, deletedPaths: createdFiles(run, present) };
  const manifests = readManifests(undo);
  const { time } = run;
  if (!manifests) return { ...nothing, time };
  const planned: (PlanEntry | 'edited' | undefined)[] = [];
  for (const step of run.steps)
    if (!isRecord(step.path)) planned.push(await undoStep(step, undo, manifests.now));
  if (planned.includes('edited')) return { ...nothing, time };
  const entries = planned.filter(entry => typeof entry === 'object');
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const plan: WritePlan = { entries, blocked: false, manifest: manifestAfter(manifests, run) };
  const { ok, moved, backups } = await commitPlan(plan, state, clock, report, run);
  if (moved !== undefined) reportMoved(moved, report);
  // A record that could not be removed a moment ago would look like an undo that was killed.
  ignoreHostErrors(() => dropRunFolders(state));
  return { ok, time, entries, backups };
}

interface Undo {
  readonly run: Run;
  readonly state: ProjectState;
  readonly force: boolean;
  readonly report: Report;
  readonly present: ReadPresent;
  /** Unchanged files that the run created; they are deleted and may block others. */
  readonly deletedPaths: ReadonlySet<string>;
}

const createdFiles = (run: Run, present: ReadPresent): Set<string> =>
  new Set(
    run.steps
      .filter(({ path, before, after }) => !before && after && matches(present(path), after))
      .map(({ path }) => path),
  );

/** Whether the undo deletes what blocks a file: a file in place of a folder, or the files of a folder. */
function isDeletedByUndo(now: Present | undefined, { deletedPaths }: Undo): boolean {
  const obstacle = now?.obstacle;
  if (obstacle?.kind === 'parent') return deletedPaths.has(obstacle.path);
  const files = obstacle?.kind === 'directory' ? (obstacle.files?.() ?? []) : [];
  return files.length > 0 && files.every(file => deletedPaths.has(file));
}

/** Whether an existing file is what the run wrote or found. */
function matches(now: Present | undefined, stored: { sha256: string; link?: string } | undefined): boolean {
  if (!now || !stored) return !now && !stored;
  if (now.obstacle || (now.kind === 'link') !== (stored.link !== undefined)) return false;
  // The run may have written the file behind the link.
  return stored.link !== undefined || sha256(now.read()) === stored.sha256;
}

/** Plans to revert one step; `undefined` if nothing is to do. */
async function undoStep(
  step: RunStep,
  undo: Undo,
  manifest: Manifest,
): Promise<PlanEntry | 'edited' | undefined> {
  const { path, before } = step;
  const now = undo.present(path);
  if (matches(now, before)) return undefined;
  const makesRoom = isDeletedByUndo(now, undo);
  const untouched = matches(makesRoom ? undefined : now, step.after);
  if (!untouched && step.keys && now?.kind === 'file') return undoShared(step, now, undo, manifest);
  if (!untouched && (!undo.force || now?.obstacle)) {
    undo.report(undoEdited({ path, detail: '' }, { file: path }));
    return 'edited';
  }
  if (!before) return fileEntry(path, now, undefined, !untouched);
  const { mode, link, sha256 } = before;
  const saved =
    link === undefined
      ? { content: savedContent(before, undo) }
      : { content: new Uint8Array(), link, sha256 };
  const entry = fileEntry(path, now, { ...saved, mode }, !untouched);
  return makesRoom ? { ...entry, state: 'new' } : entry;
}

/** The saved copy of a replaced file. Throws `HostError` if it changed. */
function savedContent(stored: StoredFile, { run, state }: Undo): Uint8Array {
  const path = join(state.runs, run.id, 'old', stored.saved!);
  const content = hasContent(path, stored, state.disk) ? state.disk.readBytes(path) : undefined;
  if (content) return content;
  const what = state.disk.lstat(path) ? 'is not the copy that the run kept' : 'does not exist';
  throw new HostError(`${path} ${what}.`, path, 'ENOENT');
}

/** Reverts only the owned keys of a shared file that was edited. */
async function undoShared(
  step: RunStep,
  before: Present,
  undo: Undo,
  manifest: Manifest,
): Promise<PlanEntry | 'edited'> {
  const { path } = step;
  const format = await loadFormat(step.format!);
  const text = new TextDecoder().decode(before.read());
  const earlier = new Set((step.created ?? []).map(place => JSON.stringify(place)));
  const made = (manifest.files.get(path)?.created ?? []).filter(
    place => !step.before || !earlier.has(JSON.stringify(place)),
  );
  const result = undoKeys(format, text, step.keys!, made);
  const edited = !result || result.edited.length > 0;
  if (!result || (edited && !undo.force)) {
    const detail = result ? `: ${result.edited.join(', ')}` : '';
    undo.report(undoEdited({ path, detail }, { file: path }));
    return 'edited';
  }
  const isDeleted = result.bare && !step.before;
  const after = { content: new TextEncoder().encode(result.text), mode: before.mode };
  return fileEntry(path, before, isDeleted ? undefined : after, edited);
}

interface Manifests {
  readonly now: Manifest;
  readonly before: Manifest;
  /** Whether the manifest is unchanged since the run. */
  readonly same: boolean;
}

/** The manifest now and before the run; `undefined` after damage was reported. */
function readManifests(undo: Undo): Manifests | undefined {
  const { run, state, report, present } = undo;
  const stepOf = (path: string) => run.steps.find(step => step.path === path);
  const textBefore = (path: string) => {
    const step = stepOf(path);
    if (!step) return recordAt(state.disk, state.root, path);
    if (step.before?.saved === undefined) return undefined;
    const text = new TextDecoder().decode(savedContent(step.before, undo));
    return path === privateManifestPath ? unsealText(text, 'manifest', state) : text;
  };
  const now = readOwned(state.disk, state.root, report);
  const before =
    now &&
    joinedManifest(path => {
      const text = textBefore(path);
      return readManifest(text === undefined ? undefined : { name: path, text }, report);
    });
  const isSame = (path: string) => {
    const step = stepOf(path);
    return !step || matches(present(path), step.after);
  };
  return before && { now, before, same: [manifestPath, privateManifestPath].every(isSame) };
}

/** The manifest after the undo. If it changed since the run, only files of the run are reverted. */
function manifestAfter({ now, before, same }: Manifests, run: Run): Manifest {
  if (same) return before;
  const files = new Map(now.files);
  for (const { path } of run.steps) {
    const earlier = before.files.get(path);
    if (earlier) files.set(path, earlier);
    else files.delete(path);
  }
  const wrote = new Set(run.steps.map(({ path }) => path));
  // Originals that the run removed are restored; later ones are dropped.
  const originals = new Map([...now.originals].filter(([path]) => before.originals.has(path)));
  for (const [path, hash] of before.originals) if (wrote.has(path)) originals.set(path, hash);
  return { files, originals };
}
