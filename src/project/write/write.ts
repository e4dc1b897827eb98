import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { lockBusy, outputBlocked, projectMoves, runPending } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, type Disk, HostError, type WritableDisk } from '../../host/host.ts';
import type { ReadContent } from '../../host/kept-contents.ts';
import { LockBusy, withLock } from '../../host/lock.ts';
import { overlayDisk } from '../../host/overlay.ts';
import { emptyManifest, manifestPath, privateManifestPath } from '../../plan/manifest.ts';
import type { ReadPresent, WritePlan } from '../../plan/plan.ts';
import type { PlanInput } from '../../plan/plan-context.ts';
import { checkOutputs, planWrites } from '../../plan/plan-writes.ts';
import type { WrittenFiles } from '../../plan/written.ts';
import { perObject } from '../../text/memo.ts';
import { applyPlan, hasSharedWork, hasWork } from './apply.ts';
import { type Backup, committedFinder } from './backup.ts';
import { recover } from './journal.ts';
import { presentReader } from './present.ts';
import { readOwned, readWrittenFiles, textAt } from './records.ts';
import { reportFailure, reportRecovery, takeoverNote } from './report.ts';
import { ensureState, type StatePaths, statePath, statePaths } from './state.ts';

/** The outputs of a run, and where they are to be written. */
export interface WriteRequest
  extends Pick<
    PlanInput,
    | 'files'
    | 'force'
    | 'keep'
    | 'sources'
    | 'linked'
    | 'isSearched'
    | 'readersOf'
    | 'alsoReadAt'
    | 'removeOriginals'
  > {
  /** Absolute path of the project. */
  readonly root: string;
  readonly disk: WritableDisk;
  readonly clock: Clock;
  /** Files that are ours although no record of this machine says so. */
  readonly lost?: WrittenFiles;
  /** Reads what is there already, and keeps it; absent: it is read from the disk. */
  readonly readContent?: ReadContent | undefined;
}

/** A write plan with what carrying it out would change. */
export interface PlanOutcome {
  /** `undefined` when the record of ownership cannot be used; that has been reported. */
  readonly plan: WritePlan | undefined;
  /** Writing this plan would change something on disk. */
  readonly work: boolean;
  /** It would change something that version control sees. */
  readonly sharedWork: boolean;
}

/** A write plan with what carrying it out has changed. */
export interface WriteOutcome extends PlanOutcome {
  /** The project is now as planned. `false`: nothing was changed, and a report says why. */
  readonly ok: boolean;
  readonly written: number;
  readonly deleted: number;
  readonly backups: readonly Backup[];
}

/** Milliseconds that a run waits for another one. */
const patience = 30_000;

/** So often a plan is made again because files changed between planning and writing. */
const attempts = 5;

/**
 * Plans without writing: for `--dry-run`, `--check` and `diff`. What an interrupted run left is seen as the next
 * writing run will leave it, which is reported; there is work then in any case.
 */
export async function planOutputs(request: WriteRequest, report: Report): Promise<PlanOutcome> {
  const { root, disk } = request;
  const places = statePaths(root);
  const isPending = [places.journal, places.rollback].some(path => disk.lstat(path));
  const view = isPending ? overlayDisk(disk) : disk;
  const recovered = isPending ? recover(places, view) : undefined;
  if (!recovered) {
    const { plan, work, sharedWork } = await planNow(request, report);
    return { plan, work, sharedWork };
  }
  report(runPending({ outcome: recovered }));
  const { plan } = await planNow({ ...request, disk: view }, report);
  const work = plan !== undefined && !plan.blocked;
  return { plan, work, sharedWork: work };
}

/**
 * Reports what is wrong with outputs wherever they come to lie, and what of them cannot reach a tool: what does not
 * depend on edits, conflicts or earlier runs. A record of ownership that cannot be used counts as an empty one.
 */
