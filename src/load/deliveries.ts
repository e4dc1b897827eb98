import { filesOfFolder, readablePaths } from '../spec/reads.ts';
import { importLine } from './imports.ts';
import { followsImports, takesImport } from './load.ts';
import {
  type LayoutReader,
  type MainFileState,
  type MainFileStates,
  type Present,
  undecided,
} from './main-files.ts';

/** The main texts that a tool loads under a choice of main files. */
export interface Delivery {
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
      return state.imports === undecided ? path : importLine(path, state.imports);
    return state === 'text' && this.plainPaths.has(path) ? 'text' : path;
  }
}

const codeOf = (state: MainFileState | undefined): string =>
  typeof state === 'object' ? `@${state.imports}` : (state ?? '');

/** The paths that decide what a tool loads. */
export const pathsOf = ({ spec, own }: LayoutReader): string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
];
