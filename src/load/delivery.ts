import { filesOfFolder, readablePaths } from '../spec/reads.ts';
import { importLine } from './imports.ts';
import { followsImports, takesImport } from './load.ts';
import { type LayoutReader, type MainFileStates, type Present, undecided } from './main-files.ts';

/** The main texts that a tool loads under a choice of main files. */
export interface Delivery {
  /** Paths of the text files that the tool loads. */
  readonly texts: readonly string[];
  /** The same without files that only some programs of the product load. */
  readonly sure: readonly string[];
}

/** The main files that exist in any case, and those paths whose files are equal when they hold the text. */
export interface Surroundings {
  readonly present: ReadonlyMap<string, Present>;
  readonly plainPaths: ReadonlySet<string>;
}

/** The texts that a target loads at the root when the main files are in these states. */
export function deliveryOf(
  { spec: { reads }, own }: LayoutReader,
  states: MainFileStates,
  { present, plainPaths }: Surroundings,
): Delivery {
  const has = (path: string) => states.has(path) || present.has(path);
  const listed = reads ? filesOfFolder(reads, '', has, false).paths : [];
  // A main file that `reads` does not name is loaded by rules that the spec does not describe.
  const isUndescribed = has(own) && !(reads && readablePaths(reads).includes(own));
  const loaded = isUndescribed ? [own, ...listed] : listed;
  const bytes = new Set<string>();
  const given = loaded.flatMap(path => {
    const key = reads?.identical === 'once' ? bytesKey(path, states, plainPaths) : path;
    if (bytes.has(key)) return [];
    bytes.add(key);
    const state = states.get(path);
    if (state === 'text') return [{ path, through: path }];
    if (typeof state !== 'object' || !reads || !followsImports(reads, path, 0)) return [];
    return takesImport(reads, state.imports) ? [{ path: state.imports, through: path }] : [];
  });
  const isFirst = ({ path }: { path: string }, index: number) =>
    given.findIndex(other => other.path === path) === index;
  const texts = reads?.imports?.repeat === true ? given : given.filter(isFirst);
  const sure = texts.filter(({ through }) => !reads?.partial?.includes(through));
  return { texts: texts.map(({ path }) => path), sure: sure.map(({ path }) => path) };
}

/** A key for the bytes of a file: the same for plain files with the text, and for equal import lines. */
function bytesKey(path: string, states: MainFileStates, plainPaths: ReadonlySet<string>): string {
  const state = states.get(path);
  if (typeof state === 'object' && state.imports !== undecided) return importLine(path, state.imports);
  return state === 'text' && plainPaths.has(path) ? 'text' : path;
}

/** The paths that decide what a target loads. */
export const pathsOf = ({ spec, own }: LayoutReader): string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
];
