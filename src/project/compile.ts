import { join, relative, sep } from 'node:path';
import type { Waiver } from '../check/policy/waivers.ts';
import type { Budget } from '../emit/limits.ts';
import type { Overlap } from '../emit/overlap.ts';
import type { Placement } from '../emit/placed.ts';
import { originalsBeside } from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Manifest, OwnedFile } from '../plan/manifest.ts';
import type { Original, PlanEntry, WritePlan } from '../plan/plan.ts';
import type { LockEntry } from '../registry/lock.ts';
import { type DeclaredAt, findDeclaration } from '../resolve/written-at.ts';
import { siblingMainFiles } from '../spec/reads.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../text/diagnostics/report.ts';
import { compareCodeUnits } from '../text/order.ts';
import { specsPath } from '../text/places.ts';
import { joinPath } from './gather/find.ts';
import { projectRegistries } from './gather/registries.ts';
import type { GitMode } from './git/listed.ts';
import { listForGit } from './git/listed.ts';
import { hideFromGit, warnOfPrivateFiles, warnOfTracked } from './git/warnings.ts';
import { LOCK_FILE, type RegistryMode } from './lock.ts';
import { type BuildOutputs, type MadeOutputs, makeOutputs } from './make-outputs.ts';
import { readersOf } from './move-in/readers.ts';
import type { Build, BuildChoice, ChosenBuilds } from './open/builds.ts';
import { atTargets, type OpenFailure, type Project, withRuleSeverities } from './open/open.ts';
import { waiversOf } from './open/policy-namings.ts';
import { checkLeftovers, gatherOthers } from './pin.ts';
import { type Session, singleSession } from './session/session.ts';
import type { CompileContext, WithDisk } from './session/world.ts';
import { rememberOthers } from './write/records.ts';
import { planOutputs, recoverProject, type WriteRequest, writeOutputs } from './write/write.ts';

/** What is compiled, and whether it is written. */
export interface CompileRequest extends BuildChoice, RegistryMode {
  /** `plan`: nothing is written. */
  readonly mode: 'write' | 'plan';
  readonly force?: boolean;
  /** What a migration read and no output replaces goes. */
  readonly removeOriginals?: boolean;
  /** Layout of the main files instead of the configured one, to compare. */
  readonly layout?: 'each' | 'once';
  /** One of many compiles that only try something out: advice for users is left out. */
  readonly trial?: boolean;
}

/** The outcome of a compile. */
export interface Compiled {
  /** Absolute path of the project. */
  readonly root: string;
  /** Every planned file, sorted by path. */
  readonly entries: readonly PlanEntry[];
  readonly omissions: readonly Omission[];
  /** Names of the files that were read as sources, in the order they were read. */
  readonly sources: readonly string[];
  /** Patterns of `input` that led to some of them. */
  readonly patterns: readonly string[];
  /** Where the text of an omission was declared; looked up for those who show it. */
  readonly locate: (omission: Omission) => DeclaredAt | undefined;
  /** What each target puts into every session, of the builds of this run. */
  readonly budgets: readonly Budget[];
  /** Entries that targets read in files of others in another way than they are meant, of the builds of this run. */
  readonly overlaps: readonly Overlap[];
  /** The place of each part of the program for each target, of the builds of this run. */
  readonly placed: readonly Placement[];
  /** The enabled targets of the builds of this run, as the configuration wants them. */
  readonly requests: readonly TargetRequest[];
  /** Ids of the targets that this run was about. */
  readonly targets: readonly string[];
  /** Originals of a migration that tools read beside what is written for them. */
  readonly originals: readonly Original[];
  /** The plan would change something on disk, or did. */
  readonly work: boolean;
  /** It would change something that version control sees. */
  readonly sharedWork: boolean;
  /** The sources or the configuration have errors: the entries are not those of the corrected project. */
  readonly broken: boolean;
  readonly written: boolean;
  /** Every file of the project that decides what is made: configurations, the lock, specs, sources and what travels with skills. Looked up for those who ask. */
  readonly inputs: readonly string[];
  /** The record of ownership as it would be; absent where nothing could be planned. */
  readonly manifest?: Manifest | undefined;
  /** What was read of registries, as a lock pins it. */
  readonly pinned: () => readonly LockEntry[];
  /** Exceptions to policies that concern the project. */
  readonly waivers: readonly Waiver[];
}

/**
 * Compiles the project: all its phases, then the plan, then the disk. Nothing is written when there was an error.
 * Everything that is wrong has been reported; a project without usable configuration, or a request for targets or
 * builds that it does not have, give a word instead of a result. A lasting session reuses what has not changed.
 */
