import { join, relative, sep } from 'node:path';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { type Fix, inserting } from '../diagnostics/fixes.ts';
import type { EmitResult } from '../emit/emit.ts';
import type { Budget } from '../emit/limits.ts';
import type { Overlap } from '../emit/overlap.ts';
import type { Placed } from '../emit/placed.ts';
import { ignoredTracked, originalsBeside, privateNotIgnored } from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Manifest, OwnedFile } from '../plan/manifest.ts';
import type { Original, PlanEntry, WritePlan } from '../plan/plan.ts';
import type { WrittenFile } from '../plan/written.ts';
import type { Waiver } from '../policy/waivers.ts';
import type { LockEntry } from '../registry/lock.ts';
import { type DeclaredAt, findDeclaration } from '../resolve/declared-at.ts';
import type { Program } from '../resolve/program.ts';
import { type Session, singleSession } from '../session/session.ts';
import type { Compiling, WithDisk, WithReport } from '../session/world.ts';
import { mainsBeside } from '../spec/reads.ts';
import { fewNames } from '../text/names.ts';
import { compareCode } from '../text/order.ts';
import { localConfigPath, specsPath } from '../text/places.ts';
import type { Source } from '../text/source.ts';
import { checkLeftovers } from './frozen.ts';
import { joinPath } from './gather/find.ts';
import { projectRegistries } from './gather/registries.ts';
import { locating } from './locate.ts';
import { LOCK_FILE, type RegistryMode } from './lock.ts';
import type { Build, BuildChoice, ChosenBuilds } from './open/builds.ts';
import { atTargets, type Project, type Unusable, watchErrors, withRuleSeverities } from './open/open.ts';
import { waiversOf } from './open/waivers.ts';
import { gatherOthers } from './other-builds.ts';
import type { LoadedProgram } from './program.ts';
import { rememberOthers } from './write/records.ts';
import { planOutputs, settleProject, type WriteRequest, writeOutputs } from './write/write.ts';

