import type { Reads } from '../../generated/types/target.ts';
import { groupBy } from '../../text/group.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { runToEnd, type Steps } from '../../text/pieces.ts';
import { filesOfFolder, readablePaths } from '../reads.ts';
import { followsImports, loadsImport } from './load.ts';
import {
  addCost,
  compareCost,
  costOf,
  Deliveries,
  type ExistingContent,
  type LayoutCost,
  type LayoutReader,
  type MainFile,
  type MainFileState,
  type MainFileStates,
  noCost,
  pathsOf,
  placedLater,
} from './main-files.ts';

/** Which main files are written, and which of them each target loads. */
export interface Layout {
  /** Maps paths to the planned content; other main files are not written. */
  readonly files: ReadonlyMap<string, MainFile>;
  /** Maps a target to the file from which it loads the text. */
  readonly sources: ReadonlyMap<string, string>;
  /** Maps a target to the files from which it loads the text, when there are several. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

interface Settled {
  readonly state: MainFileState;
  readonly path: string;
  readonly cost: LayoutCost;
}

/**
 * Finds the smallest set of main files from which every target loads the text exactly once, by branch and
 * bound. If that is impossible, it minimizes, in this order: copies of the text, sections that only other
 * targets need, files, import lines, and targets that do not use the file of their own spec. `present` are
 * main files that exist in any case. `idleReads` are the load models of targets without text in this project,
 * for which every loaded file is superfluous.
 */
export const chooseLayout = (...given: Parameters<typeof chooseLayoutInSteps>): Layout =>
  runToEnd(chooseLayoutInSteps(...given));

/** The same as a generator that yields between parts of the work. */
export function chooseLayoutInSteps(
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, ExistingContent> = new Map(),
  idleReads: readonly Reads[] = [],
): Steps<Layout> {
  const sorted = [...readers].sort((a, b) => compareCodeUnits(a.spec.id, b.spec.id));
  const search = new Search(sorted, present, idleReads);
  return search.run();
}

const pieceSize = 64;

class Search {
  private readonly shared: readonly string[];
  /** Readers whose shared paths are all decided after the path with this index. */
  private readonly decidedAt: readonly (readonly LayoutReader[])[];
  private readonly anyNeeds: boolean;
  private readonly deliveries: Deliveries;

  private looked = 0;

  private best: { cost: LayoutCost; states: MainFileStates } | undefined;

  constructor(
    private readonly readers: readonly LayoutReader[],
    private readonly present: ReadonlyMap<string, ExistingContent>,
    private readonly idleReads: readonly Reads[],
  ) {
    const candidates = candidatePaths(readers, present);
    const count = (path: string) => readers.filter(reader => loads(reader, path)).length;
    this.shared = candidates
      .filter(path => count(path) > 1)
      .sort((a, b) => count(b) - count(a) || compareCodeUnits(a, b));
    const last = (reader: LayoutReader) =>
      this.shared.reduce((index, path, at) => (loads(reader, path) ? at : index), 0);
    const slots = Math.max(1, this.shared.length);
    this.decidedAt = Array.from({ length: slots }, (_, at) => readers.filter(reader => last(reader) === at));
    this.anyNeeds = idleReads.length > 0 || readers.some(({ needs }) => needs.length > 0);
    const form = new Map(readers.map(reader => [reader.own, reader.plain]));
    const plain = [...candidates, ...present.keys()].filter(path => form.get(path) !== false);
    this.deliveries = new Deliveries(present, new Set(plain));
  }

  *run(): Steps<Layout> {
    const start: MainFileStates = new Map();
    for (const [path, kind] of this.present) if (kind === 'text') start.set(path, 'text');
    if (this.shared.length === 0) yield* this.close(start, this.decidedAt[0]!, noCost, 0);
    else yield* this.decide(0, start, noCost);
    return this.describe(this.best!.states);
  }

