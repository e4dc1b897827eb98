import type { Reads } from '../generated/types/target.ts';
import { groupBy } from '../text/group.ts';
import { perObject } from '../text/memo.ts';

/** Which files of one folder a tool takes, by the order and the choice that its spec states. */
interface FolderFiles {
  readonly paths: readonly string[];
  /** The folder held none of the tool's own names: another tool's file stands in for them. */
  readonly standIn: boolean;
}

/** Paths of a step: one name, or names of which the first that is there counts. */
export const alternatives = (step: string | readonly string[]): readonly string[] =>
  typeof step === 'string' ? [step] : step;

/** Every path at the root of a project that the tool may load as a main file, in its order. */
export const readablePaths = ({ files, fallback = [] }: Reads): readonly string[] => [
  ...new Set([...files.flatMap(alternatives), ...fallback]),
];

/** Every path that may be a main file of some folder, below that folder, by the name of the file. */
const readableNames: (reads: Reads) => ReadonlyMap<string, readonly string[]> = perObject(reads =>
  groupBy([...readablePaths(reads), ...(reads.nested?.files ?? []).flatMap(alternatives)], nameOf),
);

/** Whether a path ends as a main file of some folder does. */
export const hasReadableName = (reads: Reads, path: string): boolean =>
  readableNames(reads)
    .get(nameOf(path))
    ?.some(name => path === name || path.endsWith(`/${name}`)) === true;

/** Last segments of the paths that may be main files. */
export const mainNames = (reads: Reads): Iterable<string> => readableNames(reads).keys();

/** What gives the paths at which some tools look for the main file of a folder, for one of these paths. */
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

/** The last segment of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * The main files that a tool loads from one folder.
 * `has` answers for paths below the project root; `covered` says that a folder above has one of the tool's own
 * names, which switches stand-ins off.
 */
export function filesOfFolder(
  reads: Reads,
  folder: string,
  has: (path: string) => boolean,
  covered: boolean,
): FolderFiles {
  const names = folder === '' ? reads.files : (reads.nested?.files ?? reads.files);
  const inFolder = (name: string) => (folder === '' ? name : `${folder}/${name}`);
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

/** Folders whose main files a session that starts in `at` loads at once, in the order of the tool. */
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

/** The folder of a path; empty for the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Whether a file lies at such a place: it is the file, lies in the folder or below it, or directly in it with an ending. */
export function isUnderPlace(path: string, place: string): boolean {
  const star = place.indexOf('/*');
  if (star === -1)
    return path.startsWith(place) && (path.length === place.length || path[place.length] === '/');
  const ending = place.slice(star + 2);
  return path.lastIndexOf('/') === star && path.startsWith(place.slice(0, star)) && path.endsWith(ending);
}
