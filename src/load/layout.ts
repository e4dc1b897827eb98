import type { Reads } from '../generated/types/target.ts';
import { filesOfFolder, readablePaths } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import { type Delivery, deliveryOf, pathsOf, type Surroundings } from './delivery.ts';
import { followsImports, takesImport } from './load.ts';
import {
  type LayoutReader,
  type MainFile,
  type MainFileState,
  type MainFileStates,
  type Present,
  undecided,
} from './main-files.ts';

/** Which main files are written, and which of them each target loads. */
export interface Layout {
  /** Path to what is written there; other main files are not written. */
  readonly files: ReadonlyMap<string, MainFile>;
  /** Target to the file that brings it the text. */
  readonly sources: ReadonlyMap<string, string>;
  /** Target to the files that give it the text, where it is more than one. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

/** Lower is better, the first difference decides. */
type Cost = readonly [
  missing: number,
  copies: number,
  unneeded: number,
  texts: number,
  imports: number,
  foreign: number,
];

const noCost: Cost = [0, 0, 0, 0, 0, 0];

const costOf = (state: MainFileState): Cost =>
  state === 'none' ? noCost : state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];

const addCost = (a: Cost, b: Cost): Cost => a.map((value, index) => value + b[index]!) as unknown as Cost;

/** Negative when `a` is the better one. */
function compareCost(a: Cost, b: Cost): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index === -1 ? 0 : a[index]! - b[index]!;
}

/** What a private place of a reader may hold, with the cost of the reader. */
interface Choice {
  readonly state: MainFileState;
  readonly path: string;
  readonly cost: Cost;
}

/**
 * The smallest set of main files by which every target loads the text once: exact, by branch and bound.
 * Where once cannot be had, the fewest copies; then the fewest sections that only others need, the fewest files, the
 * fewest import lines, the most targets with the file of their own spec. `present` are main files that exist in any case;
 * `strangers` are load models of targets that have no text here: any that they load is unneeded.
 */
export function chooseLayout(
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, Present> = new Map(),
  strangers: readonly Reads[] = [],
): Layout {
  const sorted = [...readers].sort((a, b) => compareCode(a.spec.id, b.spec.id));
  return new Search(sorted, present, strangers).run();
}

class Search {
  /** Paths that several targets load, those with the most targets first. */
  private readonly shared: readonly string[];
  /** Readers whose shared paths are all decided after the path of this index. */
  private readonly decidedAt: readonly (readonly LayoutReader[])[];
  private readonly hasNeeds: boolean;
  private readonly surroundings: Surroundings;
  private best: { readonly cost: Cost; readonly states: MainFileStates } | undefined;

  constructor(
    private readonly readers: readonly LayoutReader[],
    private readonly present: ReadonlyMap<string, Present>,
    private readonly strangers: readonly Reads[],
  ) {
    const candidates = candidatePaths(readers, present);
    const loaders = (path: string) => readers.filter(reader => pathsOf(reader).includes(path)).length;
    const counts = new Map(candidates.map(path => [path, loaders(path)]));
    this.shared = candidates
      .filter(path => counts.get(path)! > 1)
      .sort((a, b) => counts.get(b)! - counts.get(a)! || compareCode(a, b));
    const last = (reader: LayoutReader) =>
      Math.max(0, ...pathsOf(reader).map(path => this.shared.indexOf(path)));
    const slots = Math.max(1, this.shared.length);
    this.decidedAt = Array.from({ length: slots }, (_, at) => readers.filter(reader => last(reader) === at));
    this.hasNeeds = strangers.length > 0 || readers.some(({ needs }) => needs.length > 0);
    const isPlain = new Map(readers.map(reader => [reader.own, reader.plain]));
    const plain = [...candidates, ...present.keys()].filter(path => isPlain.get(path) !== false);
    this.surroundings = { present, plainPaths: new Set(plain) };
  }

  run(): Layout {
    const sources = [...this.present].filter(([, kind]) => kind === 'text');
    const start: MainFileStates = new Map(sources.map(([path]) => [path, 'text']));
    if (this.shared.length === 0) this.settle(start, this.decidedAt[0]!, noCost, 0);
    else this.decide(0, start, noCost);
    return this.describe(this.best!.states);
  }