  private *decide(at: number, states: MainFileStates, cost: LayoutCost): Steps<void> {
    const path = this.shared[at]!;
    for (const state of this.options(path, states)) {
      const own = addCost(cost, costOf(state));
      if (this.best && compareCost(own, this.best.cost) >= 0) continue;
      const next = new Map(states);
      if (state !== 'none') next.set(path, state);
      yield* this.close(next, this.decidedAt[at]!, own, at + 1);
    }
  }

  /**
   * Chooses the content of the private paths of the readers that are decided now, and continues the search.
   */
  private *close(
    states: MainFileStates,
    decided: readonly LayoutReader[],
    cost: LayoutCost,
    at: number,
  ): Steps<void> {
    if (++this.looked % pieceSize === 0) yield;
    if (this.best && compareCost(cost, this.best.cost) >= 0) return;
    const [reader, ...others] = decided;
    if (reader) {
      const options = this.settle(reader, states);
      // Private paths do not affect other readers, so the best choice is enough, unless it decides what
      // others must load, or waits for a text that may not be placed later.
      const enough = this.anyNeeds ? -1 : options.findIndex(({ state }) => !waits(state));
      for (const { state, path, cost: added } of enough === -1 ? options : options.slice(0, enough + 1)) {
        const next = state === 'none' ? states : new Map(states).set(path, state);
        yield* this.close(next, others, addCost(cost, added), at);
      }
      return;
    }
    if (at < this.shared.length) {
      yield* this.decide(at, states, cost);
      return;
    }
    const whole = resolveImports(states, (path, source) => this.isTaken(path, source));
    if (!whole) return;
    const total = addCost(cost, [0, 0, this.unneeded(whole), 0, 0, 0]);
    if (!this.best || compareCost(total, this.best.cost) < 0) this.best = { cost: total, states: whole };
  }

  /**
   * The possible contents of a path that several targets load. The most likely come first, so that good
   * bounds are found early.
   */
  private options(path: string, states: MainFileStates): MainFileState[] {
    if (states.has(path)) return [states.get(path)!];
    if (this.isClosed(path)) return ['none'];
    const promised = [...states.values()].some(state => typeof state === 'object' && state.imports === path);
    if (promised) return ['text'];
    const imports = this.imports(path, states);
    const hasText = [...states.values()].includes('text');
    return hasText ? ['none', ...imports, 'text'] : ['text', 'none', ...imports];
  }

  private isClosed(path: string): boolean {
    const kind = this.present.get(path);
    return kind !== undefined && kind !== 'open';
  }

  /** The possible import lines at `path`: a target writes there and follows them. */
  private imports(path: string, states: MainFileStates): MainFile[] {
    const follows = this.readers.some(
      reader =>
        !reader.ownOnly &&
        placesOf(reader).includes(path) &&
        reader.spec.reads &&
        followsImports(reader.spec.reads, path, 0),
    );
    if (!follows) return [];
    const texts = [...states].flatMap(([other, state]) =>
      state === 'text' && other !== path ? [other] : [],
    );
    const at = this.shared.indexOf(path);
    // Paths that are decided later, one of which must then contain the text.
    const later = at === -1 ? [] : this.shared.slice(at + 1).filter(other => !this.isClosed(other));
    const sources = [...texts, ...later, ...(texts.length > 0 ? [] : [placedLater])];
    return sources.map(imports => ({ imports }));
  }

  /** Whether every target that writes an import line at `path` also loads the imported file. */
  private isTaken(path: string, source: string): boolean {
    return this.readers.every(
      reader =>
        !reader.spec.reads || !placesOf(reader).includes(path) || loadsImport(reader.spec.reads, source),
    );
  }

  /** The possible contents of the private paths of a reader with the resulting cost, the best first. */
  private settle(reader: LayoutReader, states: MainFileStates): Settled[] {
    const found: Settled[] = [{ state: 'none', path: reader.own, cost: this.costOfReader(reader, states) }];
    for (const path of placesOf(reader)) {
      if (states.has(path) || this.shared.includes(path) || this.isClosed(path)) continue;
      for (const state of [...(reader.ownOnly ? [] : this.imports(path, states)), 'text' as const]) {
        const trial = new Map(states).set(path, state);
        found.push({ state, path, cost: addCost(this.costOfReader(reader, trial), costOf(state)) });
      }
    }
    return found.sort((a, b) => compareCost(a.cost, b.cost));
  }

