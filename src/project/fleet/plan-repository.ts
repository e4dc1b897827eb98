import { join } from 'node:path';
import { exceedsLimit } from '../../emit/limits.ts';
import type { ChangedFile, NewlyExecutable } from '../../generated/types/report.ts';
import { HostError, readTextAt } from '../../host/host.ts';
import { isEmptyManifest, manifestPath, partOf, printManifest } from '../../plan/manifest.ts';
import { type LockEntry, printLock } from '../../registry/lock.ts';
import type { RegistryOverrides } from '../../registry/source-context.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { configNames } from '../../text/places.ts';
import { type Compiled, type CompileRequest, compileProject } from '../compile.ts';
import { executableFacts, isRecorded, joinExecutables, type RecordedExecutable } from '../executables.ts';
import { LOCK_FILE, openLock } from '../lock.ts';
import { findPackages, fromRoot, type Package } from '../packages.ts';
import { changedFiles, changedText } from '../preview-update.ts';
import type { Parse } from '../session/documents.ts';
import { singleSession } from '../session/session.ts';
import type { CompileContext } from '../session/world.ts';
import { type Change, isReached, overridesFor } from './change.ts';
import type { Repository } from './repositories.ts';

/** The parts of a finding by which two compiles are compared. */
export interface FleetFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file?: string;
}

/** The effect of a change on one project; empty if its outputs are not up to date. */
export interface ProjectPlan {
  /** Changed files under version control, including lock file and manifest. */
  readonly files: readonly ChangedFile[];
  readonly executable: readonly NewlyExecutable[];
  /** Findings that only occur after the change. */
  readonly findings: readonly FleetFinding[];
  /** Targets that exceed a limit only after the change. */
  readonly over: readonly string[];
  /** Why the project cannot be planned. */
  readonly error?: string;
}

export type SourceName = Pick<LockEntry, 'source' | 'url'>;

/** The plan of a project, or of all projects of a repository, and the sources that their locks name. */
interface Planned extends ProjectPlan {
  readonly sources: readonly SourceName[];
}

const unchanged: ProjectPlan = { files: [], executable: [], findings: [], over: [] };

/** How projects are planned. Without a change, the plan is that of a plain compile. */
export interface PlanOptions {
  readonly change: Change | undefined;
  /** When the plan started, in milliseconds, so that nothing is fetched twice. */
  readonly since: number;
  readonly parse: Parse;
}

/**
 * Plans the projects of a repository without writing; `undefined` for a repository without a project. A disk failure
 * becomes the error of the plan.
 */
export async function planRepository(
  { root, named, error: known }: Repository,
  options: PlanOptions,
  context: CompileContext,
): Promise<Planned | undefined> {
  const failed = (error: string): Planned => ({ ...unchanged, error, sources: [] });
  if (known !== undefined) return failed(known);
  try {
    const plans: Planned[] = [];
    for (const { root: cwd, path } of await projectsOf(root, context)) {
      const { files, error, ...plan } = await planProject(options, { ...context, cwd });
      plans.push({
        files: files.map(file => ({ ...file, path: fromRoot(path, file.path) })),
        ...plan,
        ...(error !== undefined && { error: path === '.' ? error : `${path}: ${error}` }),
      });
    }
    if (plans.length === 0) return named ? failed('It has no instr.yaml.') : undefined;
    const error = plans.find(plan => plan.error !== undefined)?.error;
    return {
      files: plans.flatMap(({ files }) => files),
      executable: plans.flatMap(({ executable }) => executable),
      findings: plans.flatMap(({ findings }) => findings),
      over: [...new Set(plans.flatMap(({ over }) => over))],
      ...(error !== undefined && { error }),
      sources: plans.flatMap(({ sources }) => sources),
    };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return failed(error.message);
  }
}

/** The projects of a repository: its root and listed packages, else all projects below it. */
async function projectsOf(root: string, given: CompileContext): Promise<readonly Package[]> {
  const context = { ...given, cwd: root, report: () => {} };
  const isProject = configNames.some(name => context.disk.stat(join(root, name))?.kind === 'file');
  return (await findPackages(context, isProject ? undefined : true))?.all ?? [{ root, path: '.' }];
}

