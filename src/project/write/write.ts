import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import {
  lockBusy,
  outputBlocked,
  projectMoves,
  runPending,
  stateTracked,
} from '../../generated/diagnostics.ts';
import type { ReadContent } from '../../host/content-cache.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, type Disk, HostError, type WritableDisk } from '../../host/host.ts';
import { LockBusy, withLock } from '../../host/lock.ts';
import { overlayDisk } from '../../host/overlay.ts';
import { emptyManifest, manifestPath, privateManifestPath } from '../../plan/manifest.ts';
import type { WritePlan } from '../../plan/plan.ts';
import type { PlanInput } from '../../plan/plan-context.ts';
import { checkOutputs, planWrites } from '../../plan/plan-writes.ts';
import type { WrittenFiles } from '../../plan/written.ts';
import { applyPlan, hasSharedWork, hasWork } from './apply.ts';
import { type Backup, committedFinder } from './backup.ts';
import { isPending, recover } from './journal.ts';
import { presentReader } from './present.ts';
import { readOwned, readWrittenFiles, recordAt } from './records.ts';
import { reportFailure, reportRecovery, takeoverNote } from './report.ts';
import { ensureState, openState, type ProjectState, statePath } from './state.ts';
import { isStateTracked, stateObstacle } from './state-trust.ts';

/** The outputs of a run, and where they are to be written. */
export interface WriteRequest
  extends Pick<
    PlanInput,
    'files' | 'force' | 'keep' | 'sources' | 'isSearched' | 'readersOf' | 'alsoReadAt' | 'removeOriginals'
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
  if (!isPending(openState(root, disk))) {
    const { plan, work, sharedWork } = await planNow(request, report);
    return { plan, work, sharedWork };
  }
  const view = overlayDisk(disk);
  const state = openState(root, view);
  try {
    if (await isStateRefused(state, report)) return none;
    const recovered = recover(state);
    if (recovered) report(runPending({ outcome: recovered }));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, state, report);
    return none;
  }
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
  }: Pick<PlanInput, 'files' | 'sources'> & { readonly root: string; readonly disk: Disk },
  report: Report,
): Promise<void> {
  const present = presentReader(root, disk);
  const { followLinks } = present;
  const manifest = readOwned(disk, root, () => {}) ?? emptyManifest;
  await checkOutputs({ ...rest, present, followLinks, manifest, force: false, hash: sha256 }, report);
}

/**
 * Brings the outputs of a compile to disk: all of them, or none. Conflicts, drift and failures of the disk are
 * reported; the outcome then says that nothing was changed.
 */
export async function writeOutputs(request: WriteRequest, report: Report): Promise<WriteOutcome> {
  const state = openState(request.root, request.disk);
  const nothing = { written: 0, deleted: 0, backups: [] };
  let planning: Planning | undefined;
  try {
    planning = await withoutLock(request);
    if (!planning.interrupted && planning.plan && !planning.work && isQuiet(planning, state)) {
      planning.flush(report);
      return { ok: !planning.plan.blocked, plan: planning.plan, work: false, sharedWork: false, ...nothing };
    }
    const first = planning;
    const outcome = await locked(state, report, () => writeLocked(request, state, first, report));
    if (outcome) return outcome;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, state, report);
  }
  const { plan, work = false, sharedWork = false } = planning ?? {};
  return { ok: false, plan, work, sharedWork, ...nothing };
}

/** Whether nobody wrote while the plan was made: then a plan that refuses is right, and needs no lock. */
const isQuiet = ({ records }: Planning, state: ProjectState): boolean =>
  !isInterrupted(state) && isSame(records, recordsNow(state.disk, state.root));

/** The texts of both records of ownership. */
const recordsNow = (disk: WritableDisk, root: string): ReadonlyMap<string, string | undefined> =>
  new Map([manifestPath, privateManifestPath].map(path => [path, recordAt(disk, root, path)]));

const isSame = (a: Planning['records'], b: Planning['records']): boolean =>
  [...b].every(([path, text]) => a.get(path) === text);

const isInterrupted = (state: ProjectState): boolean =>
  isPending(state) || state.disk.lstat(state.lock) !== undefined;

interface Planning extends PlanOutcome {
  readonly records: ReadonlyMap<string, string | undefined>;
  /** Another run is at work, or was killed and has left its journal or its lock. */
  readonly interrupted: boolean;
  /** Hands on what was found while planning; a plan that is made again is silent. */
  flush(report: Report): void;
}

