import { join } from 'node:path';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { type OverlayDisk, overlayDisk } from '../../host/overlay.ts';
import type { OutputFile, WholeFile } from '../../kinds/output.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { lastingSession, type Session } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import { decodeText } from '../../text/bytes.ts';
import { type Compiled, compileProject } from '../compile.ts';
import type { Explained } from '../explain/explain.ts';
import { originsOfLines } from '../explain/explain-line.ts';
import { projectRegistries } from '../gather/registries.ts';
import type { BuildChoice } from '../open/builds.ts';
import { type Project, type Unusable, watchErrors, withRuleSeverities } from '../open/open.ts';
import type { Rewritten } from './lost-words.ts';

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
  /** It can be used, and has no error that the first compile of the run has not. */
  readonly sound: boolean;
}

/** What a file would say, with the errors of the sources; without a text it is not known. */
export interface Draft {
  readonly text?: string;
  readonly errors: readonly Diagnostic[];
}

/** A change of the sources that can be taken back. */
export interface Applied {
  readonly takeBack: () => void;
  readonly rewritten: readonly Rewritten[];
}

/** A change of the sources that stands, with its compile. */
export interface Kept {
  readonly candidate: Candidate;
  readonly trial: Trial;
}

/**
 * The sources of a project, changed in memory only, with what compiles them. One that lasts keeps what was derived from
 * files that did not change: `renew` begins another run.
 */
export class Workshop {
  readonly #context: Compiling;
  readonly #overlay: OverlayDisk;
  readonly #choice: BuildChoice;
  readonly #session: Session;
  readonly #originals = new Map<string, string | undefined>();
  #root = '';
  /** Errors of the first compile of the run. */
  #known: ReadonlySet<string> | undefined;

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
    const keyOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
    this.#known ??= new Set(errors.map(keyOf));
    const sound = !compiled.broken && errors.every(error => this.#known!.has(keyOf(error)));
    return { compiled, entries: new Map(compiled.entries.map(entry => [entry.path, entry])), errors, sound };
  }

  /** The lines of a file of the project; `undefined`: there is none, or it is no text. */
  linesOf(file: string): string[] | undefined {
    return this.#read(file)?.split('\n');
  }

  #read(file: string): string | undefined {
    const bytes = this.disk.readBytes(join(this.#root, file));
    return !bytes || bytes.includes(0) ? undefined : decodeText(bytes);
  }

  /** Changes sources. `undefined`: it does not fit. */
  apply({ edits, moves = [] }: Candidate): Applied | undefined {
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
    return {
      takeBack: () => {
        for (const [file, text] of before) this.#write(file, text);
      },
      rewritten: before.map(([file, text = '']) => ({ file, before: text, after: texts.get(file) ?? '' })),
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

  /**
   * Changes the sources for good if a compile of them has no errors and is what is wanted; else nothing is changed, and
   * `undefined` is the answer. `hear` is told what errors the sources would have.
   */
  async keepIf(
    candidate: Candidate,
    isRight: (trial: Trial) => boolean,
    hear: (errors: readonly Diagnostic[]) => void = () => {},
  ): Promise<Kept | undefined> {
    const applied = this.apply(candidate);
    if (!applied) return undefined;
    const trial = await this.compile();
    if (typeof trial !== 'string' && trial.sound && isRight(trial)) return { candidate, trial };
    applied.takeBack();
    if (typeof trial !== 'string' && !trial.sound) hear(trial.errors);
    return undefined;
  }

  /** The first of several changes that is right. */
  async keepFirst(
    candidates: readonly Candidate[],
    isRight: (trial: Trial) => boolean,
    hear?: (errors: readonly Diagnostic[]) => void,
  ): Promise<Kept | undefined> {
    for (const candidate of candidates) {
      const kept = await this.keepIf(candidate, isRight, hear);
      if (kept) return kept;
    }
    return undefined;
  }

  /** Forgets all changes: the sources are those of the disk, which may have changed. */
  renew(): void {
    this.#overlay.forget();
    this.#originals.clear();
    this.#known = undefined;
    this.#session.change();
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

  /** A file as the sources make it, with the origins of its parts. */
  async outputOf(path: string): Promise<OutputFile | undefined> {
    return (await this.#findOutput(path, () => {}, true)).output;
  }

  /** What made each line of a planned file. */
  async originsIn(path: string, text: string): Promise<(at: number) => Promise<readonly Explained[]>> {
    const output = await this.outputOf(path);
    return output ? originsOfLines(output, text) : async () => [];
  }

  /**
   * Whether a file, which is wholly ours, may be planned with one of some texts: less work than a compile, which decides
   * it. Otherwise what it says, and what is wrong with the sources.
   */
  async mayGive(path: string, texts: readonly string[]): Promise<true | Draft> {
    const errors: Diagnostic[] = [];
    const report = (found: Diagnostic) => void (found.severity === 'error' && errors.push(found));
    const { output, failed } = await this.#findOutput(path, report, false);
    if (failed) return { errors };
    if (output?.kind !== 'whole') return errors.length > 0 ? { errors } : true;
    const { content } = output;
    if (typeof content !== 'string' || errors.length > 0) return errors.length > 0 ? { errors } : true;
    if (texts.includes(content)) return true;
    const saysSame = await comparerOf(output);
    if (saysSame) for (const text of texts) if (await saysSame(text, content)) return true;
    return { text: content, errors };
  }

  /** How two texts of a file that is wholly ours are compared whatever their layout; `undefined`: there is no such way. */
  async comparer(path: string): Promise<Comparer | undefined> {
    const output = await this.outputOf(path);
    return output?.kind === 'whole' ? comparerOf(output) : undefined;
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
    const graded = withRuleSeverities(project, { ...this.#context, report: watched.report });
    const registries = projectRegistries(project, {}, graded);
    for (const build of chosen!.builds) {
      // The compile that decides asks the rules.
      const loaded = await session.program(project, build.entry, registries, graded.report, {
        unchecked: !trace,
      });
      if (watched.failed()) return { failed: true };
      const model = await session.model(loaded, project, build, graded.report, { trace });
      const asked = { trace };
      const { files } = await session.formattedOutputs(
        model,
        build,
        project,
        loaded.sources,
        graded.report,
        asked,
      );
      const output = files.find(file => file.path === path);
      if (output) return { output, failed: false };
    }
    return { failed: watched.failed() };
  }
}

/** Whether two texts say the same. */
type Comparer = (one: string, other: string) => Promise<boolean>;

async function comparerOf({ path, format, implied = [] }: WholeFile): Promise<Comparer | undefined> {
  if (format === 'script' || format === 'other') return undefined;
  const { saysSame } = await import('../../plan/same-meaning.ts');
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  return (one, other) => saysSame(bytesOf(one), bytesOf(other), { path, format, implied });
}