export async function checkPlaces(
  {
    root,
    disk,
    ...rest
  }: Pick<PlanInput, 'files' | 'sources' | 'pauses'> & { readonly root: string; readonly disk: Disk },
  report: Report,
): Promise<void> {
  const present = presentReader(root, disk);
  const { followLinks } = present;
  const readManifest = () => readOwned(disk, root, () => {}) ?? emptyManifest;
  const input = { ...rest, present, followLinks, force: false, hash: hashOf };
  await checkOutputs(input, readManifest, report);
}

/**
 * Brings the outputs of a compile to disk: all of them, or none. Conflicts, drift and failures of the disk are
 * reported; the outcome then says that nothing was changed.
 */
export async function writeOutputs(request: WriteRequest, report: Report): Promise<WriteOutcome> {
  const { root, disk } = request;
  const places = statePaths(root);
  const nothing = { written: 0, deleted: 0, backups: [] };
  let state: Planning | undefined;
  try {
    state = await withoutLock(request);
    if (!state.interrupted && state.plan && !state.work && isQuiet(state, places, disk)) {
      state.flush(report);
      return { ok: !state.plan.blocked, plan: state.plan, work: false, sharedWork: false, ...nothing };
    }
    const first = state;
    const outcome = await locked(places, disk, report, () => writeLocked(request, places, first, report));
    if (outcome) return outcome;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, places, disk, report);
  }
  const { plan, work = false, sharedWork = false } = state ?? {};
  return { ok: false, plan, work, sharedWork, ...nothing };
}

/** Whether nobody wrote while the plan was made: then a plan that refuses is right, and needs no lock. */
const isQuiet = ({ records }: Planning, places: StatePaths, disk: WritableDisk): boolean =>
  !isInterrupted(places, disk) && isSame(records, recordsNow(disk, places.root));

/** The texts of both records of ownership. */
const recordsNow = (disk: WritableDisk, root: string): ReadonlyMap<string, string | undefined> =>
  new Map([manifestPath, privateManifestPath].map(path => [path, textAt(disk, root, path)]));

const isSame = (a: Planning['records'], b: Planning['records']): boolean =>
  [...b].every(([path, text]) => a.get(path) === text);

const isInterrupted = ({ journal, rollback, lock }: StatePaths, disk: WritableDisk): boolean =>
  [journal, rollback, lock].some(path => disk.lstat(path));

interface Planning extends PlanOutcome {
  readonly records: ReadonlyMap<string, string | undefined>;
  /** Another run is at work, or was killed and has left its journal or its lock. */
  readonly interrupted: boolean;
  /** Hands on what was found while planning; a plan that is made again is silent. */
  flush(report: Report): void;
}

async function planNow(request: WriteRequest, report: Report): Promise<Omit<Planning, 'flush'>> {
  const { root, disk, readContent, lost = [], ...rest } = request;
  const places = statePaths(root);
  const present = presentReader(root, disk, readContent);
  const interrupted = isInterrupted(places, disk);
  if (isStateBlocked(present, report)) return { ...none, records: new Map(), interrupted };
  const records = recordsNow(disk, root);
  const manifest = readOwned(disk, root, report);
  if (!manifest) return { ...none, records, interrupted };
  const written = new Map(readWrittenFiles(disk, root));
  for (const [path, file] of lost)
    written.set(path, { ...file, sha256: [...(written.get(path)?.sha256 ?? []), ...file.sha256] });
  const plan = await planWrites(
    { ...rest, present, followLinks: present.followLinks, manifest, written, hash: hashOf },
    report,
  );
  const read = (path: string) => records.get(path);
  const work = !plan.blocked && hasWork(plan, read);
  return { plan, work, sharedWork: work && hasSharedWork(plan, read), records, interrupted };
}

/** Nobody writes into contents, so that the same ones have the same hash. */
const hashOf = perObject(sha256);

const none = { plan: undefined, work: false, sharedWork: false };

