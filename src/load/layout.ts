import type { TargetSpec } from '../generated/types/target.ts';
import { filesOfFolder, readablePaths } from '../spec/reads.ts';
import { compareCode } from '../text/order.ts';
import { importLine } from './imports.ts';
import { followsImports } from './load.ts';

/** A target that wants the main text, as far as the choice of files is concerned. */
export interface LayoutReader {
  readonly spec: TargetSpec;
  /** The main file that its spec writes. */
  readonly own: string;
  /** Other places where its main file may stand. */
  readonly places: readonly string[];
  /** Its own file alone will do: its form or its place was asked for, so that no other file says the same. */
  readonly ownOnly: boolean;
  /** Its own file is plain Markdown that other tools may read as well, equal to other plain main files. */
  readonly plain: boolean;
  /** What has no place of its own in this tool and must stand in its main file. */
  readonly needs: readonly string[];
}

/** What stands at a path: the text, or a line that imports it from another path. */
export type MainFile = 'text' | { readonly imports: string };

export interface Layout {
  /** Path to what is written there; other main files are not written. */
  readonly files: ReadonlyMap<string, MainFile>;
  /** Target to the file that brings it the text. */
  readonly sources: ReadonlyMap<string, string>;
  /** Target to the files that give it the text, where it is more than one. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

/**
 * What a main file that is there in any case says: the text too (a source that a tool reads itself), something else,
 * or something else that leaves room for the text or an import line.
 */
export type Present = 'text' | 'other' | 'open';

/** Lower is better, the first difference decides. */
type Cost = readonly [
  missing: number,
  copies: number,
  unneeded: number,
  texts: number,
  imports: number,
  foreign: number,
];

type State = MainFile | 'none';
type States = Map<string, State>;

interface Settled {
  readonly state: State;
  readonly path: string;
  readonly cost: Cost;
}

interface Delivery {
  /** Text files that the tool loads. */
  readonly texts: readonly string[];
  /** The same without what only some of its programs load. */
  readonly sure: readonly string[];
}

/**
 * The smallest set of main files by which every target loads the text once: exact, by branch and bound.
 * Where once cannot be had, the fewest copies; then the fewest sections that only others need, the fewest files, the
 * fewest import lines, the most targets with the file of their own spec. `present` are main files that are there
 * whatever is chosen.
 */
export function chooseLayout(
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, Present> = new Map(),
): Layout {
  const sorted = [...readers].sort((a, b) => compareCode(a.spec.id, b.spec.id));
  const search = new Search(sorted, present);
  return search.run();
}

class Search {
  private readonly shared: readonly string[];
  /** Readers whose shared paths are all decided after the path of this index. */
  private readonly decidedAt: readonly (readonly LayoutReader[])[];
  private readonly plainPaths: ReadonlySet<string>;
  private readonly anyNeeds: boolean;
  private readonly deliveries = new Map<
    LayoutReader,
    { readonly paths: readonly string[]; readonly found: Map<string, Delivery> }
  >();

  private best: { cost: Cost; states: States } | undefined;

  constructor(
    private readonly readers: readonly LayoutReader[],
    private readonly present: ReadonlyMap<string, Present>,
  ) {
    const candidates = candidatePaths(readers, present);
    const count = (path: string) => readers.filter(reader => loads(reader, path)).length;
    this.shared = candidates
      .filter(path => count(path) > 1)
      .sort((a, b) => count(b) - count(a) || compareCode(a, b));
    const last = (reader: LayoutReader) =>
      this.shared.reduce((index, path, at) => (loads(reader, path) ? at : index), 0);
    const slots = Math.max(1, this.shared.length);
    this.decidedAt = Array.from({ length: slots }, (_, at) => readers.filter(reader => last(reader) === at));
    this.anyNeeds = readers.some(({ needs }) => needs.length > 0);
    const form = new Map(readers.map(reader => [reader.own, reader.plain]));
    this.plainPaths = new Set([...candidates, ...present.keys()].filter(path => form.get(path) !== false));
  }