/** Compiles a project from its pinned sources and, if the change affects it, again with the change. */
async function planProject({ change, since, parse }: PlanOptions, context: CompileContext): Promise<Planned> {
  const { compiled, findings } = await compileOnly({ frozen: true }, context, parse);
  const sources = (compiled?.pinned() ?? []).map(({ source, url }) => ({ source, url }));
  const failed = (error: string): Planned => ({ ...unchanged, error, sources });
  const files = compiled && !change ? await changedFiles(compiled) : [];
  if (!compiled || compiled.broken)
    return failed(findings.find(({ severity }) => severity === 'error')?.message ?? 'It cannot be read.');
  if (!change) return { ...unchanged, files, sources };
  const reached = await filterAsync(sources, source => isReached(change, source));
  if (reached.length === 0) return { ...unchanged, sources };
  if (compiled.sharedWork) {
    const [first] = await changedFiles(compiled);
    const path = first?.path ?? manifestPath;
    return failed(`It is not as its sources say (${path}); run \`prs compile\` there first.`);
  }
  const before = { findings, over: overIn(compiled) };
  const overrides = { ...overridesFor(change), since };
  return { ...(await planChanged(before, change, context, parse, overrides)), sources };
}

/** Compiles without writing; returns errors and warnings. */
async function compileOnly(
  request: Omit<CompileRequest, 'mode' | 'trial'>,
  context: CompileContext,
  parse: Parse,
): Promise<{ readonly compiled: Compiled | undefined; readonly findings: readonly FleetFinding[] }> {
  const found: Diagnostic[] = [];
  const report = (one: Diagnostic) => void (one.severity !== 'info' && found.push(one));
  const world = { ...context, report };
  const session = singleSession(world, parse);
  const compiled = await compileProject({ ...request, mode: 'plan', trial: true }, world, session);
  return { compiled: typeof compiled === 'string' ? undefined : compiled, findings: found.map(findingOf) };
}

const findingOf = ({ code, severity, message, file, span }: Diagnostic): FleetFinding => {
  const name = span?.source.name ?? file;
  return {
    code,
    severity: severity as FleetFinding['severity'],
    message,
    ...(name !== undefined && { file: name }),
  };
};

const overIn = ({ budgets }: Compiled): string[] => budgets.filter(exceedsLimit).map(({ target }) => target);

/** Compiles a project with the change applied and new executables accepted. */
async function planChanged(
  before: Pick<ProjectPlan, 'findings' | 'over'>,
  change: Change,
  context: CompileContext,
  parse: Parse,
  registryOverrides: RegistryOverrides,
): Promise<ProjectPlan> {
  const present = openLock(context.cwd, { disk: context.disk, report: () => {} });
  const lock = typeof present === 'string' ? undefined : present;
  const pinned = lock?.lock.entries ?? [];
  const entries = await filterAsync(pinned, async place => !(await isReached(change, place)));
  const found: RecordedExecutable[] = [];
  const request = { locking: { from: { ...lock?.lock, entries }, found }, registryOverrides };
  const { compiled, findings } = await compileOnly(request, context, parse);
  const known = new Set(before.findings.map(comparable));
  const error = findings.find(({ severity }) => severity === 'error');
  const fresh = found.filter(one => !isRecorded(one, lock?.lock));
  const text = compiled && printLock({ entries: compiled.pinned(), executables: joinExecutables(found) });
  return {
    files: compiled && !error ? await filesOf(compiled, lock?.text, text, context) : [],
    executable: [...new Map(fresh.map(one => [`${one.name} ${one.sha256}`, executableFacts(one)])).values()],
    findings: findings.filter(one => !known.has(comparable(one))),
    over: (compiled ? overIn(compiled) : []).filter(target => !before.over.includes(target)),
    ...(error && { error: error.message }),
  };
}

/** A finding without commits, so that it is equal for another commit. */
const comparable = ({ code, message, file = '' }: FleetFinding): string =>
  `${code} ${file} ${message}`.replace(/@[0-9a-f]{12}(?=:)/g, '');

/** The changed files. Lock file and manifest are only included if another file changes. */
async function filesOf(
  compiled: Compiled,
  lockBefore: string | undefined,
  lockAfter: string | undefined,
  { disk, cwd }: CompileContext,
): Promise<ChangedFile[]> {
  const files = await changedFiles(compiled);
  if (files.length === 0) return [];
  const { manifest } = compiled;
  const shared = manifest && partOf(manifest, manifestPath);
  const manifestAfter = shared && !isEmptyManifest(shared) ? printManifest(shared) : undefined;
  const manifestBefore = readTextAt(disk, join(cwd, ...manifestPath.split('/')));
  const records = [
    await changedText(LOCK_FILE, lockBefore, lockAfter),
    await changedText(manifestPath, manifestBefore, manifestAfter),
  ];
  return [...files, ...records.flatMap(file => file ?? [])].sort((a, b) => compareCodeUnits(a.path, b.path));
}

async function filterAsync<T>(all: readonly T[], accepts: (one: T) => Promise<boolean>): Promise<T[]> {
  const accepted = await Promise.all(all.map(accepts));
  return all.filter((_, at) => accepted[at]);
}
