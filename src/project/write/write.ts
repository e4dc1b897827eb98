import { runPending } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, type Disk, HostError, type WritableDisk } from '../../host/host.ts';
import { emptyManifest, manifestPath, privateManifestPath, type WrittenFiles } from '../../plan/manifest.ts';
import type { PlanInput, WritePlan } from '../../plan/plan.ts';
import { checkOutputs, planWrites } from '../../plan/plan-writes.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';
import { type Committed, commitPlan, hasSharedWork, hasWork, reportMoved, unchanged } from './apply.ts';
import { isPending, recover, reportRecovery } from './journal.ts';
import { locked } from './locked.ts';
import { presentReader } from './present.ts';
import { readOwned, readWrittenFiles, recordAt } from './records.ts';
import { openState, type ProjectState, statePath } from './state.ts';

/** The outputs of a run, and where to write them. */
export interface WriteRequest
  extends Pick<
    PlanInput,
    'files' | 'force' | 'keep' | 'sources' | 'isSearched' | 'readersOf' | 'alsoReadAt' | 'removeOriginals'
  > {
  /** Absolute path of the project. */
  readonly root: string;
  readonly disk: WritableDisk;
  readonly clock: Clock;
  /** Outputs that no record of this machine contains. */
  readonly unrecorded?: WrittenFiles;
}

/** A write plan and its effect. */
export interface PlanOutcome {
  /** `undefined` after a damaged manifest was reported. */
  readonly plan: WritePlan | undefined;
  /** Whether the plan changes the disk. */
  readonly work: boolean;
  /** Whether the plan changes files under version control. */
  readonly sharedWork: boolean;
}

export interface WriteOutcome extends PlanOutcome, Committed {}

/** Plans without writing, for `--dry-run`, `--check` and `diff`. After an interrupted run, this is an error. */
export async function planOutputs(request: WriteRequest, report: Report): Promise<PlanOutcome> {
  if (isPending(openState(request.root, request.disk))) {
    report(runPending({}, { file: `${statePath}/journal.json` }));
    return none;
  }
  const { plan, work, sharedWork } = await planNow(request, report);
  return { plan, work, sharedWork };
}

/**
 * Reports problems of outputs that do not depend on edits, conflicts or earlier runs. A damaged manifest counts as
 * empty.
 */
export function checkPlaces(
  {
    root,
    disk,
    ...rest
  }: Pick<PlanInput, 'files' | 'sources'> & { readonly root: string; readonly disk: Disk },
  report: Report,
): void {
  const present = presentReader(root, disk);
  const { followLinks } = present;
  const manifest = readOwned(disk, root, () => {}) ?? emptyManifest;
  checkOutputs({ ...rest, present, followLinks, manifest, force: false, hash: sha256 }, report);
}

/**
 * Writes the outputs of a compile: all or none. Conflicts, drift and host failures are reported. A run without work
 * takes no lock.
 */
export async function writeOutputs(request: WriteRequest, report: Report): Promise<WriteOutcome> {
  const state = openState(request.root, request.disk);
  const first = await planUnlocked(request);
  const isDone = first?.plan && !first.work && !first.interrupted;
  // Nobody wrote during planning, so the plan is current.
  if (isDone && !isInterrupted(state) && first.records === recordsNow(request)) return refuse(first, report);
  const outcome = await locked(state, report, () => writeLocked(request, state, first, report));
  const { plan, work = false, sharedWork = false } = first ?? {};
  return outcome ?? { ok: false, plan, work, sharedWork, ...unchanged };
}

/** A plan and its inputs. */
interface Planning extends PlanOutcome {
  /** The texts of both manifests. */
  readonly records: string;
  /** Whether another run is in progress or was interrupted. */
  readonly interrupted: boolean;
  /** Findings of planning. */
  readonly findings: readonly Diagnostic[];
}

const recordsNow = ({ root, disk }: Pick<WriteRequest, 'root' | 'disk'>): string =>
  JSON.stringify([manifestPath, privateManifestPath].map(path => recordAt(disk, root, path) ?? null));

const isInterrupted = (state: ProjectState): boolean =>
  isPending(state) || state.disk.lstat(state.lock) !== undefined;

/** Plans on the current state. Findings are also given to `passOn`. */
async function planNow(request: WriteRequest, passOn?: Report): Promise<Planning> {
  const { root, disk, unrecorded = [], ...rest } = request;
  const { findings, report } = collectFindings(passOn);
  const state = openState(root, disk);
  const present = presentReader(root, disk);
  const interrupted = isInterrupted(state);
  const records = recordsNow(request);
  const manifest = readOwned(disk, root, report);
  if (!manifest) return { ...none, records, interrupted, findings };
  const written = new Map(readWrittenFiles(disk, root));
  for (const [path, file] of unrecorded)
    written.set(path, { ...file, sha256: [...(written.get(path)?.sha256 ?? []), ...file.sha256] });
  const { followLinks } = present;
  const plan = await planWrites({ ...rest, present, followLinks, manifest, written, hash: sha256 }, report);
  const read = (path: string) => recordAt(disk, root, path);
  const work = !plan.blocked && hasWork(plan, read);
  return { plan, work, sharedWork: work && hasSharedWork(plan, read), records, interrupted, findings };
}

const none = { plan: undefined, work: false, sharedWork: false };

/** Plans without the lock; `undefined` after a host failure, because another run may be writing. */
async function planUnlocked(request: WriteRequest): Promise<Planning | undefined> {
  try {
    return await planNow(request);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

/** The result of a plan that is not applied. */
function refuse({ plan, work, sharedWork, findings }: Planning, report: Report): WriteOutcome {
  findings.forEach(report);
  return { ok: plan !== undefined && !plan.blocked, plan, work, sharedWork, ...unchanged };
}

/** Applies the plan with the lock held, or a new plan if somebody wrote since. */
async function writeLocked(
  request: WriteRequest,
  state: ProjectState,
  first: Planning | undefined,
  report: Report,
): Promise<WriteOutcome> {
  const recovered = recover(state);
  reportRecovery(recovered, report);
  const isCurrent =
    !recovered &&
    first?.plan &&
    !first.plan.blocked &&
    !first.interrupted &&
    first.records === recordsNow(request);
  const planning = isCurrent ? first : await planNow(request);
  const { plan, work, sharedWork, findings } = planning;
  if (!plan || plan.blocked || !work) return refuse(planning, report);
  findings.forEach(report);
  const { moved, ...result } = await commitPlan(plan, state, request.clock, report);
  if (moved !== undefined) reportMoved(moved, report);
  return { plan, work, sharedWork, ...result };
}

/** Recovers an interrupted run before sources are read, because its files must not count as sources. */
export async function recoverProject(root: string, disk: WritableDisk, report: Report): Promise<void> {
  const state = openState(root, disk);
  if (isPending(state)) await locked(state, report, () => reportRecovery(recover(state), report));
}
