import { runPending } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, type Disk, HostError, type WritableDisk } from '../../host/host.ts';
import { emptyManifest, manifestPath, privateManifestPath, type WrittenFiles } from '../../plan/manifest.ts';
import type { PlanInput, WritePlan } from '../../plan/plan.ts';
import { checkOutputs, planWrites } from '../../plan/plan-writes.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';
import { type Committed, commitPlan, reportMoved, unchanged, workOf } from './apply.ts';
import { isPending, recover } from './journal.ts';
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
  if (!isPending(openState(request.root, request.disk))) return planNow(request, report);
  report(runPending({}, { file: `${statePath}/journal.json` }));
  return none;
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
  const { findings, report: collect } = collectFindings();
  const undisturbed = await planUndisturbed(request, state, collect);
  if (undisturbed && !undisturbed.planning.work) {
    findings.forEach(report);
    return resultWithoutWork(undisturbed.planning);
  }
  const outcome = await locked(state, report, async () => {
    const recovered = recover(state, report);
    const isCurrent = undisturbed && !recovered && undisturbed.records === recordsNow(request);
    if (isCurrent) findings.forEach(report);
    const planning = isCurrent ? undisturbed.planning : await planNow(request, report);
    const { plan, work } = planning;
    if (!plan || !work) return resultWithoutWork(planning);
    const { moved, ...result } = await commitPlan(plan, state, request.clock, report);
    if (moved !== undefined) reportMoved(moved, report);
    return { ...planning, ...result };
  });
  return outcome ?? { ...(undisturbed?.planning ?? none), ok: false, ...unchanged };
}

const none = { plan: undefined, work: false, sharedWork: false };

const resultWithoutWork = (planning: PlanOutcome): WriteOutcome => ({
  ...planning,
  ok: planning.plan !== undefined && !planning.plan.blocked,
  ...unchanged,
});

const recordsNow = ({ root, disk }: WriteRequest): string =>
  JSON.stringify([manifestPath, privateManifestPath].map(path => recordAt(disk, root, path) ?? null));

/**
 * Plans without the lock; `undefined` if another run is in progress, was interrupted, or wrote meanwhile. `records` are
 * the texts of both manifests.
 */
async function planUndisturbed(
  request: WriteRequest,
  state: ProjectState,
  report: Report,
): Promise<{ readonly planning: PlanOutcome; readonly records: string } | undefined> {
  const isDisturbed = () => isPending(state) || state.disk.lstat(state.lock) !== undefined;
  if (isDisturbed()) return undefined;
  try {
    const records = recordsNow(request);
    const planning = await planNow(request, report);
    return isDisturbed() || records !== recordsNow(request) ? undefined : { planning, records };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

async function planNow(request: WriteRequest, report: Report): Promise<PlanOutcome> {
  const { root, disk, unrecorded = [], ...rest } = request;
  const manifest = readOwned(disk, root, report);
  if (!manifest) return none;
  const written = new Map(readWrittenFiles(disk, root));
  for (const [path, file] of unrecorded)
    written.set(path, { ...file, sha256: [...(written.get(path)?.sha256 ?? []), ...file.sha256] });
  const present = presentReader(root, disk);
  const { followLinks } = present;
  const plan = await planWrites({ ...rest, present, followLinks, manifest, written, hash: sha256 }, report);
  return plan.blocked ? { ...none, plan } : { plan, ...workOf(plan, path => recordAt(disk, root, path)) };
}

/** Recovers an interrupted run before sources are read, because its files must not count as sources. */
export async function recoverProject(root: string, disk: WritableDisk, report: Report): Promise<void> {
  const state = openState(root, disk);
  if (isPending(state)) await locked(state, report, () => recover(state, report));
}
