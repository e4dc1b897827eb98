import { join } from 'node:path';
import { checkProgram } from '../check/check.ts';
import { checkPolicies } from '../check/policy/policy.ts';
import { pathOutsideProject } from '../generated/diagnostics.ts';
import { ignoreHostErrors } from '../host/host.ts';
import { placeInProject } from '../host/relative-path.ts';
import type { WrittenFiles } from '../plan/manifest.ts';
import { type Program, sourceOf } from '../resolve/program.ts';
import { resolveProgram } from '../resolve/resolve.ts';
import { declarationSpan } from '../resolve/written-at.ts';
import { resolveTargetName, specOf, targetNames } from '../spec/load.ts';
import { readablePaths } from '../spec/reads.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { checkAudiences } from './audience.ts';
import { targetEntries } from './config/targets.ts';
import { checkExecutables, recordExecutables } from './executables.ts';
import { reportDeadNames, reportUnread } from './gather/dead-names.ts';
import { type Gathered, gatherUnits } from './gather/gather.ts';
import { findIncluded } from './gather/include.ts';
import type { ProjectRegistries } from './lock.ts';
import type { Project } from './open/open.ts';
import { policyNamings, waiversOf } from './open/policy-namings.ts';
import { repositoryAt } from './repository.ts';
import type { Parse } from './session/documents.ts';
import type { WithClock, WithDisk, WithEnvironment, WithIsolation, WithReport } from './session/world.ts';
import { generatedFiles, lostFiles } from './write/records.ts';

/** A resolved program and its files. */
export interface LoadedProgram {
  readonly program: Program;
  /** Source files of the project, relative to it. */
  readonly sources: readonly string[];
  /** Files of skills in the project. */
  readonly resources: readonly string[];
  /** Outputs that no record of this machine contains. */
  readonly unrecorded: WrittenFiles;
  /** Hashes of files at places of outputs that are not owned. */
  readonly others: ReadonlyMap<string, string>;
  /** Names of all source files, including those of registries, in reading order. */
  readonly read: readonly string[];
}

/** How a program is loaded. */
export interface ProgramChoice {
  /** Whether to include personal MCP servers. */
  readonly isLocal?: boolean;
  readonly parse?: Parse;
}

/** Reads an entry file with its imports. Unreadable files are reported. */
export async function gatherProgram(
  project: Project,
  entry: string,
  registries: ProjectRegistries,
  context: WithDisk & WithReport & WithIsolation,
  { parse, isLocal }: ProgramChoice = {},
): Promise<Gathered & Pick<LoadedProgram, 'unrecorded' | 'others'>> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk, report, isolated } = context;
  const options = {
    disk,
    root,
    entry,
    ...(config.input?.entry === entry && { entrySpan: loaded.spanOf(['input', 'entry']) }),
    mainFiles: () => allMainFiles(project),
    include: await findIncluded(project, context),
    inherit:
      config.inherit === undefined
        ? undefined
        : { reference: config.inherit, span: loaded.spanOf(['inherit'])! },
    universalDir: universalDirOf(project, context),
    registries,
    ...(parse && { parse }),
    ...(isLocal && loaded.local?.hasServers && { servers: loaded.local.source }),
  };
  const first = collectFindings();
  const generated = generatedFiles(root, disk);
  const { doubtful } = generated;
  const gathered = await gatherUnits({ ...options, isGenerated: generated.is }, first.report);
  const unrecorded = doubtful.size === 0 || isolated ? new Map() : lostFiles(root, disk);
  if (unrecorded.size > 0) {
    const { is: isGenerated, doubtful: others } = generatedFiles(root, disk, unrecorded);
    return { ...(await gatherUnits({ ...options, isGenerated }, report)), unrecorded, others };
  }
  first.findings.forEach(report);
  return { ...gathered, unrecorded, others: isolated ? new Map() : doubtful };
}

/** Main files that a tool reads. */
export function mainFilesOf(id: string, { custom }: Pick<Project, 'custom'>): readonly string[] {
  const { reads } = specOf(id, custom)?.spec ?? {};
  return reads ? readablePaths(reads) : [];
}

