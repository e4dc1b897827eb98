import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import { type OverlayDisk, overlayDisk } from '../../host/overlay.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { hasSameMeaning } from '../../plan/same-meaning.ts';
import { decodeText, encodeText, textOfFile } from '../../text/bytes.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';
import { sharedDir } from '../../text/places.ts';
import type { Source } from '../../text/source.ts';
import { type FindRoles, roleFinder } from '../adopt/roles.ts';
import { type Compiled, compileProject } from '../compile.ts';
import type { Explained } from '../explain/explain.ts';
import { originsOfLines } from '../explain/explain-line.ts';
import { findTracedOutput } from '../make-outputs.ts';
import type { BuildChoice } from '../open/builds.ts';
import type { OpenFailure } from '../open/open.ts';
import { persistentSession, type Session } from '../session/session.ts';
import type { CompileContext } from '../session/world.ts';
import { hunksOf, type SourceLine } from './hunks.ts';

/** New texts of sources that may produce an edited file; `undefined` deletes a source. Lines end with LF. */
export type Candidate = ReadonlyMap<string, string | undefined>;

/** A source that changed: new without `before`, deleted without `after`. */
export interface SourceChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A compile of the sources in memory. */
export interface TrialResult {
  readonly compiled: Compiled;
  readonly entries: ReadonlyMap<string, PlanEntry>;
  readonly errors: readonly Diagnostic[];
  /** Valid, without errors that the first compile of the run does not have. */
  readonly sound: boolean;
}

/** A planned text around an edit, and the sources that it is made of. */
export interface EditContext {
  readonly lines: readonly string[];
  readonly output: OutputFile | undefined;
  /** What a line is made of. */
  readonly originsOf: (at: number) => readonly Explained[];
  readonly sources: readonly string[];
  /** A source that may be changed, with LF as line ends. */
  readonly sourceOf: (file: string) => Source | undefined;
}

/** Whether two texts mean the same, whatever their layout. */
export type Comparer = (one: string, other: string) => Promise<boolean>;

/** The lines of a text without carriage returns; `undefined` for binary content. */
export const linesOfBytes = (bytes: Uint8Array): string[] | undefined =>
  textOfFile(bytes)?.replaceAll('\r\n', '\n').split('\n');

/** The sources of a project, changed only in memory, with a compiler for them. `restart` starts another run. */
export class Workspace {
  readonly #context: CompileContext;
  readonly #choice: BuildChoice;
  readonly #session: Session;
  readonly #originals = new Map<string, string | undefined>();
  #knownErrors: ReadonlySet<string> | undefined;
  readonly disk: OverlayDisk;
  /** The folder of the project, after the first compile. */
  root = '';
  /** The last compile that was kept. */
  trial!: TrialResult;

  constructor(context: CompileContext, choice: BuildChoice) {
    this.disk = overlayDisk(context.disk);
    this.#context = { ...context, disk: this.disk };
    this.#choice = choice;
    this.#session = persistentSession(this.#context);
  }

  /** The specs of the tools of the project. */
  get specs(): readonly TargetSpec[] {
    return this.trial.compiled.requests.map(({ spec }) => spec);
  }

  /** What files are for the tools of the project. */
  async roleFinder(): Promise<FindRoles> {
    const project = await this.#session.project(() => {});
    return roleFinder(this.specs, sharedDir(project?.loaded.config.universalDir));
  }

