import { join } from 'node:path';
import type { Waiver } from '../check/policy/waivers.ts';
import type { Budget } from '../emit/limits.ts';
import type { Overlap } from '../emit/overlap.ts';
import type { Placement } from '../emit/placed.ts';
import { originalsBeside } from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import { relativePath } from '../host/relative-path.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Manifest, OwnedFile } from '../plan/manifest.ts';
import type { Original, PlanEntry } from '../plan/plan.ts';
import type { LockEntry } from '../registry/lock.ts';
import { type DeclaredAt, findDeclaration } from '../resolve/written-at.ts';
import { siblingMainFiles } from '../spec/reads.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../text/diagnostics/report.ts';
import { compareCodeUnits } from '../text/order.ts';
import { joinPath } from '../text/paths.ts';
import { specsPath } from '../text/places.ts';
import { projectRegistries } from './gather/registries.ts';
import type { GitMode } from './git/listed.ts';
import { listForGit } from './git/listed.ts';
import { hideFromGit, warnOfPrivateFiles, warnOfTracked } from './git/warnings.ts';
import { LOCK_FILE, type RegistryMode } from './lock.ts';
import { type BuildOutputs, type CompiledOutputs, makeOutputs } from './make-outputs.ts';
import { readersOf } from './move-in/readers.ts';
import type { Build, BuildChoice, ChosenBuilds } from './open/builds.ts';
import { atTargets, type OpenFailure, type Project, withRuleSeverities } from './open/open.ts';
import { waiversOf } from './open/policy-namings.ts';
import { checkUnusedPins, gatherOthers } from './pin.ts';
import { type Session, singleSession } from './session/session.ts';
import type { CompileContext, WithDisk } from './session/world.ts';
import { rememberOthers } from './write/records.ts';
import { planOutputs, recoverProject, type WriteRequest, writeOutputs } from './write/write.ts';

/** A request to compile. */
export interface CompileRequest extends BuildChoice, RegistryMode {
  /** `plan` does not write. */
  readonly mode: 'write' | 'plan';
  readonly force?: boolean;
  /** Whether to delete files that a migration read and that no output replaces. */
  readonly removeOriginals?: boolean;
  /** A layout of the main files that overrides the configured one. */
  readonly layout?: 'each' | 'once';
  /** Whether the compile is only a trial, without advice for users. */
  readonly trial?: boolean;
}

/** The result of a compile. */
export interface Compiled {
  readonly root: string;
  /** All planned files, sorted by path. */
  readonly entries: readonly PlanEntry[];
  readonly omissions: readonly Omission[];
  /** Names of the source files, in the order in which they were read. */
  readonly sources: readonly string[];
  /** Patterns of `input` in the configuration. */
  readonly patterns: readonly string[];
  /** Returns the declaration of an omitted text, looked up on demand. */
  readonly locate: (omission: Omission) => DeclaredAt | undefined;
  /** What each target loads into every session. */
  readonly budgets: readonly Budget[];
  /** Entries that targets misread in files of other targets. */
  readonly overlaps: readonly Overlap[];
  /** The place of each part of the program for each target. */
  readonly placed: readonly Placement[];
  /** The enabled targets with their settings. */
  readonly requests: readonly TargetRequest[];
  /** Ids of the targets of this run. */
  readonly targets: readonly string[];
  /** Files that a migration read and that tools load in addition to the outputs. */
  readonly originals: readonly Original[];
  /** Whether the plan changes the disk. */
  readonly work: boolean;
  /** Whether the plan changes files under version control. */
  readonly sharedWork: boolean;
  /** Whether sources or configuration have errors, so that `entries` is incomplete. */
  readonly broken: boolean;
  readonly written: boolean;
  /**
   * Paths of all files that determine the output: configurations, lock file, specs, sources and files of skills.
   * Computed on demand.
   */
  readonly inputs: readonly string[];
  /** The manifest after the run; absent if nothing could be planned. */
  readonly manifest?: Manifest | undefined;
  /** The sources that were read from registries, as lock entries. */
  readonly pinned: () => readonly LockEntry[];
  /** Waivers of policies that apply to the project. */
  readonly waivers: readonly Waiver[];
}

/**
 * Compiles the project: reads, resolves, emits, plans and, in mode `write`, writes. After an error nothing is written.
 * Findings are reported. Returns an `OpenFailure` without a usable configuration, or for unknown targets or builds. A
 * persistent session reuses unchanged values.
 */