  private costOfReader(reader: LayoutReader, states: MainFileStates): LayoutCost {
    const { texts, sure } = this.deliveries.of(reader, states);
    const missing = reader.ownOnly ? !texts.includes(reader.own) : sure.length === 0;
    return [missing ? 1 : 0, Math.max(0, texts.length - 1), 0, 0, 0, texts.includes(reader.own) ? 0 : 1];
  }

  /** Counts targets that load a text, or sections of it, that only other targets need. */
  private unneeded(states: MainFileStates): number {
    const loaded = this.readers.flatMap(reader => {
      const paths = new Set(this.deliveries.of(reader, states).texts);
      return [...paths].map(path => ({ path, needs: reader.needs }));
    });
    let count = this.idleReads.filter(reads => this.isGiven(reads, states)).length;
    for (const readers of groupBy(loaded, ({ path }) => path).values()) {
      const all = new Set(readers.flatMap(({ needs }) => needs));
      for (const { needs } of readers) count += [...all].filter(need => !needs.includes(need)).length;
    }
    return count;
  }

  /** Whether a reader without a main text loads one, or an import line for others. */
  private isGiven(reads: Reads, states: MainFileStates): boolean {
    const has = (path: string) => states.has(path) || this.present.has(path);
    return filesOfFolder(reads, '', has, false).paths.some(
      path => states.has(path) && !this.present.has(path),
    );
  }

  private describe(states: MainFileStates): Layout {
    const files = new Map<string, MainFile>();
    for (const [path, state] of [...states].sort(([a], [b]) => compareCodeUnits(a, b))) {
      if (state !== 'none' && !this.isClosed(path)) files.set(path, state);
    }
    const sources = new Map<string, string>();
    const repeated = new Map<string, readonly string[]>();
    for (const reader of this.readers) {
      const { texts, sure } = this.deliveries.of(reader, states);
      const source = texts.includes(reader.own) ? reader.own : (sure[0] ?? texts[0]);
      if (source !== undefined) sources.set(reader.spec.id, source);
      if (texts.length > 1) repeated.set(reader.spec.id, texts);
    }
    return { files, sources, repeated };
  }
}

const waits = (state: MainFileState): boolean => typeof state === 'object' && state.imports === placedLater;

/**
 * Resolves import lines that wait for a text to the first one that all of them may import; `undefined` when
 * there is none.
 */
function resolveImports(
  states: MainFileStates,
  isTaken: (path: string, source: string) => boolean,
): MainFileStates | undefined {
  const waiting = [...states].filter(([, state]) => waits(state));
  if (waiting.length === 0) return states;
  const source = [...states].find(
    ([path, state]) => state === 'text' && waiting.every(([line]) => isTaken(line, path)),
  )?.[0];
  if (source === undefined) return undefined;
  return new Map([...states, ...waiting.map(([path]) => [path, { imports: source }] as const)]);
}

const placesOf = ({ own, ownOnly, places }: LayoutReader): readonly string[] =>
  ownOnly ? [own] : [own, ...places];

const loads = (reader: LayoutReader, path: string): boolean => pathsOf(reader).includes(path);

/** Candidates for main files: the targets' own paths, and those that several targets certainly load. */
function candidatePaths(readers: readonly LayoutReader[], present: ReadonlyMap<string, unknown>): string[] {
  const count = new Map<string, number>();
  for (const { spec } of readers) {
    for (const path of spec.reads ? readablePaths(spec.reads) : []) {
      if (!spec.reads?.partial?.includes(path)) count.set(path, (count.get(path) ?? 0) + 1);
    }
  }
  const several = [...count].filter(([, readers]) => readers > 1).map(([path]) => path);
  return [...new Set([...readers.flatMap(placesOf), ...several, ...present.keys()])];
}
