import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { overlayDisk } from '../../host/overlay.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { lastingSession, type Session } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import { type Compiled, compileProject } from '../compile.ts';
import type { Explained } from '../explain/explain.ts';
import { originsOfLines } from '../explain/explain-line.ts';
import { projectRegistries } from '../gather/registries.ts';
import type { BuildChoice } from '../open/builds.ts';
import type { Project, Unusable } from '../open/open.ts';

/** Lines of a source that others take the place of. */
export interface SourceEdit {
  readonly file: string;
  /** Index of the first line. */
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

/** A whole source that comes (`text`) or goes. */
export interface SourceMove {
  readonly file: string;
  readonly text: string | undefined;
}

/** A source that is not what it was; without `before` it is new, without `after` it is gone. */
export interface SourceChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** What may bring an edit home. */
export interface Candidate {
  readonly edits: readonly SourceEdit[];
  readonly moves?: readonly SourceMove[];
}

/** What a compile of the sources as they are in memory gives. */
export interface Trial {
  readonly compiled: Compiled;
  readonly entries: ReadonlyMap<string, PlanEntry>;
  readonly errors: readonly Diagnostic[];
}

/** The sources of a project, changed in memory only, with what compiles them. */
export class Workshop {
  readonly #context: Compiling;
  readonly #choice: BuildChoice;
  readonly #session: Session;
  readonly #originals = new Map<string, string | undefined>();
  #root = '';

  constructor(context: Compiling, choice: BuildChoice) {
    this.#context = { ...context, disk: overlayDisk(context.disk) };
    this.#choice = choice;
    this.#session = lastingSession(this.#context);
  }

  get root(): string {
    return this.#root;
  }

  get disk() {
    return this.#context.disk;
  }

  project(): Promise<Project | undefined> {
    return this.#session.project(() => {});
  }

  /** Compiles without writing. */
  async compile(): Promise<Trial | Unusable> {
    const errors: Diagnostic[] = [];
    const report = (found: Diagnostic) => void (found.severity === 'error' && errors.push(found));
    const context = { ...this.#context, report };
    const compiled = await compileProject(
      { mode: 'plan', force: true, trial: true, ...this.#choice },
      context,
      this.#session,
    );
    if (typeof compiled === 'string') {
      for (const error of errors) this.#context.report(error);
      return compiled;
    }
    this.#root = compiled.root;
    return { compiled, entries: new Map(compiled.entries.map(entry => [entry.path, entry])), errors };
  }

  /** The lines of a file of the project; `undefined`: there is none, or it is no text. */
  linesOf(file: string): string[] | undefined {
    return this.#read(file)?.split('\n');
  }

  #read(file: string): string | undefined {
    const bytes = this.disk.readBytes(join(this.#root, file));
    if (!bytes || bytes.includes(0)) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  /** Changes sources; what is returned takes it back. `undefined`: it does not fit. */
  apply({ edits, moves = [] }: Candidate): (() => void) | undefined {
    const texts = new Map<string, string | undefined>(moves.map(({ file, text }) => [file, text]));
    for (const file of new Set(edits.map(one => one.file))) {
      const lines = this.linesOf(file);
      if (!lines) return undefined;
      const own = edits.filter(one => one.file === file).sort((a, b) => b.at - a.at);
      let last = Number.POSITIVE_INFINITY;
      for (const { at, remove, insert } of own) {
        if (at + remove > last || at < 0 || at + remove > lines.length) return undefined;
        const end = (lines[at - 1] ?? lines[at] ?? '').endsWith('\r') ? '\r' : '';
        lines.splice(at, remove, ...insert.map(line => (line.endsWith('\r') ? line : line + end)));
        last = at;
      }
      texts.set(file, lines.join('\n'));
    }
    const before = [...texts.keys()].map(file => [file, this.#read(file)] as const);
    for (const [file, text] of before) if (!this.#originals.has(file)) this.#originals.set(file, text);
    for (const [file, text] of texts) this.#write(file, text);
    return () => {
      for (const [file, text] of before) this.#write(file, text);
    };
  }

  #write(file: string, text: string | undefined): void {
    const path = join(this.#root, file);
    if (text === undefined) this.disk.removeFile(path);
    else {
      this.disk.makeDirectory(join(path, '..'));
      this.disk.writeBytes(path, new TextEncoder().encode(text));
    }
    this.#session.change([path]);
  }

  /** Takes everything back. */
  reset(): void {
    for (const [file, text] of this.#originals) if (this.#read(file) !== text) this.#write(file, text);
  }

  /** Every source that is not what it was. */
  get changed(): readonly SourceChange[] {
    return [...this.#originals].flatMap(([path, before]) => {
      const after = this.#read(path);
      if (before === after) return [];
      return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
    });
  }

  /** What made each line of a planned file. */
  async originsIn(path: string, text: string): Promise<(at: number) => Promise<readonly Explained[]>> {
    const output = await this.#findOutput(path);
    return output ? originsOfLines(output, text) : async () => [];
  }

  async #findOutput(path: string): Promise<OutputFile | undefined> {
    const silent = () => {};
    const session = this.#session;
    const project = await session.project(silent);
    const chosen = project && (await session.builds(project, this.#choice, silent));
    if (!project || chosen === 'wrong-request') return undefined;
    const registries = projectRegistries(project, {}, { ...this.#context, report: silent });
    for (const build of chosen!.builds) {
      const loaded = await session.program(project, build.entry, registries, silent);
      const trace = { trace: true };
      const model = await session.model(loaded, project, build, silent, trace);
      const { files } = await session.formattedOutputs(model, build, project, loaded.sources, silent, trace);
      const file = files.find(output => output.path === path);
      if (file) return file;
    }
    return undefined;
  }
}
