import type { TargetSpec } from '../../generated/types/target.ts';
import { memoizeByObject } from '../../text/memo.ts';
import { filesOfFolder, readablePaths } from '../reads.ts';
import { followsImports, importLine, loadsImport } from './load.ts';

/** A target that needs the main text, as input of the layout search. */
export interface LayoutReader {
  readonly spec: TargetSpec;
  readonly own: string;
  readonly places: readonly string[];
  /** Whether only its own file can contain its text, because its format or path was configured. */
  readonly ownOnly: boolean;
  /** Whether its own file is plain Markdown that other tools can read, equal to other plain main files. */
  readonly plain: boolean;
  /** Kinds of entries that have no place of their own in this tool and must be in its main file. */
  readonly needs: readonly string[];
}

/** The content of a main file: the text, or a line that imports it from another path. */
export type MainFile = 'text' | { readonly imports: string };

/**
 * The content of a main file that exists in any case. Text or an import line can be added to an `open` one.
 */
export type ExistingContent = 'text' | 'other' | 'open';

/** What a search has decided about a path so far. */
export type MainFileState = MainFile | 'none';
/** What is decided about each main file, by path. */
export type MainFileStates = Map<string, MainFileState>;

/** The path of a text that is placed later. No real path is empty. */
export const placedLater = '';

/** Compared in order: the first difference decides, and lower is better. */
export type LayoutCost = readonly [
  missing: number,
  copies: number,
  unneeded: number,
  texts: number,
  imports: number,
  foreign: number,
];

/** The cost of no change. */
export const noCost: LayoutCost = [0, 0, 0, 0, 0, 0];

/** The cost of a file for a tool that reads it. */
export function costOf(state: MainFileState): LayoutCost {
  if (state === 'none') return noCost;
  return state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];
}

/** Adds two costs component by component. */
export const addCost = (a: LayoutCost, b: LayoutCost): LayoutCost => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
];

/** Negative when `a` is better. */
export function compareCost(a: LayoutCost, b: LayoutCost): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

/** The main texts that a tool loads for a choice of main files. */
interface Delivery {
  /** Text files that the tool loads. */
  readonly texts: readonly string[];
  /** The same without files that only some products of the tool load. */
  readonly sure: readonly string[];
}

/** Computes which main files tools load, with a cache. */
export class Deliveries {
  /** By the states of the paths that decide what a tool loads. */
  private readonly known = memoizeByObject((_reader: LayoutReader) => new Map<string, Delivery>());

  /** `plainPaths` have the same bytes when they contain the text. */
  constructor(
    private readonly present: ReadonlyMap<string, ExistingContent>,
    private readonly plainPaths: ReadonlySet<string>,
  ) {}

  /** Which texts a target loads at the root. Called many times with the same files. */
  of(reader: LayoutReader, states: MainFileStates): Delivery {
    const known = this.known(reader);
    const key = pathsOf(reader)
      .map(path => codeOf(states.get(path)))
      .join('|');
    const delivery = known.get(key) ?? this.find(reader, states);
    known.set(key, delivery);
    return delivery;
  }

  private find({ spec, own }: LayoutReader, states: MainFileStates): Delivery {
    const { reads } = spec;
    const has = (path: string) => states.has(path) || this.present.has(path);
    const loaded = reads ? filesOfFolder(reads, '', has, false).paths : [];
    // For a main file outside of `reads`, the spec does not describe when it is loaded.
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
      else if (
        typeof state === 'object' &&
        reads &&
        followsImports(reads, path, 0) &&
        loadsImport(reads, state.imports)
      )
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

  /** A key for the content of a file: equal for plain files with the text, and for equal import lines. */
  private bytesOf(path: string, states: MainFileStates): string {
    const state = states.get(path);
    if (typeof state === 'object')
      return state.imports === placedLater ? path : importLine(path, state.imports);
    return state === 'text' && this.plainPaths.has(path) ? 'text' : path;
  }
}

const codeOf = (state: MainFileState | undefined): string =>
  typeof state === 'object' ? `@${state.imports}` : (state ?? '');

/** The paths that decide what a tool loads. */
export const pathsOf = memoizeByObject(({ spec, own }: LayoutReader): readonly string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
]);