  private isBetter(cost: Cost): boolean {
    return !this.best || compareCost(cost, this.best.cost) < 0;
  }

  /** Tries every state of the shared path of an index. */
  private decide(at: number, states: MainFileStates, cost: Cost): void {
    const path = this.shared[at]!;
    for (const state of this.statesFor(path, states)) {
      const next = state === 'none' ? states : new Map(states).set(path, state);
      this.settle(next, this.decidedAt[at]!, addCost(cost, costOf(state)), at + 1);
    }
  }

  /** Settles the readers that are decided now, each by what its private places may hold, and goes on with path `at`. */
  private settle(states: MainFileStates, decided: readonly LayoutReader[], cost: Cost, at: number): void {
    if (!this.isBetter(cost)) return;
    const [reader, ...others] = decided;
    if (reader) {
      const choices = this.choicesFor(reader, states);
      // Private places concern no other reader, so the best choice is enough, unless it decides what others must
      // load, or waits for a text that may not be placed later.
      const enough = this.hasNeeds ? -1 : choices.findIndex(({ state }) => !isWaiting(state));
      for (const { state, path, cost: added } of enough === -1 ? choices : choices.slice(0, enough + 1)) {
        const next = state === 'none' ? states : new Map(states).set(path, state);
        this.settle(next, others, addCost(cost, added), at);
      }
      return;
    }
    if (at < this.shared.length) {
      this.decide(at, states, cost);
      return;
    }
    const resolved = resolveImports(states, (path, source) => this.isTaken(path, source));
    if (!resolved) return;
    const total = addCost(cost, [0, 0, this.unneeded(resolved), 0, 0, 0]);
    if (this.isBetter(total)) this.best = { cost: total, states: resolved };
  }

  /** What a shared path may hold, the likeliest first so that bounds are found early. */
  private statesFor(path: string, states: MainFileStates): readonly MainFileState[] {
    const known = states.get(path);
    if (known) return [known];
    if (this.isClosed(path)) return ['none'];
    const values = [...states.values()];
    if (values.some(state => typeof state === 'object' && state.imports === path)) return ['text'];
    const imports = this.importsAt(path, states);
    return values.includes('text') ? ['none', ...imports, 'text'] : ['text', 'none', ...imports];
  }

  private isClosed(path: string): boolean {
    const kind = this.present.get(path);
    return kind !== undefined && kind !== 'open';
  }

  /** The import lines that are possible at `path`: a target writes there and follows them. */
  private importsAt(path: string, states: MainFileStates): readonly MainFile[] {
    const isFollowed = this.readers.some(reader => {
      const { reads } = reader.spec;
      return !reader.ownOnly && placesOf(reader).includes(path) && reads && followsImports(reads, path, 0);
    });
    if (!isFollowed) return [];
    const texts = [...states].flatMap(([other, state]) =>
      state === 'text' && other !== path ? [other] : [],
    );
    const at = this.shared.indexOf(path);
    // What is decided later must then hold the text.
    const later = at === -1 ? [] : this.shared.slice(at + 1).filter(other => !this.isClosed(other));
    const sources = [...texts, ...later, ...(texts.length > 0 ? [] : [undecided])];
    return sources.map(imports => ({ imports }));
  }

  /** Whether every target that writes a line at `path` brings the file that it names. */
  private isTaken(path: string, source: string): boolean {
    return this.readers.every(reader => {
      const { reads } = reader.spec;
      return !reads || !placesOf(reader).includes(path) || takesImport(reads, source);
    });
  }

  /** What the places of a reader that no other one loads may hold, with the cost of the reader; best first. */
  private choicesFor(reader: LayoutReader, states: MainFileStates): Choice[] {
    const found: Choice[] = [{ state: 'none', path: reader.own, cost: this.costOfReader(reader, states) }];
    for (const path of placesOf(reader)) {
      if (states.has(path) || this.shared.includes(path) || this.isClosed(path)) continue;
      for (const state of [...(reader.ownOnly ? [] : this.importsAt(path, states)), 'text' as const]) {
        const trial = new Map(states).set(path, state);
        found.push({ state, path, cost: addCost(this.costOfReader(reader, trial), costOf(state)) });
      }
    }
    return found.sort((a, b) => compareCost(a.cost, b.cost));
  }

