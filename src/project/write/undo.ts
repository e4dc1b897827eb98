import { join } from 'node:path';
import { nothingToUndo, undoEdited } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, HostError, type WritableDisk } from '../../host/host.ts';
import { loadFormat } from '../../plan/load-format.ts';
import {
  emptyManifest,
  joinManifests,
  type Manifest,
  manifestPath,
  privateManifestPath,
  readManifest,
} from '../../plan/manifest.ts';
import type { PlanEntry, Present, ReadPresent, WritePlan } from '../../plan/plan.ts';
import { undoKeys } from '../../plan/undo.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { Backup } from './apply.ts';
import { commitPlan, locked, reportMoved } from './commit.ts';
import { hasContent, interruptedRun, recover } from './journal.ts';
import { presentReader } from './present.ts';
import { reportRecovery } from './report.ts';
import { unsealText } from './seal.ts';
import {
  dropEmptyState,
  finishedRuns,
  isRecord,
  openState,
  type ProjectState,
  type Run,
  type RunStep,
  readRun,
  recordPlaces,
  type StoredFile,
  statePath,
} from './state.ts';

/** Which run is taken back, and how. */
export interface UndoRequest {
  readonly root: string;
  readonly disk: WritableDisk;
  readonly clock: Clock;
  /** Files that were edited since get their earlier content too; a copy of the edited one is kept. */
  readonly force: boolean;
}

/** What was taken back, or why nothing was. */
export interface UndoOutcome {
  readonly ok: boolean;
  /** When the run was made that is taken back, ISO 8601. */
  readonly time?: string;
  /** What changes, or would; sorted by path. */
  readonly entries: readonly PlanEntry[];
  readonly backups: readonly Backup[];
}

/** Takes back the last run that wrote something. Every obstacle has been reported. */
export async function undoLastRun(request: UndoRequest, report: Report): Promise<UndoOutcome> {
  const { root, disk } = request;
  const state = openState(root, disk);
  const nothing = { ok: false, entries: [], backups: [] };
  // Where no run ever kept anything, looking for one leaves nothing behind either.
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
  const interrupted = interruptedRun(state)?.run;
  // One that was killed while it swept up behind itself had only to say so.
  const undone = interrupted ? interrupted.undoes : undoneRun(state);
  const time = undone === undefined ? undefined : timeOf(undone, state);
  const recovered = recover(state) ?? (interrupted || undone === undefined ? undefined : 'finished');
  reportRecovery(recovered, report);
  // This is the run that was to be taken back: the next one is another wish.
  if (recovered === 'finished' && undone !== undefined)
    return { ok: true, ...(time !== undefined && { time }), entries: [], backups: [] };
  const run = finishedRuns(state).next().value;
  if (!run) {
    report(nothingToUndo({ path: statePath }));
    return { ok: false, entries: [], backups: [] };
  }
  const present = presentReader(state.root, state.disk);
  const undo: Undo = { run, state, force, report, present, deletedPaths: createdFiles(run, present) };
  const entries: PlanEntry[] = [];
  let edited = false;
  const manifests = readManifests(undo);
  if (!manifests) return { ok: false, time: run.time, entries, backups: [] };
  for (const step of run.steps) {
    if (isRecord(step.path)) continue;
    const entry = await undoStep(step, undo, manifests.now);
    if (entry === 'edited') edited = true;
    else if (entry) entries.push(entry);
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  if (edited) return { ok: false, time: run.time, entries, backups: [] };

  const plan: WritePlan = { entries, blocked: false, manifest: manifestAfter(manifests, run) };
  const { ok, moved, backups } = await commitPlan(plan, state, clock, report, run);
  if (moved !== undefined) reportMoved(moved, report);
  return { ok, time: run.time, entries, backups };
}

/** A run that was taken back and is not swept up yet. */
const undoneRun = (state: ProjectState): string | undefined =>
  (state.disk.list(state.runs) ?? []).find(
    ({ name }) => readRun(state, recordPlaces(state, name).undoneRecord)?.id === name,
  )?.name;

/** When a run was made whose taking back was interrupted. */
function timeOf(id: string, state: ProjectState): string | undefined {
  const { record, undoneRecord } = recordPlaces(state, id);
  return (readRun(state, record) ?? readRun(state, undoneRecord))?.time;
}

interface Undo {
  readonly run: Run;
  readonly state: ProjectState;
  readonly force: boolean;
  readonly report: Report;
  readonly present: ReadPresent;
  /** Files that the run made and nobody edited: they go, and make room for what was in their place. */
  readonly deletedPaths: ReadonlySet<string>;
}

const createdFiles = (run: Run, present: ReadPresent): Set<string> =>
  new Set(
    run.steps
      .filter(({ path, before, after }) => !before && after && matches(present(path), after))
      .map(({ path }) => path),
  );

/** Whether what is in the way of a file goes with the run: a file where a folder was, or a folder where a file was. */
function isDeletedByUndo(now: Present | undefined, { deletedPaths }: Undo): boolean {
  const obstacle = now?.obstacle;
  if (obstacle?.kind === 'parent') return deletedPaths.has(obstacle.path);
  const files = obstacle?.kind === 'directory' ? (obstacle.files?.() ?? []) : [];
  return files.length > 0 && files.every(file => deletedPaths.has(file));
}

/** What the run left, or found, at a path; as seen by what is there now. */
function matches(now: Present | undefined, stored: { sha256: string; link?: string } | undefined): boolean {
  if (!now || !stored) return !now && !stored;
  if (now.obstacle || (now.kind === 'link') !== (stored.link !== undefined)) return false;
  // The file behind a link may be one that the run wrote too.
  return stored.link !== undefined || sha256(now.read()) === stored.sha256;
}

/** One step backwards; `undefined`: it is as it was before the run already. */
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
  const common = { path, targets: [], needsBackup: !untouched, ...(now && { before: now }) };
  if (!before) {
    const content = now!.read();
    return {
      ...common,
      state: 'removed',
      action: 'delete',
      mode: now!.mode,
      bytes: content.length,
      sha256: sha256(content),
    };
  }
  const content = before.link === undefined ? savedContent(before, undo) : new Uint8Array();
  return {
    ...common,
    state: now && !makesRoom ? 'changed' : 'new',
    action: 'write',
    mode: before.mode,
    bytes: content.length,
    sha256: before.sha256,
    content,
    ...(before.link !== undefined && { link: before.link }),
  };
}

