import type { EmitResult } from '../emit/emit.ts';
import type { OutputFile } from '../kinds/output.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { projectRegistries } from './gather/registries.ts';
import { addLocal } from './local/outputs.ts';
import type { ProjectRegistries } from './lock.ts';
import type { Build, BuildChoice, ChosenBuilds } from './open/builds.ts';
import type { Project } from './open/open.ts';
import type { LoadedProgram } from './program.ts';
import { locating } from './program.ts';
import type { OutputChoice, Session } from './session/session.ts';
import type { CompileContext } from './session/world.ts';

/** The outputs of one build, with its program. */
export interface BuildOutputs extends EmitResult {
  readonly loaded: LoadedProgram;
}

/** The outputs of all builds of a run. `shared` lacks the outputs of one person, whose own files are `personalPaths`. */
export type CompiledOutputs = Awaited<ReturnType<typeof makeOutputs>>;

/** How the outputs of a build are made. */
interface BuildOptions extends OutputChoice {
  readonly progress?: CompileContext['progress'];
  /** Receives the findings about outputs. */
  readonly reportOutputs?: Report;
  /** Whether the outputs are formatted. By default they are if the configuration enables it. */
  readonly formats?: (loaded: LoadedProgram) => boolean;
}

/** Reads, resolves and emits one build. Findings are reported. */
export async function makeBuild(
  build: Build,
  project: Project,
  session: Session,
  registries: ProjectRegistries,
  report: Report,
  { progress, reportOutputs = report, formats, ...choice }: BuildOptions = {},
): Promise<BuildOutputs> {
  const name = build.name === undefined ? '' : ` of ${build.name}`;
  progress?.(`Reading the sources${name}`);
  const isLocal = build.disabled !== undefined;
  const loaded = await session.program(project, build.entry, registries, report, { isLocal });
  const { length } = build.requests;
  progress?.(`Making the files${name} for ${length} ${length === 1 ? 'target' : 'targets'}`);
  const model = await session.model(loaded, project, build, report, choice);
  const located = locating(reportOutputs, loaded.program);
  const make = formats?.(loaded) === false ? session.outputs : session.formattedOutputs;
  const emitted = await make.call(session, model, build, project, loaded.sources, located, choice);
  return { ...emitted, loaded };
}

/** Reads, resolves and emits every build of a run. Findings are reported. */
export async function makeOutputs(
  project: Project,
  chosen: ChosenBuilds,
  layout: 'each' | 'once' | undefined,
  session: Session,
  registries: ProjectRegistries,
  context: CompileContext,
) {
  const make = (build: Build, report: Report): Promise<BuildOutputs> =>
    makeBuild(build, project, session, registries, report, {
      layout,
      progress: context.progress,
      reportOutputs: aboutChosen(report, chosen),
    });
  const { findings: reported, report } = collectFindings(context.report);
  const builds: BuildOutputs[] = [];
  for (const build of chosen.builds) builds.push(await make(build, report));
  const shared = builds.flatMap(({ files }) => files);
  const requests = chosen.builds.flatMap(({ requests }) => requests);
  if (!chosen.local) return { builds, files: shared, shared, personalPaths: new Set<string>(), requests };

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
    const options = { trace: true, reportOutputs: report };
    yield (await makeBuild(build, project, session, registries, context.report, options)).files;
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