  /** Compiles without writing. */
  async compile(): Promise<TrialResult | OpenFailure> {
    const { findings, report } = collectFindings();
    const compiled = await compileProject(
      { mode: 'plan', force: true, trial: true, ...this.#choice },
      { ...this.#context, report },
      this.#session,
    );
    const errors = findings.filter(isError);
    if (typeof compiled === 'string') {
      for (const error of errors) this.#context.report(error);
      return compiled;
    }
    this.root = compiled.root;
    const keyOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
    this.#knownErrors ??= new Set(errors.map(keyOf));
    const sound = !compiled.broken && errors.every(error => this.#knownErrors!.has(keyOf(error)));
    return { compiled, entries: new Map(compiled.entries.map(entry => [entry.path, entry])), errors, sound };
  }

  exists(file: string): boolean {
    return this.disk.readBytes(join(this.root, file)) !== undefined;
  }

  /** The text of a file of the project with LF line ends; `undefined` when it is missing or binary. */
  readonly textOf = (file: string): string | undefined => {
    const text = this.#read(file)?.replaceAll('\r\n', '\n');
    return text?.includes('\r') ? undefined : text;
  };

  #read(file: string): string | undefined {
    const bytes = this.disk.readBytes(join(this.root, file));
    return !bytes || bytes.includes(0) ? undefined : decodeText(bytes);
  }

  #write(file: string, text: string | undefined): void {
    const path = join(this.root, file);
    if (text === undefined) this.disk.removeFile(path);
    else {
      this.disk.makeDirectory(join(path, '..'));
      this.disk.writeBytes(path, encodeText(text));
    }
    this.#session.change([path]);
  }

  /** Changes the sources; lines keep their line ends. Returns `undefined` when nothing would change. */
  apply(candidate: Candidate) {
    const changes: SourceChange[] = [];
    for (const [path, text] of candidate) {
      const before = this.#read(path);
      const after = before?.includes('\r\n') ? text?.replaceAll('\n', '\r\n') : text;
      if (before !== after) changes.push({ path, before, after });
    }
    if (changes.length === 0) return undefined;
    for (const { path, before, after } of changes) {
      if (!this.#originals.has(path)) this.#originals.set(path, before);
      this.#write(path, after);
    }
    const undo = () => {
      for (const { path, before } of changes) this.#write(path, before);
    };
    return { changes, undo };
  }

  /**
   * Applies the first candidate whose compile is valid and passes the check; returns the changed places. `onErrors`
   * gets the errors of the others.
   */
  async keepFirst(
    candidates: Iterable<Candidate>,
    isRight: (trial: TrialResult) => boolean,
    onErrors: (errors: readonly Diagnostic[]) => void = () => {},
  ): Promise<SourceLine[] | undefined> {
    for (const candidate of candidates) {
      const applied = this.apply(candidate);
      if (!applied) continue;
      const trial = await this.compile();
      if (typeof trial !== 'string' && trial.sound && isRight(trial)) {
        this.trial = trial;
        return changedLines(applied.changes);
      }
      applied.undo();
      if (typeof trial !== 'string' && !trial.sound) onErrors(trial.errors);
    }
    return undefined;
  }

  /** Discards all changes; files on disk may have changed. */
  restart(): void {
    this.disk.forget();
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
      .map(([path, before]) => ({ path, before, after: this.#read(path) }))
      .filter(({ before, after }) => before !== after);
  }

  /** A file as the sources produce it, with the origins of its parts. */
  outputOf(path: string): Promise<OutputFile | undefined> {
    return findTracedOutput(path, this.#choice, this.#session, this.#context);
  }

  /** The lines of a planned file with their origins and sources. */
  async surroundingsOf(path: string, lines: readonly string[]): Promise<EditContext> {
    const output = await this.outputOf(path);
    const find = output && (await originsOfLines(output, lines.join('\n')));
    const originsOf = (at: number) => find?.(at) ?? [];
    // What is read from a source is kept with its object.
    const sources = new Map<string, Source | undefined>();
    const sourceOf = (name: string) => {
      const text = sources.has(name) ? undefined : this.textOf(name);
      if (text !== undefined) sources.set(name, { name, text });
      return sources.get(name);
    };
    return { lines, output, originsOf, sources: this.trial.compiled.sources, sourceOf };
  }
}

/** Where sources changed. */
export function changedLines(changes: readonly SourceChange[]): SourceLine[] {
  const linesOf = (text: string) => text.split(/\r?\n/);
  return changes.flatMap(({ path: file, before, after }) =>
    before === undefined || after === undefined
      ? [{ file, line: 1 }]
      : hunksOf(linesOf(before), linesOf(after)).map(({ at }) => ({ file, line: at + 1 })),
  );
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** A function that compares texts of a generated file regardless of layout; `undefined` when that is not possible. */
export function comparerOf(output: OutputFile | undefined): Comparer | undefined {
  if (output?.kind !== 'whole' || output.format === 'script' || output.format === 'other') return undefined;
  return (one, other) => hasSameMeaning(encodeText(one), encodeText(other), output);
}
