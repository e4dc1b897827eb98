import { join } from 'node:path';
import { relativePath } from '../host/relative-path.ts';
import type { OutputFile } from '../kinds/output.ts';
import type { Model } from '../model/model.ts';
import type { OwnedFile } from '../plan/manifest.ts';
import { compileProject, type Compiled as Planned } from '../project/compile.ts';
import { sourcesPerLine } from '../project/explain/explain-line.ts';
import { projectRegistries } from '../project/gather/registries.ts';
import { findTracedOutput } from '../project/make-outputs.ts';
import type { Build } from '../project/open/builds.ts';
import { type Project, withRuleSeverities } from '../project/open/open.ts';
import type { LoadedProgram } from '../project/program.ts';
import { persistentSession, type Session } from '../project/session/session.ts';
import type { CompileContext } from '../project/session/world.ts';
import { validateProject } from '../project/validate.ts';
import { readOwned } from '../project/write/records.ts';
import { sourceOf, type Unit } from '../resolve/program.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../text/diagnostics/report.ts';
import type { Pause } from '../text/pieces.ts';
import { toUri, type UriOf } from './protocol.ts';

/** The current sources of a project and their program. */
export interface ReadProject {
  readonly project: Project;
  readonly build: Build;
  readonly loaded: LoadedProgram;
}

/** A program with its model and output files, which take much longer to compute. */
export interface Compiled extends ReadProject {
  readonly model: Model;
  readonly emitted: Awaited<ReturnType<Session['outputs']>>;
}

const silent = () => {};

/** Milliseconds of work between handling messages of the editor. */
const workTime = 8;

/** Event loop turns until an arrived message is handled. */
const turns = 3;

/** Thrown to cancel long work after an edit. */
class SupersededError extends Error {}

/** A project being edited: a session that gets every edit, and its results. */
export class EditedProject {
  /** Absolute path of the folder with its configuration. */
  readonly root: string;
  /** Absolute path of its configuration. */
  readonly config: string;
  readonly #world: CompileContext;
  readonly #session: Session;
  #read: Promise<ReadProject | undefined> | undefined;
  #compiled: Promise<Compiled | undefined> | undefined;
  /** Number of edits so far. */
  #edits = 0;

  constructor(root: string, config: string, world: CompileContext) {
    this.root = root;
    this.config = config;
    this.#world = { ...world, cwd: root, configPath: config, pauses: () => this.#startPauses() };
    this.#session = persistentSession(this.#world);
  }

  change(paths?: readonly string[]): void {
    this.#read = undefined;
    this.#compiled = undefined;
    this.#edits++;
    this.#session.change(paths);
  }

  /** Path relative to the root, as findings name files. */
  nameOf = (path: string): string => relativePath(this.root, path);

  /** The findings of `prs validate`, in the same order. */
  findings(): Promise<readonly Diagnostic[]> {
    return this.#retryAfterEdits(() => this.#validate());
  }

