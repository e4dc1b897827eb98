import type { Reads } from '../generated/types/target.ts';
import { groupBy } from '../text/group.ts';
import { memoizeByObject } from '../text/memo.ts';
import { joinPath, nameOf } from '../text/paths.ts';

/** Which main files of one folder a tool loads, by the order and choice in its spec. */
interface FolderFiles {
  readonly paths: readonly string[];
  /**
   * Whether the folder has none of the tool's own names, so that a fallback file of another tool is loaded.
   */
  readonly standIn: boolean;
}

/** The paths of a step: one name, or several of which the first existing one is loaded. */
export const alternatives = (step: string | readonly string[]): readonly string[] =>
  typeof step === 'string' ? [step] : step;

/** Every path at the root of a project that the tool may load as a main file, in loading order. */
export const readablePaths = ({ files, fallback = [] }: Reads): readonly string[] => [
  ...new Set([...files.flatMap(alternatives), ...fallback]),
];

/** Every path of a main file relative to its folder, by file name. */
const readableNames: (reads: Reads) => ReadonlyMap<string, readonly string[]> = memoizeByObject(reads =>
  groupBy([...readablePaths(reads), ...(reads.nested?.files ?? []).flatMap(alternatives)], nameOf),
);

/** Whether a path ends like the main file of some folder. */
export const hasReadableName = (reads: Reads, path: string): boolean =>
  readableNames(reads)
    .get(nameOf(path))
    ?.some(name => path === name || path.endsWith(`/${name}`)) === true;

export const mainNames = (reads: Reads): Iterable<string> => readableNames(reads).keys();

/**
 * Returns a function from the path of a main file to all paths at which some tool looks for the main file of
 * the same folder.
 */
export function siblingMainFiles(all: readonly Reads[]): (path: string) => readonly string[] {
  const named = groupBy(new Set(all.flatMap(reads => [...readableNames(reads).values()].flat())), nameOf);
  return path => {
    const folders = (named.get(nameOf(path)) ?? []).flatMap(name =>
      path === name ? [''] : path.endsWith(`/${name}`) ? [path.slice(0, -name.length)] : [],
    );
    return folders.flatMap(folder =>
      all.flatMap(reads =>
        folder === ''
          ? readablePaths(reads)
          : (reads.nested?.files ?? []).flatMap(alternatives).map(name => folder + name),
      ),
    );
  };
}

/**
 * The main files that a tool loads from one folder. `has` says which files exist, by paths relative to the
 * project root. `covered` says that a folder above has one of the tool's own names, which disables fallback
 * names.
 */
export function filesOfFolder(
  reads: Reads,
  folder: string,
  has: (path: string) => boolean,
  covered: boolean,
): FolderFiles {
  const names = folder === '' ? reads.files : (reads.nested?.files ?? reads.files);
  const inFolder = (name: string) => joinPath(folder, name);
  const found: string[] = [];
  for (const step of names) {
    const path = alternatives(step).map(inFolder).find(has);
    if (path === undefined) continue;
    found.push(path);
    if (reads.mode === 'first') break;
  }
  if (found.length > 0) return { paths: found, standIn: false };
  const other = covered ? undefined : (reads.fallback ?? []).map(inFolder).find(has);
  return { paths: other === undefined ? [] : [other], standIn: other !== undefined };
}

/** Folders from the root to `at`, both included; `''` is the root. */
export function foldersTo(at: string): string[] {
  const parts = at === '' ? [] : at.split('/');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** Folders whose main files are loaded at the start of a session in `at`, in the order of the tool. */
export function foldersAtStart(reads: Reads, at: string): string[] {
  const start = reads.nested?.start ?? 'root';
  if (start === 'root') return [''];
  if (start === 'here') return [at];
  const chain = foldersTo(at);
  if (start === 'root-then-nearest') return [...chain.slice(0, 1), ...chain.slice(1).reverse()];
  return start === 'root-down' ? chain : chain.reverse();
}

/** Names of main files that a tool reads below the root. */
export const nestedNames = ({ files, nested }: Reads): string[] =>
  nested ? (nested.files ?? files).flatMap(alternatives).filter(name => !name.includes('/')) : [];

/**
 * Whether a path is at a place, which is a file, a folder with everything below it, or a pattern for files
 * with one extension directly in a folder.
 */
export function isUnderPlace(path: string, place: string): boolean {
  const star = place.indexOf('/*');
  if (star === -1)
    return path.startsWith(place) && (path.length === place.length || path[place.length] === '/');
  const ending = place.slice(star + 2);
  return path.lastIndexOf('/') === star && path.startsWith(place.slice(0, star)) && path.endsWith(ending);
}
