import type { TargetSpec } from '../../generated/types/target.ts';
import { filesOfFolder, readablePaths } from '../reads.ts';
import { followsImports, importLine, takesImport } from './load.ts';

/** A target that wants the main text, as far as the choice of files is concerned. */
export interface LayoutReader {
  readonly spec: TargetSpec;
  readonly own: string;
  readonly places: readonly string[];
  /** Only its own file can hold its text, because its form or place was configured. */
  readonly ownOnly: boolean;
  /** Its own file is plain Markdown that other tools may read as well, equal to other plain main files. */
  readonly plain: boolean;
  /** Kinds of entries without a place of their own in this tool, which its main file must contain. */
  readonly needs: readonly string[];
}

/** The content of a main file: the text, or a line that imports it from another path. */
export type MainFile = 'text' | { readonly imports: string };

/** The content of a main file that exists in any case; text or an import line can be added to an `open` one. */
export type Present = 'text' | 'other' | 'open';

/** What a search has decided about a path so far. */
export type MainFileState = MainFile | 'none';
/** What is decided about each main file, by path. */
export type MainFileStates = Map<string, MainFileState>;

/** The path of a text that is placed later; no path is empty. */
export const placedLater = '';

/** Lower is better, the first difference decides. */
export type LayoutCost = readonly [
  missing: number,
  copies: number,
  unneeded: number,
  texts: number,
  imports: number,
  foreign: number,
];

/** The cost of what changes nothing. */
export const noCost: LayoutCost = [0, 0, 0, 0, 0, 0];

/** The cost of a file for the tool that reads it. */
export function costOf(state: MainFileState): LayoutCost {
  if (state === 'none') return noCost;
  return state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];
}

/** The sum of two costs, part by part. */
export const addCost = (a: LayoutCost, b: LayoutCost): LayoutCost => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
];

/** Negative when `a` is the better one. */
export function compareCost(a: LayoutCost, b: LayoutCost): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

/** The main texts that a tool loads under a choice of main files. */
interface Delivery {
  /** Text files that the tool loads. */
  readonly texts: readonly string[];
  /** The same without files that only some programs of the product load. */
  readonly sure: readonly string[];
}

/** Computes what tools load of main files, and remembers the answers. */
export class Deliveries {
  private readonly known = new Map<
    LayoutReader,
    { readonly paths: readonly string[]; readonly found: Map<string, Delivery> }
  >();

  /** `plainPaths` may hold the same bytes when they hold the text. */
  constructor(
    private readonly present: ReadonlyMap<string, Present>,
    private readonly plainPaths: ReadonlySet<string>,
  ) {}

  /** Which texts a target loads at the root; asked again and again with the same files. */
  of(reader: LayoutReader, states: MainFileStates): Delivery {
    let known = this.known.get(reader);
    if (!known) {
      known = { paths: pathsOf(reader), found: new Map() };
      this.known.set(reader, known);
    }
    const key = known.paths.map(path => codeOf(states.get(path))).join('|');
    let found = known.found.get(key);
    if (!found) {
      found = this.find(reader, states);
      known.found.set(key, found);
    }
    return found;
  }

  private find({ spec, own }: LayoutReader, states: MainFileStates): Delivery {
    const { reads } = spec;
    const has = (path: string) => states.has(path) || this.present.has(path);
    const loaded = reads ? filesOfFolder(reads, '', has, false).paths : [];
    // A main file outside of the list of `reads` is loaded by rules that the spec does not describe.
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
        takesImport(reads, state.imports)
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

  /** A key for the bytes of a file: the same for plain files with the text, and for equal import lines. */
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
export const pathsOf = ({ spec, own }: LayoutReader): string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
];