  run(): Layout {
    const start: States = new Map();
    for (const [path, kind] of this.present) if (kind === 'text') start.set(path, 'text');
    if (this.shared.length === 0) this.close(start, this.decidedAt[0]!, [0, 0, 0, 0, 0, 0], 0);
    else this.decide(0, start, [0, 0, 0, 0, 0, 0]);
    return this.describe(this.best!.states);
  }

  private decide(at: number, states: States, cost: Cost): void {
    const path = this.shared[at];
    if (path === undefined) {
      this.close(states, [], cost, at);
      return;
    }
    for (const state of this.options(path, states)) {
      const own = addCost(cost, costOf(state));
      if (this.best && compareCost(own, this.best.cost) >= 0) continue;
      const next = new Map(states);
      if (state !== 'none') next.set(path, state);
      this.close(next, this.decidedAt[at]!, own, at + 1);
    }
  }

  /** Settles the readers that are decided now, each by what its private places may hold, and goes on. */
  private close(states: States, decided: readonly LayoutReader[], cost: Cost, at: number): void {
    if (this.best && compareCost(cost, this.best.cost) >= 0) return;
    const [reader, ...others] = decided;
    if (reader) {
      const options = this.settle(reader, states);
      // Private places concern nobody else, so the best is enough, unless it decides what others must load, or waits
      // for a text that may never come.
      const enough = this.anyNeeds ? -1 : options.findIndex(({ state }) => !waits(state));
      for (const { state, path, cost: added } of enough === -1 ? options : options.slice(0, enough + 1)) {
        const next = state === 'none' ? states : new Map(states).set(path, state);
        this.close(next, others, addCost(cost, added), at);
      }
      return;
    }
    if (at < this.shared.length) {
      this.decide(at, states, cost);
      return;
    }
    const whole = resolveImports(states);
    if (!whole) return;
    const total = addCost(cost, [0, 0, this.unneeded(whole), 0, 0, 0]);
    if (!this.best || compareCost(total, this.best.cost) < 0) this.best = { cost: total, states: whole };
  }