/** Main files that the enabled tools read. */
const allMainFiles = (project: Project): readonly string[] =>
  targetEntries(project.loaded.config).flatMap(({ name }) =>
    mainFilesOf(resolveTargetName(name, project.custom) ?? '', project),
  );

/** Reads, resolves and checks an entry file. Always returns a program; problems are reported. */
export async function loadProgram(
  project: Project,
  entry: string,
  registries: ProjectRegistries,
  context: WithDisk & WithEnvironment & WithReport & WithIsolation & WithClock,
  choice: ProgramChoice = {},
): Promise<LoadedProgram> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk, environment, report } = context;
  const env = (name: string) => environment[name];
  const gathered = await gatherProgram(project, entry, registries, context, choice);
  const program = resolveProgram({ ...gathered, env, skillTargets: config.skillTargets }, report);
  await checkLoaded(program, gathered, project, entry, registries, context);
  const sources = program.units.flatMap(({ kind, id, layer }) =>
    layer.remote || kind === 'directory' ? [] : [id],
  );
  reportDeadNames(project, entry, program.units, report);
  const siblings = (disk.list(join(root, '.instr')) ?? []).flatMap(({ name, kind }) =>
    kind === 'file' ? name : [],
  );
  reportUnread(project, entry, program.units, siblings, report);
  const read = program.units.flatMap(unit => sourceOf(unit)?.name ?? []);
  const { resources, unrecorded, others } = gathered;
  return { program, sources, resources, unrecorded, others, read };
}

/** Runs rules and policies. */
async function checkLoaded(
  program: Program,
  gathered: Gathered,
  project: Project,
  entry: string,
  registries: ProjectRegistries,
  context: WithDisk & WithReport & WithIsolation & WithClock,
): Promise<void> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk, report } = context;
  const { rules, requiredGuards, guardRequiresDepth } = config.validation;
  checkProgram(
    program,
    {
      rules,
      requiredGuards,
      guardRequiresDepth,
      entry: gathered.entryId,
      inherit: gathered.inherit,
      spanOf: loaded.spanOf,
      repository: repositoryAt(root, disk),
      targets: {
        names: targetNames(project.custom),
        isTarget: name => resolveTargetName(name, project.custom) !== undefined,
      },
    },
    report,
  );
  checkAudiences(program, project, context);
  await checkPolicies(
    program,
    config.policies,
    loaded.spanOf,
    report,
    entriesOf(config).has(entry) ? gathered.entryId : undefined,
    policyNamings(loaded),
    waiversOf(loaded, context),
  );
  const lockState = registries.lockState?.();
  if (lockState) checkExecutables(recordExecutables(gathered), lockState, report);
}

/** The entry files of all builds. */
export function entriesOf({ input, builds = {} }: Project['loaded']['config']): Set<string> {
  return new Set([input.entry, ...Object.values(builds).flatMap(({ entry }) => entry ?? [])]);
}

/**
 * The folder in which skills and commands are discovered. A folder outside the project, through a link, is reported and
 * not searched.
 */
function universalDirOf(
  { loaded, root }: Project,
  { disk, report }: WithDisk & WithReport,
): string | undefined {
  const { universalDir } = loaded.config;
  if (universalDir === false) return undefined;
  // The search reports a disk failure.
  const real = ignoreHostErrors(() => disk.realpath(join(root, universalDir)));
  const base = real && ignoreHostErrors(() => disk.realpath(root));
  if (!real || !base || placeInProject(base, real) !== undefined) return universalDir;
  const span = loaded.spanOf(['universalDir']);
  report(
    pathOutsideProject({ field: 'universalDir', path: `${universalDir} (a link to ${real})` }, { span }),
  );
  return undefined;
}

/** Adds the span of the declaration to findings about values of the program. */
export function locating(report: Report, program: Program): Report {
  return ({ about, ...finding }) => {
    const span = (about === undefined ? undefined : declarationSpan(about, program)) ?? finding.span;
    report({ ...finding, ...(span && { span }) });
  };
}
