import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { WritableDisk } from '../host/host.ts';
import { type Inputs, type Look, type Looked, noteLook } from './inputs.ts';

/** What a step works with. Its reads through this are recorded; its other dependencies stand in `of`. */
export interface Step {
  readonly disk: WritableDisk;
  readonly report: Report;
  /** Marks that the step also read something that cannot be recorded, so that its value is not kept. */
  readonly untracked: () => void;
}

interface Derived {
  readonly of: readonly unknown[];
  readonly looks: readonly Look[];
  readonly findings: readonly Diagnostic[];
  readonly value: unknown;
  readonly stands: boolean;
  /** Of the inputs, when the value was made or last compared with them. */
  revision: number;
}

/**
 * Values that follow from inputs and from one another. A value is given again while what it was made of are the same
 * objects and the disk says what it said; its findings are then reported again. Otherwise it is made anew.
 */
export class Steps {
  readonly #derived = new Map<string, Derived>();
  readonly #inputs: Inputs;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  async derive<T>(
    name: string,
    of: readonly unknown[],
    report: Report,
    make: (step: Step) => T | Promise<T>,
  ): Promise<T> {
    const known = this.#derived.get(name);
    if (known && this.#holds(known, of)) {
      known.findings.forEach(report);
      return known.value as T;
    }
    const { revision } = this.#inputs;
    const looks: Look[] = [];
    const findings: Diagnostic[] = [];
    let stands = true;
    const untracked = () => {
      stands = false;
    };
    const value = await make({
      disk: this.#inputs.observed(look => void looks.push(look), untracked),
      report: finding => {
        findings.push(finding);
        report(finding);
      },
      untracked,
    });
    this.#derived.set(name, { of, looks, findings, value, stands, revision });
    return value;
  }

  /** Adds the looks that the kept values depend on. */
  addLooks(looked: Looked): void {
    for (const { looks } of this.#derived.values()) for (const look of looks) noteLook(looked, look);
  }

  /** Whether all values hold for more than one question. */
  get keepAll(): boolean {
    return [...this.#derived.values()].every(({ stands }) => stands);
  }

  #holds(known: Derived, of: readonly unknown[]): boolean {
    if (!known.stands || known.of.length !== of.length) return false;
    if (!known.of.every((part, at) => part === of[at])) return false;
    const { revision } = this.#inputs;
    if (known.revision !== revision && !known.looks.every(look => this.#inputs.stands(look))) return false;
    known.revision = revision;
    return true;
  }
}