  private deliveryOf(reader: LayoutReader, states: MainFileStates): Delivery {
    return deliveryOf(reader, states, this.surroundings);
  }

  private costOfReader(reader: LayoutReader, states: MainFileStates): Cost {
    const { texts, sure } = this.deliveryOf(reader, states);
    const hasOwn = texts.includes(reader.own);
    const isMissing = reader.ownOnly ? !hasOwn : sure.length === 0;
    return [isMissing ? 1 : 0, Math.max(0, texts.length - 1), 0, 0, 0, hasOwn ? 0 : 1];
  }

  /** Counts targets that load a text, or sections of one, that only other targets need. */
  private unneeded(states: MainFileStates): number {
    const { present } = this;
    const has = (path: string) => states.has(path) || present.has(path);
    const isGiven = (reads: Reads) =>
      filesOfFolder(reads, '', has, false).paths.some(path => states.has(path) && !present.has(path));
    const loads = this.readers.flatMap(reader =>
      [...new Set(this.deliveryOf(reader, states).texts)].map(path => ({ path, reader })),
    );
    let count = this.strangers.filter(isGiven).length;
    for (const all of groupBy(loads, ({ path }) => path).values()) {
      const needs = new Set(all.flatMap(({ reader }) => reader.needs));
      for (const { reader } of all) count += [...needs].filter(need => !reader.needs.includes(need)).length;
    }
    return count;
  }

  private describe(states: MainFileStates): Layout {
    const files = [...states].flatMap(([path, state]): [string, MainFile][] =>
      state === 'none' || this.isClosed(path) ? [] : [[path, state]],
    );
    const deliveries = this.readers.map(reader => ({ reader, ...this.deliveryOf(reader, states) }));
    const sources = deliveries.flatMap(({ reader: { spec, own }, texts, sure }): [string, string][] => {
      const source = texts.includes(own) ? own : (sure[0] ?? texts[0]);
      return source === undefined ? [] : [[spec.id, source]];
    });
    const repeated = deliveries.filter(({ texts }) => texts.length > 1);
    return {
      files: new Map(files.sort(([a], [b]) => compareCode(a, b))),
      sources: new Map(sources),
      repeated: new Map(repeated.map(({ reader, texts }) => [reader.spec.id, texts])),
    };
  }
}

const isWaiting = (state: MainFileState): boolean => typeof state === 'object' && state.imports === undecided;

/** Points import lines that wait for a text to the first one that all of them may name; `undefined` when there is none. */
function resolveImports(
  states: MainFileStates,
  isTaken: (path: string, source: string) => boolean,
): MainFileStates | undefined {
  const waiting = [...states].flatMap(([path, state]) => (isWaiting(state) ? [path] : []));
  if (waiting.length === 0) return states;
  const texts = [...states].flatMap(([path, state]) => (state === 'text' ? [path] : []));
  const source = texts.find(path => waiting.every(line => isTaken(line, path)));
  if (source === undefined) return undefined;
  return new Map([...states, ...waiting.map(path => [path, { imports: source }] as const)]);
}

const placesOf = ({ own, ownOnly, places }: LayoutReader): readonly string[] =>
  ownOnly ? [own] : [own, ...places];

/** Paths worth a file: the targets' own ones, and those that several targets load for sure. */
function candidatePaths(readers: readonly LayoutReader[], present: ReadonlyMap<string, unknown>): string[] {
  const loaded = readers.flatMap(({ spec: { reads } }) =>
    reads ? readablePaths(reads).filter(path => !reads.partial?.includes(path)) : [],
  );
  const several = [...groupBy(loaded, path => path)].flatMap(([path, all]) => (all.length > 1 ? [path] : []));
  return [...new Set([...readers.flatMap(placesOf), ...several, ...present.keys()])];
}
