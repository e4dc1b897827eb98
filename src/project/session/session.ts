import type { EmitResult } from '../../emit/emit.ts';
import { emitInSteps } from '../../emit/emit.ts';
import { countLoaded } from '../../emit/limits.ts';
import { textsBelow } from '../../emit/placed.ts';
import type { WritableDisk } from '../../host/host.ts';
import { buildModel, withoutDisabled } from '../../model/build.ts';
import type { Model } from '../../model/model.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { runInSteps } from '../../text/pieces.ts';
import { checkDisabled } from '../local/requests.ts';
import type { ProjectRegistries } from '../lock.ts';
import { type Build, type BuildChoice, type ChosenBuilds, chooseBuilds } from '../open/builds.ts';
import { type OpenMode, openProject, type Project } from '../open/open.ts';
import { formatOutputs, readEmitSettings, sourceFinder } from '../outputs.ts';
import { type LoadedProgram, loadProgram, type ProgramChoice } from '../program.ts';
import { presentTexts } from '../view/texts.ts';
import { DependencyRecorder, type ReadPaths } from './dependencies.ts';
import { keepDocuments, type Parse } from './documents.ts';
import { dayOf, type SessionContext } from './world.ts';

/** Overrides for making outputs. */
export interface OutputChoice {
  readonly layout?: 'each' | 'once' | undefined;
  /** Whether whole files have the origins of their texts. */
  readonly trace?: boolean;
}

/**
 * The values of one project, derived on demand and cached until their inputs change. Each call reports the findings of
 * its value.
 */
export class Session {
  readonly #world: SessionContext;
  readonly #dependencies: DependencyRecorder;
  readonly #parse: Parse;

  /** A shared `parse` shares documents with other sessions. */
  constructor(world: SessionContext, dependencies: DependencyRecorder, parse: Parse = keepDocuments()) {
    this.#parse = parse;
    this.#world = world;
    this.#dependencies = dependencies;
  }

  /** A disk for reads that no value depends on; reads are noted for a watcher. */
  get disk(): WritableDisk {
    return this.#dependencies.disk;
  }

  /** Invalidates absolute paths; by default everything. */
  change(paths?: Iterable<string>): void {
    this.#dependencies.change(paths);
  }

  /** The paths that were read. Changes of other paths affect no value. */
  readPaths(): ReadPaths {
    return this.#dependencies.readPaths();
  }

  /** The project; `undefined` if its configuration has errors. */
  project(report: Report, mode: Omit<OpenMode, 'untracked'> = {}): Promise<Project | undefined> {
    const { frozen, policies } = mode;
    // The other fields of the mode only exist in single runs.
    const name = `project ${JSON.stringify([frozen, policies])}`;
    return this.#dependencies.derive(name, [], report, step =>
      openProject({ ...this.#world, ...step }, { ...mode, untracked: step.untracked }),
    );
  }

  builds(project: Project, choice: BuildChoice, report: Report): Promise<ChosenBuilds | 'wrong-request'> {
    const { targets, builds, allBuilds } = choice;
    const name = `builds ${JSON.stringify([targets, builds, allBuilds])}`;
    return this.#dependencies.derive(name, [project], report, step => chooseBuilds(project, choice, step));
  }

  /** The program of an entry file. It is not cached if a registry was read. */
  program(
    project: Project,
    entry: string,
    registries: ProjectRegistries,
    report: Report,
    choice: ProgramChoice = {},
  ): Promise<LoadedProgram> {
    // Waivers expire.
    const days = project.loaded.config.policies?.some(({ waivers }) => waivers) ? [dayOf(this.#world)] : [];
    return this.#dependencies.derive(
      `program ${choice.isLocal ? 'local ' : ''}${entry}`,
      [project, ...days],
      report,
      step => {
        const located: ProjectRegistries = {
          ...registries,
          locate: (...request) => {
            step.untracked();
            return registries.locate(...request);
          },
        };
        return loadProgram(
          project,
          entry,
          located,
          { ...this.#world, ...step },
          { ...choice, parse: this.#parse },
        );
      },
    );
  }

  model(
    { program }: LoadedProgram,
    project: Project,
    build: Build,
    report: Report,
    { trace = false }: Pick<OutputChoice, 'trace'> = {},
  ): Promise<Model> {
    const depth = project.loaded.config.validation.guardRequiresDepth;
    const { disabled } = build;
    const name = `model ${trace} ${buildKey(build)}`;
    return this.#dependencies.derive(name, [program, depth, disabled], report, async step => {
      const built = buildModel(program, { guardRequiresDepth: depth, trace }, step.report);
      if (!disabled) return built;
      checkDisabled(project, built, step.report);
      return withoutDisabled(built, disabled);
    });
  }

  /** The outputs of a build, not formatted. */
  async outputs(
    model: Model,
    build: Build,
    project: Project,
    sources: readonly string[],
    report: Report,
    { layout = project.loaded.config.output?.layout, trace = false }: OutputChoice = {},
  ): Promise<EmitResult> {
    const name = `${trace} ${layout ?? ''} ${buildKey(build)}`;
    const settings = await this.#dependencies.derive(`settings ${name}`, [project, build], report, step =>
      readEmitSettings(build, project, step, layout, trace),
    );
    const of = [model, build, settings, sources.join('\n')];
    const emitted = await this.#dependencies.derive(`outputs ${name}`, of, report, async step => {
      const sourceAt = sourceFinder(project.root, sources, step.disk);
      const pieces = emitInSteps(model, build.requests, settings, step.report, sourceAt);
      return runInSteps(pieces, this.#world.pauses);
    });
    return trace ? emitted : this.#withLoaded(emitted, build, project, report);
  }

  /**
   * Counts the text that tools load, including files that are not owned. These are not recorded as inputs, so that not
   * every folder is watched.
   */
  #withLoaded(
    emitted: EmitResult,
    { baseDir, requests }: Build,
    project: Project,
    report: Report,
  ): EmitResult {
    const present = presentTexts(project.root, baseDir, this.#world.disk);
    const written = textsBelow(baseDir, emitted.files);
    const always = emitted.always();
    const budgets = countLoaded(emitted.budgets, written, requests, always, present, report);
    return { ...emitted, budgets };
  }

  /** The outputs of a build, formatted if the configuration enables it. */
  async formattedOutputs(...asked: Parameters<Session['outputs']>): Promise<EmitResult> {
    const [, , project, , report] = asked;
    return formatOutputs(await this.outputs(...asked), project, { ...this.#world, disk: this.disk, report });
  }
}

const buildKey = ({ name = '', disabled }: Build): string => (disabled ? `${name} local` : name);

/** A session for one run, in which files do not change. */
export const singleSession = (world: SessionContext, parse?: Parse): Session =>
  new Session(world, new DependencyRecorder(world.sources ?? world.disk, false), parse);

/** A lasting session. `change` must be called when files change. */
export const persistentSession = (world: SessionContext): Session =>
  new Session(world, new DependencyRecorder(world.disk, true));