  /** The same; `undefined` when an edit interrupted the check. */
  async findingsUnlessEdited(): Promise<readonly Diagnostic[] | undefined> {
    return (await this.#unlessEdited(() => this.#validate()))?.value;
  }

  #validate(...files: string[]): Promise<readonly Diagnostic[]> {
    return collect(report => validateProject({ files }, this.context(report), this.#session));
  }

  /** The findings of `prs validate <file>` for a file that the project does not use. */
  async findingsIn(name: string): Promise<readonly Diagnostic[]> {
    const findings = await this.#validate(join(this.root, name));
    return findings.filter(({ span, file }) => (span?.source.name ?? file) === name);
  }

  /** The findings of reading the sources of all builds: the part of `findings` that is available quickly. */
  firstFindings(): Promise<readonly Diagnostic[]> {
    return collect(async report => {
      const project = await this.#session.project(report);
      if (!project) return;
      const graded = withRuleSeverities(project, this.context(report));
      const registries = projectRegistries(project, {}, graded);
      for (const name of [undefined, ...Object.keys(project.loaded.config.builds ?? {})]) {
        const choice = { builds: name === undefined ? undefined : [name] };
        const chosen = await this.#session.builds(project, choice, report);
        for (const { entry } of chosen === 'wrong-request' ? [] : chosen.builds)
          await this.#session.program(project, entry, registries, graded.report);
      }
    });
  }

  /** The program; `undefined` without a valid configuration. */
  read(): Promise<ReadProject | undefined> {
    this.#read ??= this.#readAll();
    return this.#read;
  }

  /** The URIs of the files that findings name. */
  async uris(): Promise<UriOf> {
    const remote = remoteSources(await this.read());
    return name => toUri(this.root, name, remote.has(name));
  }

  /** The program and its outputs. */
  compiled(): Promise<Compiled | undefined> {
    this.#compiled ??= this.#retryAfterEdits(() => this.#compile());
    return this.#compiled;
  }

  async #readAll(): Promise<ReadProject | undefined> {
    const project = await this.#session.project(silent);
    const chosen = project && (await this.#session.builds(project, {}, silent));
    const build = chosen === 'wrong-request' ? undefined : chosen?.builds[0];
    if (!project || !build) return undefined;
    const registries = projectRegistries(project, {}, this.context(silent));
    return { project, build, loaded: await this.#session.program(project, build.entry, registries, silent) };
  }

  async #compile(): Promise<Compiled | undefined> {
    const read = await this.read();
    if (!read) return undefined;
    const { project, build, loaded } = read;
    const model = await this.#session.model(loaded, project, build, silent);
    const emitted = await this.#session.outputs(model, build, project, loaded.sources, silent);
    return { ...read, model, emitted };
  }

  /** What `prs compile` would do; with `force`, also with files that are in conflict. */
  async planned(force: boolean): Promise<Planned | undefined> {
    const planned = await this.#retryAfterEdits(() =>
      compileProject({ mode: 'plan', force }, this.context(silent), this.#session),
    );
    return typeof planned === 'string' ? undefined : planned;
  }

  /** A generated file as it would be written, with the origins of its lines; computed on demand. */
  traced(name: string): Promise<OutputFile | undefined> {
    return this.#retryAfterEdits(() => findTracedOutput(name, {}, this.#session, this.context(silent)));
  }

  /** The source of each line of a generated file with this text. */
  async origins(name: string, text: string): Promise<Awaited<ReturnType<typeof sourcesPerLine>>> {
    const output = await this.traced(name);
    return output ? sourcesPerLine(output, text) : [];
  }

  /** The manifest entry of a file; `undefined` for one that is not generated. */
  recorded(name: string): OwnedFile | undefined {
    return readOwned(this.#world.disk, this.root, silent)?.files.get(name);
  }

  /** The context of use cases. */
  context(report: Report): CompileContext {
    return { ...this.#world, report };
  }

  /** Starts again after each edit. */
  async #retryAfterEdits<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      const result = await this.#unlessEdited(run);
      if (result) return result.value;
    }
  }

  async #unlessEdited<T>(run: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    const begun = this.#edits;
    try {
      const value = await run();
      return begun === this.#edits ? { value } : undefined;
    } catch (error) {
      if (error instanceof SupersededError) return undefined;
      throw error;
    }
  }

  /** Handles pending messages after each piece of work, and cancels the work when one was an edit. */
  #startPauses(): Pause {
    const begun = this.#edits;
    let since = performance.now();
    const pause = async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve));
      if (this.#edits !== begun) throw new SupersededError();
      since = performance.now();
    };
    return () => (performance.now() - since < workTime ? undefined : pause());
  }
}

async function collect(run: (report: Report) => Promise<unknown>): Promise<readonly Diagnostic[]> {
  const findings: Diagnostic[] = [];
  await run(finding => void findings.push(finding));
  return sortDiagnostics(findings);
}

/** Registry files of a program, with their texts. */
export function remoteSources(read: ReadProject | undefined): ReadonlyMap<string, string> {
  const units = read?.loaded.program.units ?? [];
  const sources = units.flatMap(unit => (unit.layer.remote ? (sourceOf(unit) ?? []) : []));
  return new Map(sources.map(({ name, text }) => [name, text]));
}

/** The unit of a project or registry file. */
export const unitNamed = ({ loaded }: ReadProject, name: string): Unit | undefined =>
  loaded.program.units.find(unit => sourceOf(unit)?.name === name);