export async function compileProject(
  request: CompileRequest,
  context: CompileContext,
  given: Session = singleSession(context),
): Promise<Compiled | OpenFailure> {
  const { report, failed } = watchErrors(context.report);
  const { frozen, locking, registryOverrides } = request;
  const project = await given.project(report, { frozen, locking, registryOverrides });
  if (!project) return 'no-configuration';
  const chosen = await given.builds(project, request, report);
  if (chosen === 'wrong-request') return chosen;

  const settled = await recoverProject(project.root, request.mode, context.disk, report);
  const session = settled === context.disk ? given : singleSession({ ...context, disk: settled });
  const graded = withRuleSeverities(project, { ...context, disk: session.disk, report });
  const registries = projectRegistries(project, { frozen, locking, registryOverrides }, graded);
  const made = await makeOutputs(project, chosen, request.layout, session, registries, {
    ...context,
    report: graded.report,
  });
  if (locking) {
    const entries = new Set(chosen.builds.map(({ entry }) => entry));
    await gatherOthers(project, entries, registries, locking.found, graded);
  } else if (!failed()) await checkLeftovers(project, registries, frozen, graded);

  const { writing, ignored } = await prepareWriting(request, project, chosen, made, session, context);
  const broken = failed();
  const write = request.mode === 'write' && !broken;
  context.progress(`${write ? 'Writing' : 'Comparing'} ${writing.files.length} files`);
  const located = atTargets(project, report);
  const outcome = write ? await writeOutputs(writing, located) : await planOutputs(writing, located);
  const originals = outcome.plan?.originals ?? [];
  if (originals.length > 0 && !request.trial) located(readTwice(originals, chosen));
  const loaded = made.builds.map(one => one.loaded);
  if (write) rememberOthers(context.disk, project.root, new Map(loaded.flatMap(({ others }) => [...others])));
  // What is missing because of an error would look like something to be deleted.
  const entries = broken ? [] : (outcome.plan?.entries ?? []);
  if (write && !context.isolated) await hideFromGit(project.root, made.own, outcome.work, context);
  if (!context.isolated && !request.trial) {
    if (ignored && outcome.work) await warnOfTracked(ignored, project, report);
    const shown = entries.filter(({ path }) => !made.own.has(path) && !ignored?.has(path));
    await warnOfPrivateFiles(shown, project, graded);
  }
  const isOfRun = ({ target }: { readonly target: string }) => !chosen.only || chosen.only.has(target);
  return {
    root: project.root,
    entries,
    sources: [...new Set(loaded.flatMap(({ read }) => read))],
    patterns: patternsOf(project),
    locate: omissionPlaces(made.builds),
    omissions: made.builds.flatMap(({ omissions }) => omissions).filter(isOfRun),
    budgets: made.builds.flatMap(({ budgets }) => budgets).filter(isOfRun),
    overlaps: made.builds.flatMap(({ overlaps }) => overlaps),
    get placed() {
      return made.builds.flatMap(({ placed }) => placed());
    },
    requests: made.requests,
    targets: targetsOf(chosen),
    originals,
    work: outcome.work,
    sharedWork: outcome.sharedWork,
    broken: broken || !isPlanned(outcome.plan),
    written: 'ok' in outcome && outcome.ok === true,
    get inputs() {
      return inputsOf(project, writing.sources, registries.files(), context);
    },
    manifest: broken ? undefined : outcome.plan?.manifest,
    pinned: registries.used,
    waivers: waiversOf(project.loaded, context),
  };
}

/** What the outputs of a run are written with, and the paths of those that version control is not to have. */
async function prepareWriting(
  request: CompileRequest,
  project: Project,
  chosen: ChosenBuilds,
  made: MadeOutputs,
  { contents }: Session,
  { disk, clock }: CompileContext,
): Promise<{
  readonly writing: WriteRequest & { readonly sources: ReadonlySet<string> };
  readonly ignored: ReadonlySet<string> | undefined;
}> {
  const { root, loaded } = project;
  const { output } = loaded.config;
  const isOfRun = ({ targets }: OutputFile) => !chosen.only || targets.some(id => chosen.only!.has(id));
  const files = made.files.filter(isOfRun);
  const keep = keeper(project, chosen);
  const listing = async (mode: GitMode) => {
    const targets = targetsOf({ builds: chosen.builds, only: undefined });
    return listForGit(mode, { root, disk, files, shared: made.shared.filter(isOfRun), keep, targets });
  };
  const listed = output?.git && (await listing(output.git));
  const programs = made.builds.map(one => one.loaded);
  contents?.turn();
  const writing = {
    root,
    disk,
    clock,
    files: listed?.files ?? files,
    force: request.force === true || output?.overwrite === true,
    removeOriginals: request.removeOriginals === true,
    readersOf: readersIn(root, chosen, disk),
    alsoReadAt: siblingMainFiles(
      chosen.builds.flatMap(({ requests }) => requests.flatMap(({ spec }) => spec.reads ?? [])),
    ),
    keep,
    sources: new Set(programs.flatMap(({ sources, resources }) => [...sources, ...resources])),
    isSearched: searchedFor(project),
    lost: new Map(programs.flatMap(({ lost }) => [...lost])),
    readContent: contents?.read,
  };
  return { writing, ignored: listed?.ignored };
}