  /** What a path that several targets load may hold, the likeliest first so that bounds are found early. */
  private options(path: string, states: States): State[] {
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

  /** The lines that could stand at `path`, where a target writes there and follows them. */
  private imports(path: string, states: States): MainFile[] {
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
    // What is decided later must then hold the text.
    const later = at === -1 ? [] : this.shared.slice(at + 1).filter(other => !this.isClosed(other));
    const sources = [...texts, ...later, ...(texts.length > 0 ? [] : [undecided])];
    return sources.map(imports => ({ imports }));
  }

  /** What the reader's places that no other reader loads may hold, and what the reader costs with it; best first. */
  private settle(reader: LayoutReader, states: States): Settled[] {
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

  private costOfReader(reader: LayoutReader, states: States): Cost {
    const { texts, sure } = this.deliver(reader, states);
    const missing = reader.ownOnly ? !texts.includes(reader.own) : sure.length === 0;
    return [missing ? 1 : 0, Math.max(0, texts.length - 1), 0, 0, 0, texts.includes(reader.own) ? 0 : 1];
  }

  /** Which texts a target loads at the root; asked again and again with the same files. */
  private deliver(reader: LayoutReader, states: States): Delivery {
    let known = this.deliveries.get(reader);
    if (!known) {
      known = { paths: pathsOf(reader), found: new Map() };
      this.deliveries.set(reader, known);
    }
    const key = known.paths.map(path => codeOf(states.get(path))).join('|');
    let found = known.found.get(key);
    if (!found) {
      found = this.findDelivery(reader, states);
      known.found.set(key, found);
    }
    return found;
  }

  private findDelivery({ spec, own }: LayoutReader, states: States): Delivery {
    const { reads } = spec;
    const has = (path: string) => states.has(path) || this.present.has(path);
    const loaded = reads ? filesOfFolder(reads, '', has, false).paths : [];
    // A file of its own that no known list names is read by rules of the tool's own.
    const all =
      !has(own) || loaded.includes(own) || (reads && readablePaths(reads).includes(own))
        ? loaded
        : [own, ...loaded];
    const given: { path: string; through: string }[] = [];
    const seen = new Set<string>();
    for (const path of all) {
      const bytes = reads?.identical === 'once' ? this.bytesOf(path, states) : path;
      if (seen.has(bytes)) continue;
      seen.add(bytes);
      const state = states.get(path);
      if (state === 'text') given.push({ path, through: path });
      else if (typeof state === 'object' && reads && followsImports(reads, path, 0))
        given.push({ path: state.imports, through: path });
    }
    const repeats = reads?.imports?.repeat === true;
    const distinct = repeats
      ? given
      : given.filter(({ path }, index) => given.findIndex(other => other.path === path) === index);
    const partial = reads?.partial ?? [];
    return {
      texts: distinct.map(({ path }) => path),
      sure: distinct.filter(({ through }) => !partial.includes(through)).map(({ path }) => path),
    };
  }

  /** What tells files with equal bytes: plain files of one text, and equal import lines. */
  private bytesOf(path: string, states: States): string {
    const state = states.get(path);
    if (typeof state === 'object')
      return state.imports === undecided ? path : importLine(path, state.imports);
    return state === 'text' && this.plainPaths.has(path) ? 'text' : path;
  }

  /** How many targets load sections in a text that only other targets of that text need. */
  private unneeded(states: States): number {
    const readersOf = new Map<string, LayoutReader[]>();
    for (const reader of this.readers) {
      for (const path of new Set(this.deliver(reader, states).texts)) {
        const others = readersOf.get(path);
        if (others) others.push(reader);
        else readersOf.set(path, [reader]);
      }
    }
    let count = 0;
    for (const readers of readersOf.values()) {
      const needs = new Set(readers.flatMap(reader => reader.needs));
      for (const reader of readers) count += [...needs].filter(need => !reader.needs.includes(need)).length;
    }
    return count;
  }

  private describe(states: States): Layout {
    const files = new Map<string, MainFile>();
    for (const [path, state] of [...states].sort(([a], [b]) => compareCode(a, b))) {
      if (state !== 'none' && !this.isClosed(path)) files.set(path, state);
    }
    const sources = new Map<string, string>();
    const repeated = new Map<string, readonly string[]>();
    for (const reader of this.readers) {
      const { texts, sure } = this.deliver(reader, states);
      const source = texts.includes(reader.own) ? reader.own : (sure[0] ?? texts[0]);
      if (source !== undefined) sources.set(reader.spec.id, source);
      if (texts.length > 1) repeated.set(reader.spec.id, texts);
    }
    return { files, sources, repeated };
  }
}

/** Stands for a text that is placed later; no path is empty. */
const undecided = '';

const waits = (state: State): boolean => typeof state === 'object' && state.imports === undecided;

/** Lines that waited for a text import the first one; `undefined` when there is none. */
function resolveImports(states: States): States | undefined {
  const waiting = [...states].filter(([, state]) => waits(state));
  if (waiting.length === 0) return states;
  const source = [...states].find(([, state]) => state === 'text')?.[0];
  if (source === undefined) return undefined;
  return new Map([...states, ...waiting.map(([path]) => [path, { imports: source }] as const)]);
}

const codeOf = (state: State | undefined): string =>
  typeof state === 'object' ? `@${state.imports}` : (state ?? '');

const placesOf = ({ own, ownOnly, places }: LayoutReader): readonly string[] =>
  ownOnly ? [own] : [own, ...places];

const pathsOf = ({ spec, own }: LayoutReader): string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
];

const loads = (reader: LayoutReader, path: string): boolean => pathsOf(reader).includes(path);

/** Paths worth a file: the targets' own ones, and those that several targets load for sure. */
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

function costOf(state: State): Cost {
  if (state === 'none') return [0, 0, 0, 0, 0, 0];
  return state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];
}

const addCost = (a: Cost, b: Cost): Cost => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
];

function compareCost(a: Cost, b: Cost): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}