/** The copy of what a run replaced; one that is no longer what the run kept is a `HostError`. */
function savedContent(stored: StoredFile, { run, state }: Undo): Uint8Array {
  const path = join(state.runs, run.id, 'old', stored.saved!);
  const content = hasContent(path, stored, state.disk) ? state.disk.readBytes(path) : undefined;
  if (content) return content;
  const what = state.disk.lstat(path) ? 'is not the copy that the run kept' : 'does not exist';
  throw new HostError(`${path} ${what}.`, path, 'ENOENT');
}

/** A shared file that was edited beside our keys: only they go back. */
async function undoShared(
  step: RunStep,
  now: Present,
  undo: Undo,
  manifest: Manifest,
): Promise<PlanEntry | 'edited'> {
  const { path } = step;
  const format = await loadFormat(step.format!);
  const bytes = now.read();
  const text = new TextDecoder().decode(bytes);
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
  const common = { path, targets: [], needsBackup: edited, before: now, mode: now.mode };
  if (result.bare && !step.before) {
    return { ...common, state: 'removed', action: 'delete', bytes: bytes.length, sha256: sha256(bytes) };
  }
  const content = new TextEncoder().encode(result.text);
  return {
    ...common,
    state: 'changed',
    action: 'write',
    bytes: content.length,
    sha256: sha256(content),
    content,
  };
}

interface Manifests {
  readonly now: Manifest;
  readonly before: Manifest;
  /** Nothing was recorded since the run. */
  readonly same: boolean;
}

function readManifests(undo: Undo): Manifests | undefined {
  const shared = readRecord(manifestPath, undo);
  const own = shared && readRecord(privateManifestPath, undo);
  return (
    own && {
      now: joinManifests(shared.now, own.now),
      before: joinManifests(shared.before, own.before),
      same: shared.same && own.same,
    }
  );
}

/** One of the two records of ownership, as it is and as the run found it. */
function readRecord(path: string, undo: Undo): Manifests | undefined {
  const read = (bytes: Uint8Array | undefined) => {
    const text = bytes && new TextDecoder().decode(bytes);
    const opened = text && path === privateManifestPath ? unsealText(text, 'manifest', undo.state) : text;
    return readManifest(opened === undefined ? undefined : { name: path, text: opened }, undo.report);
  };
  const bytes = undo.present(path)?.read();
  const now = read(bytes);
  if (!now) return undefined;
  const step = undo.run.steps.find(step => step.path === path);
  if (!step) return { now, before: now, same: true };
  const before = step.before?.saved === undefined ? emptyManifest : read(savedContent(step.before, undo));
  const same = bytes ? sha256(bytes) === step.after?.sha256 : step.after === undefined;
  return before && { now, before, same };
}

/** The record from before the run; when others wrote to it since, only the files of the run go back. */
function manifestAfter({ now, before, same }: Manifests, run: Run): Manifest {
  if (same) return before;
  const files = new Map(now.files);
  for (const { path } of run.steps) {
    const earlier = before.files.get(path);
    if (earlier) files.set(path, earlier);
    else files.delete(path);
  }
  const wrote = new Set(run.steps.map(({ path }) => path));
  // Originals that the run removed are there again; those that a migration took down are its own affair no more.
  const originals = new Map([...now.originals].filter(([path]) => before.originals.has(path)));
  for (const [path, hash] of before.originals) if (wrote.has(path)) originals.set(path, hash);
  return { files, originals };
}
