import type { Stat, WritableDisk } from '../../host/host.ts';
import { interceptReads, type ReadMethod } from '../../host/intercept-reads.ts';
import { equalData } from '../../text/data.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';

/** The context of a step; reads of its disk are recorded. */
export interface RecordedStep {
  readonly disk: WritableDisk;
  readonly report: Report;
  /** Marks that the step has inputs that cannot be recorded, so that its value is not kept. */
  readonly untracked: () => void;
}

/** Absolute paths that were read or listed, existing or not. */
export interface ReadPaths {
  readonly files: Set<string>;
  readonly directories: Set<string>;
}

interface Read {
  readonly question: ReadMethod;
  readonly path: string;
  readonly answer: unknown;
}

interface Derived {
  readonly of: readonly unknown[];
  readonly reads: readonly Read[];
  readonly findings: readonly Diagnostic[];
  readonly value: unknown;
  readonly isTracked: boolean;
  /** When the value was derived or last validated. */
  revision: number;
}

/**
 * Caches values with their inputs: other values, and reads of the disk. A value is valid while its inputs are the same.
 * Its findings are reported on each use.
 */
export class DependencyRecorder {
  /** A disk for reads that no value depends on; a lasting recorder notes them for a watcher. */
  readonly disk: WritableDisk;
  readonly #source: WritableDisk;
  readonly #isLasting: boolean;
  readonly #derived = new Map<string, Derived>();
  /** Answers of the disk since the last change, by path. */
  readonly #answers = new Map<string, Map<ReadMethod, unknown>>();
  /** Incremented by each change. */
  #revision = 0;
  #other: Read[] = [];

  /** Without `isLasting`, files do not change, and reads are not recorded. */
  constructor(disk: WritableDisk, isLasting: boolean) {
    this.#source = disk;
    this.#isLasting = isLasting;
    this.disk = isLasting
      ? interceptReads(disk, (question, path) => {
          const answer = disk[question](path);
          this.#other.push({ question, path, answer });
          return answer;
        })
      : disk;
  }

  async derive<T>(
    name: string,
    of: readonly unknown[],
    report: Report,
    make: (step: RecordedStep) => T | Promise<T>,
  ): Promise<T> {
    const known = this.#derived.get(name);
    if (known && this.#isCurrent(known, of)) {
      known.findings.forEach(report);
      return known.value as T;
    }
    const revision = this.#revision;
    const reads: Read[] = [];
    const collected = collectFindings(report);
    let isTracked = true;
    const untracked = () => {
      isTracked = false;
    };
    const value = await make({
      disk: this.#isLasting ? this.#recording(reads, untracked) : this.#source,
      report: collected.report,
      untracked,
    });
    this.#derived.set(name, { of, reads, findings: collected.findings, value, isTracked, revision });
    return value;
  }

  /** Invalidates absolute paths and what is below them; by default everything. */
  change(paths?: Iterable<string>): void {
    this.#revision++;
    this.#other = [];
    if (!paths) {
      this.#answers.clear();
      return;
    }
    const changed = [...paths];
    for (const path of this.#answers.keys())
      if (changed.some(one => isRelated(path, one))) this.#answers.delete(path);
  }

  /** The paths that were read. Changes of other paths affect no value. */
  readPaths(): ReadPaths {
    const files = new Set<string>();
    const directories = new Set<string>();
    const reads = [...this.#derived.values()].flatMap(derived => derived.reads);
    for (const { question, path } of [...reads, ...this.#other]) {
      if (question === 'list') directories.add(path);
      else if (question !== 'realpath' && question !== 'readLink') files.add(path);
    }
    return { files, directories };
  }

  #recording(reads: Read[], untracked: () => void): WritableDisk {
    return interceptReads(this.#source, (question, path) => {
      try {
        const answer = this.#ask(question, path);
        reads.push({ question, path, answer });
        return answer;
      } catch (error) {
        untracked();
        throw error;
      }
    });
  }

  #ask(question: ReadMethod, path: string): unknown {
    const known = this.#answers.get(path) ?? new Map<ReadMethod, unknown>();
    this.#answers.set(path, known);
    if (known.has(question)) return known.get(question);
    const answer = this.#source[question](path);
    known.set(question, answer);
    return answer;
  }

  #isCurrent(known: Derived, of: readonly unknown[]): boolean {
    if (!known.isTracked || known.of.length !== of.length) return false;
    if (!known.of.every((part, at) => part === of[at])) return false;
    if (known.revision !== this.#revision && !known.reads.every(read => this.#isSame(read))) return false;
    known.revision = this.#revision;
    return true;
  }

  #isSame({ question, path, answer }: Read): boolean {
    try {
      const now = this.#ask(question, path);
      if (question === 'stat') return kindOf(now) === kindOf(answer);
      if (question === 'lstat') return equalData(factsOf(now), factsOf(answer));
      return equalData(now, answer);
    } catch {
      return false;
    }
  }
}

/** Steps that need more than the kind read the content. */
const kindOf = (stat: unknown): Stat['kind'] | undefined => (stat as Stat | undefined)?.kind;

/** The facts of `lstat` without times. */
function factsOf(stat: unknown) {
  const { kind, size, mode } = (stat ?? {}) as Partial<Stat>;
  return { kind, mode, ...(kind === 'file' && { size }) };
}

/** Whether one path is the other one or below it, because a folder lists its files. */
const isRelated = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one);

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder) && (/[\\/]$/.test(folder) || '/\\'.includes(path[folder.length] ?? '-'));