async function planNow(request: WriteRequest, report: Report): Promise<Omit<Planning, 'flush'>> {
  const { root, disk, readContent, lost = [], ...rest } = request;
  const state = openState(root, disk);
  const present = presentReader(root, disk, readContent);
  const interrupted = isInterrupted(state);
  if (isStateBlocked(state, report)) return { ...none, records: new Map(), interrupted };
  const records = recordsNow(disk, root);
  const manifest = readOwned(disk, root, report);
  if (!manifest) return { ...none, records, interrupted };
  const written = new Map(readWrittenFiles(disk, root));
  for (const [path, file] of lost)
    written.set(path, { ...file, sha256: [...(written.get(path)?.sha256 ?? []), ...file.sha256] });
  const plan = await planWrites(
    { ...rest, present, followLinks: present.followLinks, manifest, written, hash: sha256 },
    report,
  );
  const read = (path: string) => records.get(path);
  const work = !plan.blocked && hasWork(plan, read);
  return { plan, work, sharedWork: work && hasSharedWork(plan, read), records, interrupted };
}

const none = { plan: undefined, work: false, sharedWork: false };

/** Reports what of the state folder is a link, or no file or folder where there has to be one. */
function isStateBlocked(state: ProjectState, report: Report): boolean {
  const obstacle = stateObstacle(state);
  if (obstacle) report(outputBlocked(obstacle, { file: obstacle.path }));
  return obstacle !== undefined;
}

/** Reports state that cannot be that of this machine by the place where it lies, or because Git brings it. */
async function isStateRefused(state: ProjectState, report: Report): Promise<boolean> {
  if (isStateBlocked(state, report)) return true;
  const path = await isStateTracked(state);
  if (path !== undefined) report(stateTracked({ path }, { file: path }));
  return path !== undefined;
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
  state: ProjectState,
  first: Planning,
  report: Report,
): Promise<WriteOutcome> {
  const { disk, clock, root } = request;
  const nothing = { written: 0, deleted: 0, backups: [] };
  const recovered = recover(state);
  reportRecovery(recovered, report);
  let planning = first;
  let again = recovered !== undefined || first.interrupted || !first.plan || first.plan.blocked;
  again ||= !isSame(first.records, recordsNow(disk, root));
  for (let attempt = 1; ; attempt++) {
    if (again) planning = await buffered(request);
    if (!planning.plan || planning.plan.blocked || !planning.work) {
      planning.flush(report);
      const { plan, work, sharedWork } = planning;
      return { ok: !!plan && !plan.blocked, plan, work, sharedWork, ...nothing };
    }
    const findCommitted = await committedFinder(planning.plan.entries);
    const result = await applyPlan(planning.plan, state, { clock, findCommitted });
    if (!result.ok && 'moved' in result && attempt < attempts) {
      again = true;
      continue;
    }
    planning.flush(report);
    const outcome = { plan: planning.plan, work: planning.work, sharedWork: planning.sharedWork };
    if (result.ok) {
      const lost = new Map(planning.plan.entries.map(({ path, difference }) => [path, difference?.lost]));
      for (const backup of result.backups) report(takeoverNote(backup, lost.get(backup.path)));
      return { ...outcome, ...result };
    }
    if ('moved' in result) report(projectMoves({ path: result.moved }, { file: result.moved }));
    else reportFailure(result.error, state, report);
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
  const state = openState(root, disk);
  if (!isPending(state)) return disk;
  try {
    if (mode === 'write') {
      await locked(state, report, () => reportRecovery(recover(state), report));
      return disk;
    }
    const view = overlayDisk(disk);
    if (await isStateRefused(state, report)) return disk;
    recover(openState(root, view));
    return view;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, state, report);
    return disk;
  }
}

/** Runs `body` with the lock of the project; `undefined` when it cannot be had, which is reported. */
export async function locked<T>(
  state: ProjectState,
  report: Report,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  if (await isStateRefused(state, report)) return undefined;
  ensureState(state);
  try {
    return await withLock(state.disk, state.lock, { wait: patience }, body);
  } catch (error) {
    if (!(error instanceof LockBusy)) throw error;
    const holder = error.holder === undefined ? '' : ` (process ${error.holder})`;
    report(lockBusy({ holder, seconds: patience / 1000, path: `${statePath}/lock` }));
    return undefined;
  }
}
