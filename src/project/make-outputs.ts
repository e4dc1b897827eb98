import type { EmitResult } from '../emit/emit.ts';
import type { OutputFile } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { projectRegistries } from './gather/registries.ts';
import { addLocal } from './local/outputs.ts';
import type { ProjectRegistries } from './lock.ts';
import type { Build, BuildChoice, ChosenBuilds } from './open/builds.ts';
import type { Project } from './open/open.ts';
import type { LoadedProgram } from './program.ts';
import { locating } from './program.ts';
import type { Session } from './session/session.ts';
import type { CompileContext } from './session/world.ts';

/** The outputs of one build, with its program. */
export interface BuildOutputs extends EmitResult {
  readonly loaded: LoadedProgram;
}

/** The outputs of all builds of a run. */
export interface CompiledOutputs {
  readonly builds: readonly BuildOutputs[];
  readonly files: readonly OutputFile[];
  /** The outputs without those of one person. */
  readonly shared: readonly OutputFile[];
  /** Paths of files that only exist for one person. */
  readonly personalPaths: ReadonlySet<string>;
  readonly requests: readonly TargetRequest[];
}

/** Reads, resolves and emits every build of a run. Findings are reported. */
export async function makeOutputs(
  project: Project,
  chosen: ChosenBuilds,
  layout: 'each' | 'once' | undefined,
  session: Session,
  registries: ProjectRegistries,
  context: CompileContext,
): Promise<CompiledOutputs> {
  const make = async (build: Build, report: Report): Promise<BuildOutputs> => {
    const name = build.name === undefined ? '' : ` of ${build.name}`;
    context.progress(`Reading the sources${name}`);
    const isLocal = build.disabled !== undefined;
    const loaded = await session.program(project, build.entry, registries, report, { isLocal });
    const { length } = build.requests;
    context.progress(`Making the files${name} for ${length} ${length === 1 ? 'target' : 'targets'}`);
    const model = await session.model(loaded, project, build, report);
    const about = locating(aboutChosen(report, chosen), loaded.program);
    const emitted = await session.formattedOutputs(model, build, project, loaded.sources, about, { layout });
    return { ...emitted, loaded };
  };
  const { findings: reported, report } = collectFindings(context.report);
  const builds: BuildOutputs[] = [];
  for (const build of chosen.builds) builds.push(await make(build, report));
  const shared = builds.flatMap(({ files }) => files);
  const requests = chosen.builds.flatMap(({ requests }) => requests);
  if (!chosen.local) return { builds, files: shared, shared, personalPaths: new Set(), requests };

  const added = await addLocal(project, chosen, shared, reported, make, context);
  return {
    builds: [...builds, added.emitted],
    files: added.files,
    shared,
    personalPaths: added.personalPaths,
    requests: [...requests, ...added.requests],
  };
}

/**
 * Drops findings about targets that are not part of the run, except errors: these also affect files that targets share.
 */
function aboutChosen(report: Report, { only }: ChosenBuilds): Report {
  if (!only) return report;
  return found => {
    if (found.severity === 'error' || found.target === undefined || only.has(found.target)) report(found);
  };
}

/** Yields the formatted outputs of each chosen build with their origins. Findings about outputs are dropped. */
export async function* tracedOutputs(
  project: Project,
  choice: BuildChoice,
  session: Session,
  context: CompileContext,
): AsyncGenerator<readonly OutputFile[]> {
  const report = () => {};
  const chosen = await session.builds(project, choice, report);
  const registries = projectRegistries(project, {}, context);
  for (const build of chosen === 'wrong-request' ? [] : chosen.builds) {
    const loaded = await session.program(project, build.entry, registries, context.report);
    const model = await session.model(loaded, project, build, report, { trace: true });
    const { sources } = loaded;
    const { files } = await session.formattedOutputs(model, build, project, sources, report, { trace: true });
    yield files;
  }
}

/** Finds one output with its origins. Findings are dropped. */
export async function findTracedOutput(
  path: string,
  choice: BuildChoice,
  session: Session,
  context: CompileContext,
): Promise<OutputFile | undefined> {
  const quiet = { ...context, report: () => {} };
  const project = await session.project(quiet.report);
  if (!project) return undefined;
  for await (const files of tracedOutputs(project, choice, session, quiet)) {
    const output = files.find(file => file.path === path);
    if (output) return output;
  }
  return undefined;
}