/** The folder for state must lie in the project; one that a link leads elsewhere is reported. */
function isStateBlocked(present: ReadPresent, report: Report): boolean {
  for (const path of [manifestPath, `${statePath}/lock`]) {
    const obstacle = present(path)?.obstacle;
    if (!obstacle) continue;
    const reason = `${obstacle.path} is in the way, or leads out of the project`;
    report(outputBlocked({ path, reason }, { file: obstacle.path }));
    return true;
  }
  return false;
}

async function buffered(request: WriteRequest): Promise<Planning> {
  const found: Diagnostic[] = [];
  const planning = await planNow(request, diagnostic => found.push(diagnostic));
  return { ...planning, flush: report => found.forEach(report) };
}

/** A plan that is made while others may write: what fails to be read is looked at again when nobody does. */
async function withoutLock(request: WriteRequest): Promise<Planning> {
  try {
    return await buffered(request);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { ...none, records: new Map(), interrupted: true, flush: () => {} };
  }
}

/** Writes while the lock is held. The plan in hand counts when nobody wrote since it was made. */
async function writeLocked(
  request: WriteRequest,
  places: StatePaths,
  first: Planning,
  report: Report,
): Promise<WriteOutcome> {
  const { disk, clock, root } = request;
  const nothing = { written: 0, deleted: 0, backups: [] };
  const recovered = recover(places, disk);
  reportRecovery(recovered, report);
  let state = first;
  let again = recovered !== undefined || first.interrupted || !first.plan || first.plan.blocked;
  again ||= !isSame(first.records, recordsNow(disk, root));
  for (let attempt = 1; ; attempt++) {
    if (again) state = await buffered(request);
    if (!state.plan || state.plan.blocked || !state.work) {
      state.flush(report);
      const { plan, work, sharedWork } = state;
      return { ok: !!plan && !plan.blocked, plan, work, sharedWork, ...nothing };
    }
    const findCommitted = await committedFinder(state.plan.entries);
    const result = await applyPlan(state.plan, places, { disk, clock, findCommitted });
    if (!result.ok && 'moved' in result && attempt < attempts) {
      again = true;
      continue;
    }
    state.flush(report);
    const outcome = { plan: state.plan, work: state.work, sharedWork: state.sharedWork };
    if (result.ok) {
      const lost = new Map(state.plan.entries.map(({ path, difference }) => [path, difference?.lost]));
      for (const backup of result.backups) report(takeoverNote(backup, lost.get(backup.path)));
      return { ...outcome, ...result };
    }
    if ('moved' in result) report(projectMoves({ path: result.moved }, { file: result.moved }));
    else reportFailure(result.error, places, disk, report);
    return { ok: false, ...outcome, ...nothing };
  }
}

/**
 * Brings what an interrupted run left to one state before the sources are read, because what such a run was to write or
 * to remove must not be taken for a source. Gives the disk to read from: where nothing is written, one that only looks
 * as if that had been done.
 */
export async function settleProject(
  root: string,
  mode: 'write' | 'plan',
  disk: WritableDisk,
  report: Report,
): Promise<WritableDisk> {
  const places = statePaths(root);
  if (![places.journal, places.rollback].some(path => disk.lstat(path))) return disk;
  try {
    if (mode === 'write') {
      await locked(places, disk, report, () => reportRecovery(recover(places, disk), report));
      return disk;
    }
    const view = overlayDisk(disk);
    recover(places, view);
    return view;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, places, disk, report);
    return disk;
  }
}

/** Runs `body` with the lock of the project; `undefined` when it cannot be had, which is reported. */
export async function locked<T>(
  places: StatePaths,
  disk: WritableDisk,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  if (isStateBlocked(presentReader(places.root, disk), report)) return undefined;
  ensureState(disk, places);
  try {
    return await withLock(disk, places.lock, { wait: patience }, body);
  } catch (error) {
    if (!(error instanceof LockBusy)) throw error;
    const holder = error.holder === undefined ? '' : ` (process ${error.holder})`;
    report(lockBusy({ holder, seconds: patience / 1000, path: `${statePath}/lock` }));
    return undefined;
  }
}