function inputsOf(
  { loaded, root, custom }: Project,
  sources: ReadonlySet<string>,
  ofRegistries: Iterable<string>,
  { disk }: WithDisk,
): string[] {
  const real = disk.realpath(root) ?? root;
  const shared = [...ofRegistries].map(path => relative(real, path).split(sep).join('/'));
  const configs = loaded.files.map(path => relative(root, path).split(sep).join('/'));
  const specs =
    custom.size > 0 ? (disk.list(join(root, specsPath)) ?? []).map(({ name }) => `${specsPath}/${name}`) : [];
  const lock = disk.stat(join(root, LOCK_FILE)) ? [LOCK_FILE] : [];
  return [...new Set([...configs, ...lock, ...specs, ...sources, ...shared])].sort(compareCodeUnits);
}

/** Whether a plan says anything: a record that cannot be used, or outputs that exclude each other, leave none. */
const isPlanned = (plan: WritePlan | undefined): boolean =>
  plan !== undefined && !(plan.blocked && plan.entries.length === 0);

/** Omissions are looked up in the program of their build, and only when somebody asks. */
const omissionPlaces =
  (builds: readonly BuildOutputs[]): Compiled['locate'] =>
  omission => {
    const build = builds.find(({ omissions }) => omissions.includes(omission));
    return build && findDeclaration(omission.source, build.loaded.program);
  };

/** The patterns of the configuration that choose sources, as they are written there. */
function patternsOf({ loaded }: Project): string[] {
  const { include = [], exclude = [] } = loaded.config.input;
  return [...include, ...exclude.map(pattern => `!${pattern}`)];
}

/** Whether a path is in a folder in which skills and commands are found without being named. */
function searchedFor({ loaded }: Project): (path: string) => boolean {
  const { universalDir } = loaded.config;
  if (universalDir === false) return () => false;
  const folders = ['skills', 'commands'].map(name => `${joinPath(universalDir, name)}/`);
  return path => folders.some(folder => path.startsWith(folder));
}

/**
 * Who reads a file that is not ours. Only the project itself tells, not its profiles, whose sources may be others; and
 * only a run for all the readers, since a file may go only when each has its text from us.
 */
function readersIn(
  root: string,
  { builds, only }: ChosenBuilds,
  disk: Disk,
): (path: string) => Promise<readonly string[]> {
  const specs = builds
    .filter(({ name }) => name === undefined)
    .flatMap(({ requests }) => requests.map(({ spec }) => spec));
  const has = (path: string) => disk.stat(join(root, path))?.kind === 'file';
  return async path => {
    const ids = readersOf(path, specs, has).map(({ id }) => id);
    return ids.every(id => only?.has(id) ?? true) ? ids : [];
  };
}

/** Says which originals are read beside what is written, and by whom. */
function readTwice(originals: readonly Original[], { builds }: ChosenBuilds): Diagnostic {
  const titles = new Map(builds.flatMap(({ requests }) => requests.map(({ spec }) => [spec.id, spec.title])));
  const ids = [...new Set(originals.flatMap(({ targets }) => targets))];
  const listed = originals.slice(0, 8).map(({ path }) => path);
  const more = originals.length > 8 ? ` and ${originals.length - 8} more` : '';
  const tools = ids.map(id => titles.get(id) ?? id).join(', ');
  return originalsBeside({ paths: listed.join(', ') + more, tools }, { file: originals[0]!.path });
}

const targetsOf = ({ builds, local, only }: ChosenBuilds): string[] => [
  ...new Set(
    [...builds, ...(local ? [local] : [])]
      .flatMap(({ requests }: Build) => requests.map(({ spec }) => spec.id))
      .filter(id => !only || only.has(id)),
  ),
];

/**
 * Which files of ours a run leaves alone: those of targets it was not asked for, and of builds it does not compile.
 * Files of a profile that the configuration no longer has are not kept: nobody would ever remove them.
 */
function keeper(
  { loaded }: Project,
  { builds, only }: ChosenBuilds,
): (path: string, owned: OwnedFile) => boolean {
  const compiled = new Set(builds.map(({ name }) => name));
  const profiles = loaded.config.builds ?? {};
  return (_path, { targets, build }) => {
    if (only && !targets.some(id => only.has(id))) return true;
    if (compiled.has(build)) return false;
    return build === undefined || Object.hasOwn(profiles, build);
  };
}
