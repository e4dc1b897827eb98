import { join } from 'node:path';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { type OverlayDisk, overlayDisk } from '../../host/overlay.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { saysSame } from '../../plan/same-meaning.ts';
import { lastingSession, type Session } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import { decodeText, encodeText } from '../../text/bytes.ts';
import { type Compiled, compileProject } from '../compile.ts';
import type { Explained } from '../explain/explain.ts';
import { originsOfLines } from '../explain/explain-line.ts';
import { projectRegistries } from '../gather/registries.ts';
import type { BuildChoice } from '../open/builds.ts';
import { type Project, type Unusable, watchErrors, withRuleSeverities } from '../open/open.ts';

/** Lines of a source that are replaced. */
export interface SourceEdit {
  readonly file: string;
  /** Index of the first line. */
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

/** A whole source that is created, replaced or, without a text, deleted. */
export interface SourceFile {
  readonly file: string;
  readonly text: string | undefined;
}

/** A change of the sources that may give an edited file. */
export interface Candidate {
  readonly edits: readonly SourceEdit[];
  readonly files?: readonly SourceFile[];
}

/** A source that changed: new without `before`, deleted without `after`. */
export interface SourceChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** A compile of the sources in memory. */
export interface Trial {
  readonly compiled: Compiled;
  readonly entries: ReadonlyMap<string, PlanEntry>;
  readonly errors: readonly Diagnostic[];
  /** Usable, without errors that the first compile of the run does not have. */
  readonly sound: boolean;
}

/** A change of the sources that was made, with its compile. */
export interface Kept {
  readonly candidate: Candidate;
  readonly trial: Trial;
}

/** A line and column of a source, from 0. */
export interface Place {
  readonly file: string;
  readonly at: number;
  readonly column: number;
}

/** A planned text around an edit, and the sources that it is made of. */
export interface Surroundings {
  readonly lines: readonly string[];
  /** What a line is made of. */
  readonly originsOf: (at: number) => readonly Explained[];
  readonly sources: readonly string[];
  /** The lines of a source; `undefined` where it must not be changed. */
  readonly sourceLines: (file: string) => readonly string[] | undefined;
}

/** Whether two texts mean the same, whatever their layout. */
export type Comparer = (one: string, other: string) => Promise<boolean>;

const changeOf = (path: string, before: string | undefined, after: string | undefined): SourceChange => ({
  path,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/** Of a longer text the lines near an edit, the first lines and headings have their origins looked up. */
const maxLines = 400;
const nearbyLines = 20;

/** The sources of a project, changed in memory only, with a compiler for them. `restart` begins another run. */
export class Workspace {
  readonly #context: Compiling;
  readonly #overlay: OverlayDisk;
  readonly #choice: BuildChoice;
  readonly #session: Session;
  readonly #originals = new Map<string, string | undefined>();
  #root = '';
  #knownErrors: ReadonlySet<string> | undefined;

  constructor(context: Compiling, choice: BuildChoice) {
    this.#overlay = overlayDisk(context.disk);
    this.#context = { ...context, disk: this.#overlay };
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
    const { errors, report } = collectErrors();
    const compiled = await compileProject(
      { mode: 'plan', force: true, trial: true, ...this.#choice },
      { ...this.#context, report },
      this.#session,
    );
    if (typeof compiled === 'string') {
      for (const error of errors) this.#context.report(error);
      return compiled;
    }
    this.#root = compiled.root;
    const keyOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
    this.#knownErrors ??= new Set(errors.map(keyOf));
    const sound = !compiled.broken && errors.every(error => this.#knownErrors!.has(keyOf(error)));
    return { compiled, entries: new Map(compiled.entries.map(entry => [entry.path, entry])), errors, sound };
  }

  /** The lines of a file of the project; `undefined` for a missing or binary one. */
  linesOf(file: string): string[] | undefined {
    return this.#read(file)?.split('\n');
  }

  #read(file: string): string | undefined {
    const bytes = this.disk.readBytes(join(this.#root, file));
    return !bytes || bytes.includes(0) ? undefined : decodeText(bytes);
  }

  #write(file: string, text: string | undefined): void {
    const path = join(this.#root, file);
    if (text === undefined) this.disk.removeFile(path);
    else {
      this.disk.makeDirectory(join(path, '..'));
      this.disk.writeBytes(path, encodeText(text));
    }
    this.#session.change([path]);
  }

  /** Changes the sources; `undefined` where the candidate does not fit them. */
  apply({ edits, files = [] }: Candidate) {
    const texts = new Map(files.map(({ file, text }) => [file, text]));
    for (const file of new Set(edits.map(one => one.file))) {
      const lines = this.linesOf(file);
      if (!lines) return undefined;
      let last = Number.POSITIVE_INFINITY;
      const own = edits.filter(one => one.file === file).sort((a, b) => b.at - a.at);
      for (const { at, remove, insert } of own) {
        if (at + remove > last || at < 0 || at + remove > lines.length) return undefined;
        const end = (lines[at - 1] ?? lines[at] ?? '').endsWith('\r') ? '\r' : '';
        lines.splice(at, remove, ...insert.map(line => (line.endsWith('\r') ? line : line + end)));
        last = at;
      }
      texts.set(file, lines.join('\n'));
    }
    const changes = [...texts].map(([file, text]) => changeOf(file, this.#read(file), text));
    for (const { path, before, after } of changes) {
      if (!this.#originals.has(path)) this.#originals.set(path, before);
      this.#write(path, after);
    }
    const undo = () => {
      for (const { path, before } of changes) this.#write(path, before);
    };
    return { changes, undo };
  }

  /** Applies the first candidate whose compile is sound and right; `onErrors` gets the errors of the others. */
  async keepFirst(
    candidates: readonly Candidate[],
    isRight: (trial: Trial) => boolean,
    onErrors: (errors: readonly Diagnostic[]) => void = () => {},
  ): Promise<Kept | undefined> {
    for (const candidate of candidates) {
      const applied = this.apply(candidate);
      if (!applied) continue;
      const trial = await this.compile();
      if (typeof trial !== 'string' && trial.sound && isRight(trial)) return { candidate, trial };
      applied.undo();
      if (typeof trial !== 'string' && !trial.sound) onErrors(trial.errors);
    }
    return undefined;
  }

  /** Forgets all changes; files of the disk may have changed. */
  restart(): void {
    this.#overlay.forget();
    this.#originals.clear();
    this.#knownErrors = undefined;
    this.#session.change();
  }

  /** Undoes all changes. */
  reset(): void {
    for (const { path } of this.changed) this.#write(path, this.#originals.get(path));
  }

  get changed(): readonly SourceChange[] {
    return [...this.#originals]
      .map(([path, before]) => changeOf(path, before, this.#read(path)))
      .filter(({ before, after }) => before !== after);
  }

  /** A file as the sources give it, with the origins of its parts. */
  async outputOf(path: string): Promise<OutputFile | undefined> {
    return (await this.#findOutput(path, () => {}, true)).output;
  }

  /** The surroundings of a hunk of a planned file, or of all its lines. */
  async surroundingsOf(
    path: string,
    lines: readonly string[],
    sources: readonly string[],
    hunk?: { readonly at: number; readonly removed: readonly string[] },
  ): Promise<Surroundings> {
    const output = await this.outputOf(path);
    const find = output && (await originsOfLines(output, lines.join('\n')));
    // A look-up in structured data, or in a long text, reads all of it.
    const isCheap = output?.kind === 'whole' && !output.keys && lines.length <= maxLines;
    const isNear = (at: number) =>
      !hunk ||
      isCheap ||
      (at >= hunk.at - nearbyLines && at < hunk.at + hunk.removed.length + nearbyLines) ||
      at < nearbyLines ||
      /^#{1,6} /.test(lines[at]!);
    const origins: (readonly Explained[])[] = [];
    for (const at of lines.keys()) origins.push(find && isNear(at) ? await find(at) : []);
    return {
      lines,
      sources,
      originsOf: at => origins[at] ?? [],
      sourceLines: file => this.linesOf(file),
    };
  }

  /**
   * A quick look before a compile at what a file would be: it gives one of some texts (or only a compile can tell), or
   * has another text, or errors.
   */
  async preview(
    path: string,
    texts: readonly string[],
  ): Promise<'possible' | { readonly text?: string; readonly error?: Diagnostic }> {
    const { errors, report } = collectErrors();
    const { output, failed } = await this.#findOutput(path, report, false);
    const [error] = errors;
    if (error || failed) return { ...(error && { error }) };
    const text = output?.kind === 'whole' ? output.content : undefined;
    if (typeof text !== 'string' || texts.includes(text)) return 'possible';
    const isSame = comparerOf(output);
    if (isSame) for (const one of texts) if (await isSame(one, text)) return 'possible';
    return { text };
  }

  /** How to compare texts of a generated file whatever their layout; `undefined` where that is not possible. */
  async comparer(path: string): Promise<Comparer | undefined> {
    return comparerOf(await this.outputOf(path));
  }

  async #findOutput(
    path: string,
    report: Report,
    trace: boolean,
  ): Promise<{ readonly output?: OutputFile; readonly failed: boolean }> {
    const session = this.#session;
    const project = await session.project(report);
    const chosen = project && (await session.builds(project, this.#choice, report));
    if (!project || chosen === 'wrong-request') return { failed: true };
    const watched = watchErrors(report);
    const { report: graded } = withRuleSeverities(project, { ...this.#context, report: watched.report });
    const registries = projectRegistries(project, {}, { ...this.#context, report: graded });
    for (const build of chosen!.builds) {
      // A preview leaves the rules to the compile.
      const unchecked = !trace;
      const loaded = await session.program(project, build.entry, registries, graded, { unchecked });
      if (watched.failed()) return { failed: true };
      const model = await session.model(loaded, project, build, graded, { trace });
      const { sources } = loaded;
      const { files } = await session.formattedOutputs(model, build, project, sources, graded, { trace });
      const output = files.find(file => file.path === path);
      if (output) return { output, failed: false };
    }
    return { failed: watched.failed() };
  }
}

function collectErrors(): { readonly errors: Diagnostic[]; readonly report: Report } {
  const errors: Diagnostic[] = [];
  return { errors, report: found => void (found.severity === 'error' && errors.push(found)) };
}

function comparerOf(output: OutputFile | undefined): Comparer | undefined {
  if (output?.kind !== 'whole' || output.format === 'script' || output.format === 'other') return undefined;
  const { path, format, implied = [] } = output;
  return (one, other) => saysSame(encodeText(one), encodeText(other), { path, format, implied });
}