/** What is compiled, and whether it is written. */
export interface CompileRequest extends BuildChoice, RegistryMode {
  /** `plan`: nothing is written. */
  readonly mode: 'write' | 'plan';
  readonly force?: boolean;
  /** What a migration read and no output replaces goes. */
  readonly removeOriginals?: boolean;
  /** Layout of the main files instead of the configured one, to compare. */
  readonly layout?: 'each' | 'once';
  /** One of many compiles that only try something out: what only a user is told is not looked for. */
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
  /** What stands where for each target, of the builds of this run. */
  readonly placed: readonly Placed[];
  /** The enabled targets of the builds of this run, as the configuration wants them. */
  readonly requests: readonly TargetRequest[];
  /** Ids of the targets that this run was about. */
  readonly targets: readonly string[];
  /** Originals of a migration that tools read beside what is written for them. */
  readonly beside: readonly Original[];
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
 * builds that it does not have, give a word instead of a result. A session that lasts gives what still stands.
 */
export async function compileProject(
  request: CompileRequest,
  context: Compiling,
  given: Session = singleSession(context),
): Promise<Compiled | Unusable> {
  const { report, failed } = watchErrors(context.report);
  const { frozen, locking, passage } = request;
  const project = await given.project(report, { frozen, locking, passage });
  if (!project) return 'no-configuration';
  const chosen = await given.builds(project, request, report);
  if (chosen === 'wrong-request') return chosen;

  const settled = await settleProject(project.root, request.mode, context.disk, report);
  const session = settled === context.disk ? given : singleSession({ ...context, disk: settled });
  const graded = withRuleSeverities(project, { ...context, disk: session.disk, report });
  const registries = projectRegistries(project, { frozen, locking, passage }, graded);
  const files: OutputFile[] = [];
  const omissions: Omission[] = [];
  const made: { readonly program: Program; readonly omissions: readonly Omission[] }[] = [];
  const budgets: Budget[] = [];
  const overlaps: Overlap[] = [];
  const placed: EmitResult['placed'][] = [];
  const sources = new Set<string>();
  const read = new Set<string>();
  const lost = new Map<string, WrittenFile>();
  const others = new Map<string, string>();
  const compileBuild = async (
    build: Build,
    to: Report,
  ): Promise<EmitResult & Pick<LoadedProgram, 'program'>> => {
    const name = build.name === undefined ? '' : ` of ${build.name}`;
    context.progress(`Reading the sources${name}`);
    const isLocal = build.disabled !== undefined;
    const loaded = await session.program(project, build.entry, registries, to, { isLocal });
    for (const path of [...loaded.sources, ...loaded.resources]) sources.add(path);
    for (const name of loaded.read) read.add(name);
    for (const [path, file] of loaded.lost) lost.set(path, file);
    for (const [path, hash] of loaded.others) others.set(path, hash);
    context.progress(`Making the files${name} for ${countTargets(build)}`);
    const model = await session.model(loaded, project, build, to);
    const about = locating(aboutChosen(to, chosen), loaded.program);
    const { layout } = request;
    const emitted = await session.formattedOutputs(model, build, project, loaded.sources, about, { layout });
    return { ...emitted, program: loaded.program };
  };
  const take = (emitted: Awaited<ReturnType<typeof compileBuild>>): void => {
    omissions.push(...emitted.omissions);
    made.push({ program: emitted.program, omissions: emitted.omissions });
    budgets.push(...emitted.budgets);
    overlaps.push(...emitted.overlaps);
    placed.push(emitted.placed);
  };
  const told: Diagnostic[] = [];
  const noting: Report = found => {
    told.push(found);
    graded.report(found);
  };
  for (const build of chosen.builds) {
    const emitted = await compileBuild(build, chosen.local ? noting : graded.report);
    files.push(...emitted.files);
    take(emitted);
  }
  let own: ReadonlySet<string> = new Set();
  const requests = chosen.builds.flatMap(({ requests }) => requests);
  const reads = requests.flatMap(({ spec }) => spec.reads ?? []);
  const shared = [...files];
  if (chosen.local) {
    const { addLocal } = await import('./local/add-local.ts');
    const added = await addLocal({ project, chosen, files, told }, compileBuild, graded);
    files.splice(0, files.length, ...added.files);
    requests.push(...added.requests);
    own = added.own;
    take(added.emitted);
  }
  if (locking)
    await gatherOthers(
      project,
      new Set(chosen.builds.map(({ entry }) => entry)),
      registries,
      locking.found,
      graded,
    );
  else if (!failed()) await checkLeftovers(project, registries, frozen, graded);
  const isOfRun = ({ targets }: OutputFile) => !chosen.only || targets.some(id => chosen.only!.has(id));
  const run = files.filter(isOfRun);
  const keep = keeper(project, chosen);
  const mode = project.loaded.config.output?.git;
  const listed =
    mode &&
    (await (
      await import('./git/listed.ts')
    ).listForGit(mode, {
      root: project.root,
      disk: context.disk,
      files: run,
      shared: shared.filter(isOfRun),
      keep,
      targets: targetsOf({ builds: chosen.builds, only: undefined }),
    }));
  session.contents?.turn();
  const writing: WriteRequest = {
    root: project.root,
    disk: context.disk,
    clock: context.clock,
    files: listed?.files ?? run,
    force: request.force === true || project.loaded.config.output?.overwrite === true,
    removeOriginals: request.removeOriginals === true,
    readersOf: readersIn(project.root, chosen, context.disk),
    alsoReadAt: mainsBeside(reads),
    keep,
    sources,
    isSearched: searchedFor(project),
    lost,
    readContent: session.contents?.read,
  };
  const broken = failed();
  const write = request.mode === 'write' && !broken;
  context.progress(`${write ? 'Writing' : 'Comparing'} ${writing.files.length} files`);
  const located = atTargets(project, report);
  const outcome = write ? await writeOutputs(writing, located) : await planOutputs(writing, located);
  const beside = outcome.plan?.beside ?? [];
  if (beside.length > 0 && !request.trial) located(readTwice(beside, chosen));
  if (write) rememberOthers(context.disk, project.root, others);
  // What is missing because of an error would look like something to be deleted.
  const entries = broken ? [] : (outcome.plan?.entries ?? []);
  if (write && !context.detached) await hideFromGit(project.root, own, outcome.work, context);
  if (!context.detached && !request.trial) {
    if (listed && outcome.work) await warnOfTracked(listed.ignored, project, report);
    const shown = entries.filter(({ path }) => !own.has(path) && !listed?.ignored.has(path));
    await warnOfPrivateFiles(shown, project, graded);
  }
  return {
    root: project.root,
    entries,
    sources: [...read],
    patterns: patternsOf(project),
    locate: omissionPlaces(made),
    omissions: chosen.only ? omissions.filter(({ target }) => chosen.only!.has(target)) : omissions,
    budgets: chosen.only ? budgets.filter(({ target }) => chosen.only!.has(target)) : budgets,
    overlaps,
    get placed() {
      return placed.flatMap(ask => ask());
    },
    requests,
    targets: targetsOf(chosen),
    beside,
    work: outcome.work,
    sharedWork: outcome.sharedWork,
    broken: broken || !isPlanned(outcome.plan),
    written: 'ok' in outcome && outcome.ok === true,
    get inputs() {
      return inputsOf(project, sources, registries.files(), context);
    },
    manifest: broken ? undefined : outcome.plan?.manifest,
    pinned: registries.used,
    waivers: waiversOf(project.loaded, context),
  };
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
  return [...new Set([...configs, ...lock, ...specs, ...sources, ...shared])].sort(compareCode);
}

/** Whether a plan says anything: a record that cannot be used, or outputs that exclude each other, leave none. */
const isPlanned = (plan: WritePlan | undefined): boolean =>
  plan !== undefined && !(plan.blocked && plan.entries.length === 0);

/** Omissions are looked up in the program of their build, and only when somebody asks. */
function omissionPlaces(
  made: readonly { readonly program: Program; readonly omissions: readonly Omission[] }[],
): Compiled['locate'] {
  let programs: Map<Omission, Program> | undefined;
  return omission => {
    programs ??= new Map(
      made.flatMap(({ program, omissions }) => omissions.map(one => [one, program] as const)),
    );
    const program = programs.get(omission);
    return program && findDeclaration(omission.source, program);
  };
}

/**
 * Advice about targets that a run was not asked for is kept to itself. Their errors are not: a file that they share
 * with the chosen ones cannot be right.
 */
function aboutChosen(report: Report, { only }: ChosenBuilds): Report {
  if (!only) return report;
  return found => {
    if (found.severity === 'error' || found.target === undefined || only.has(found.target)) report(found);
  };
}

/** The patterns of the configuration that choose sources, as they are written there. */
function patternsOf({ loaded }: Project): string[] {
  const { include = [], exclude = [] } = loaded.config.input;
  return [...include, ...exclude.map(pattern => `!${pattern}`)];
}

const countTargets = ({ requests }: Build): string =>
  `${requests.length} ${requests.length === 1 ? 'target' : 'targets'}`;

/** Whether a path is in a folder in which skills and commands are found without being named. */
function searchedFor({ loaded }: Project): (path: string) => boolean {
  const { universalDir } = loaded.config;
  if (universalDir === false) return () => false;
  const folders = ['skills', 'commands'].map(name => `${joinPath(universalDir, name)}/`);
  return path => folders.some(folder => path.startsWith(folder));
}

/** Adds a line to `.gitignore`, with the line ends that it has. */
function ignoring(path: string, source: Source): Fix {
  const { text } = source;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? '' : end;
  return inserting(`Add \`${path}\` to .gitignore`, source, text.length, `${before}${path}${end}`);
}

/** Git goes on with files that it has, whatever it is told to ignore. */
async function warnOfTracked(
  ignored: ReadonlySet<string>,
  { root, loaded }: Project,
  report: Report,
): Promise<void> {
  const { trackedByGit } = await import('../host/git.ts');
  const tracked = [...(trackedByGit(root, [...ignored]) ?? [])].sort(compareCode);
  if (tracked.length === 0) return;
  const span = loaded.spanOf(['output', 'git']);
  report(ignoredTracked({ paths: fewNames(tracked) }, { span }));
}

/** Files of one person are ignored in this clone, and those that are for all any more are not. */
async function hideFromGit(
  root: string,
  own: ReadonlySet<string>,
  work: boolean,
  { disk, environment }: Pick<Compiling, 'disk' | 'environment'>,
): Promise<void> {
  if (own.size === 0) {
    if (!work) return;
    const { excludeList, gitFolders, mayHold } = await import('./merge/installed.ts');
    if (!mayHold(excludeList, gitFolders(root, disk, environment))) return;
  }
  const { excludeFromGit } = await import('./local/exclude.ts');
  excludeFromGit(root, own, disk);
}

/** Private notes must not be offered for a commit. Outside of repositories there is nothing to say. */
async function warnOfPrivateFiles(
  entries: readonly PlanEntry[],
  { root, loaded }: Project,
  { disk, report }: Pick<Compiling, 'disk'> & WithReport,
): Promise<void> {
  const outputs = entries.filter(entry => entry.private && entry.state !== 'removed').map(({ path }) => path);
  const paths = [...(loaded.local ? [localConfigPath] : []), ...outputs];
  if (paths.length === 0) return;
  const { ignoredByGit } = await import('../host/git.ts');
  const ignored = ignoredByGit(root, paths);
  if (!ignored) return;
  const bytes = disk.readBytes(join(root, '.gitignore'));
  const present = bytes && { name: '.gitignore', text: new TextDecoder().decode(bytes) };
  for (const path of paths.filter(one => !ignored.has(one))) {
    const fixes = present ? [ignoring(path, present)] : [];
    report(privateNotIgnored({ path }, { file: path, fixes }));
  }
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
    const { readersOf } = await import('./move-in/beside.ts');
    const ids = readersOf(path, specs, has).map(({ id }) => id);
    return ids.every(id => only?.has(id) ?? true) ? ids : [];
  };
}

/** Says which originals are read beside what is written, and by whom. */
function readTwice(beside: readonly Original[], { builds }: ChosenBuilds): Diagnostic {
  const titles = new Map(builds.flatMap(({ requests }) => requests.map(({ spec }) => [spec.id, spec.title])));
  const ids = [...new Set(beside.flatMap(({ targets }) => targets))];
  const listed = beside.slice(0, 8).map(({ path }) => path);
  const more = beside.length > 8 ? ` and ${beside.length - 8} more` : '';
  const tools = ids.map(id => titles.get(id) ?? id).join(', ');
  return originalsBeside({ paths: listed.join(', ') + more, tools }, { file: beside[0]!.path });
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