export async function compileProject(
  request: CompileRequest,
  context: CompileContext,
  session: Session = singleSession(context),
): Promise<Compiled | OpenFailure> {
  const { report, failed } = watchErrors(context.report);
  const project = await session.project(report, request);
  if (!project) return 'no-configuration';
  const chosen = await session.builds(project, request, report);
  if (chosen === 'wrong-request') return chosen;

  if (request.mode === 'write') await recoverProject(project.root, context.disk, report);
  const graded = withRuleSeverities(project, { ...context, disk: session.disk, report });
  const registries = projectRegistries(project, request, graded);
  const made = await makeOutputs(project, chosen, request.layout, session, registries, {
    ...context,
    report: graded.report,
  });
  if (request.locking) {
    const entries = new Set(chosen.builds.map(({ entry }) => entry));
    await gatherOthers(project, entries, registries, request.locking.found, graded);
  } else if (!failed()) await checkUnusedPins(project, registries, request.frozen, graded);

  const { writing, ignored } = await prepareWriting(request, project, chosen, made, context);
  const broken = failed();
  const write = request.mode === 'write' && !broken;
  context.progress(`${write ? 'Writing' : 'Comparing'} ${writing.files.length} files`);
  const located = atTargets(project, report);
  const outcome = write ? await writeOutputs(writing, located) : await planOutputs(writing, located);
  const originals = outcome.plan?.originals ?? [];
  if (originals.length > 0 && !request.trial) located(readTwice(originals, chosen));
  const loaded = made.builds.map(one => one.loaded);
  if (write) rememberOthers(context.disk, project.root, new Map(loaded.flatMap(({ others }) => [...others])));
  // An output that is missing because of an error would look like a deleted one.
  const entries = broken ? [] : (outcome.plan?.entries ?? []);
  if (write && !context.isolated) hideFromGit(project.root, made.personalPaths, outcome.work, context);
  if (!context.isolated && !request.trial) {
    if (ignored && outcome.work) warnOfTracked(ignored, project, report);
    const shown = entries.filter(({ path }) => !made.personalPaths.has(path) && !ignored?.has(path));
    warnOfPrivateFiles(shown, project, graded);
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
    // A plan has no entries if the manifest is damaged or outputs conflict.
    broken: broken || !outcome.plan || (outcome.plan.blocked && outcome.plan.entries.length === 0),
    written: 'ok' in outcome && outcome.ok === true,
    get inputs() {
      return inputsOf(project, writing.sources, registries.files(), context);
    },
    manifest: broken ? undefined : outcome.plan?.manifest,
    pinned: registries.used,
    waivers: waiversOf(project.loaded, context),
  };
}

/** The write request for the outputs of a run, and the paths that version control ignores. */
async function prepareWriting(
  request: CompileRequest,
  project: Project,
  chosen: ChosenBuilds,
  made: CompiledOutputs,
  { disk, clock }: CompileContext,
) {
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
  const writing: WriteRequest & { readonly sources: ReadonlySet<string> } = {
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
    unrecorded: new Map(programs.flatMap(({ unrecorded }) => [...unrecorded])),
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
  const shared = [...ofRegistries].map(path => relativePath(real, path));
  const configs = loaded.files.map(path => relativePath(root, path));
  const specs =
    custom.size > 0 ? (disk.list(join(root, specsPath)) ?? []).map(({ name }) => `${specsPath}/${name}`) : [];
  const lock = disk.stat(join(root, LOCK_FILE)) ? [LOCK_FILE] : [];
  return [...new Set([...configs, ...lock, ...specs, ...sources, ...shared])].sort(compareCodeUnits);
}

/** Looks up omissions in the program of their build, on demand. */
const omissionPlaces =
  (builds: readonly BuildOutputs[]): Compiled['locate'] =>
  omission => {
    const build = builds.find(({ omissions }) => omissions.includes(omission));
    return build && findDeclaration(omission.source, build.loaded.program);
  };

/** The include and exclude patterns, as written in the configuration. */
function patternsOf({ loaded }: Project): string[] {
  const { include = [], exclude = [] } = loaded.config.input;
  return [...include, ...exclude.map(pattern => `!${pattern}`)];
}

/** Whether a path is in a folder in which skills and commands are discovered. */
function searchedFor({ loaded }: Project): (path: string) => boolean {
  const { universalDir } = loaded.config;
  if (universalDir === false) return () => false;
  const folders = ['skills', 'commands'].map(name => `${joinPath(universalDir, name)}/`);
  return path => folders.some(folder => path.startsWith(folder));
}

/**
 * Returns the ids of the tools that read a file that is not owned. Profiles do not count, because their sources may
 * differ. The result is empty if the run omits one of these tools: a file may be deleted only if each of them gets its
 * text from the outputs.
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

/** The finding about originals that tools load in addition to the outputs. */
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
 * Whether a run leaves an owned file alone: a file of a target or build that is not part of the run. Files of a profile
 * that no longer exists are not kept, because no later run would delete them.
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
