import { fileUnreadable } from '../../generated/diagnostics.ts';
import { type DirEntry, type Disk, HostError } from '../../host/host.ts';
import { placeInProject } from '../../host/relative-path.ts';
import type { Tree } from '../../registry/tree.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { isGitName } from '../../text/git-name.ts';
import { memoize, memoizeByObject, once } from '../../text/memo.ts';
import { nameOf, normalizeInnerPath, parentOf } from '../../text/paths.ts';

/** The files of the project. Nothing outside the root or in a Git folder is read, not even through links. */
export interface ProjectTree extends Tree {
  read(path: string): Uint8Array | undefined;
  list(path: string): readonly DirEntry[] | undefined;
  executable(path: string): boolean;
  /** The size of a regular file; links are not followed. */
  size(path: string): number | undefined;
  /** Whether no link is on the path to a file, as far as folders were listed. */
  isDirect(path: string): boolean;
  /** Paths that were read or listed, relative to the root. */
  readonly touched: ReadonlySet<string>;
  /** Files of skills, whose content is read later. */
  readonly resources: Set<string>;
}

/**
 * Creates a view of the project that lists each folder once and answers questions about its files from that list. Disk
 * failures are reported once and count as missing files.
 */
export function projectTree(disk: Disk, root: string, report: Report): ProjectTree {
  const base = root.replace(/\/+$/, '');
  const touched = new Set<string>();
  const failed = new Set<string>();
  const absolute = (path: string) => (path === '' ? base || '/' : `${base}/${path}`);

  const guarded = <T>(path: string, action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (!failed.has(path)) {
        failed.add(path);
        report(fileUnreadable({ file: path || '.', reason: reasonOf(error) }, { file: path || '.' }));
      }
      return undefined;
    }
  };

  const realRoot = once(() => guarded('', () => disk.realpath(absolute(''))));
  const isInside = (path: string): boolean => {
    const base = realRoot();
    const real = guarded(path, () => disk.realpath(absolute(path)));
    return real !== undefined && base !== undefined && placeInProject(base, real) !== undefined;
  };

  const kindOf = (path: string): DirEntry['kind'] | undefined => {
    if (path === '') return 'directory';
    if (isGitName(nameOf(path))) return undefined;
    const siblings = list(parentOf(path));
    return entryKind(siblings, nameOf(path));
  };

  const list = memoize((path: string): readonly DirEntry[] | undefined => {
    const kind = kindOf(path);
    const isOpen = kind === 'directory' || (kind === 'link' && isInside(path));
    const entries = isOpen ? guarded(path, () => disk.list(absolute(path))) : undefined;
    if (entries) touched.add(path);
    return entries;
  });

  const isDirectFolder = memoize(
    (path: string): boolean =>
      path === '' || (isDirectFolder(parentOf(path)) && kindOf(path) === 'directory'),
  );

  return {
    id: '',
    list: path => {
      const inner = normalizeInnerPath(path);
      return inner === undefined ? undefined : list(inner);
    },
    read: path => {
      const inner = normalizeInnerPath(path);
      const kind = inner === undefined ? undefined : kindOf(inner);
      if (kind !== 'file' && !(kind === 'link' && isInside(inner!))) return undefined;
      touched.add(inner!);
      return guarded(inner!, () => disk.readBytes(absolute(inner!)));
    },
    failed: path => failed.has(normalizeInnerPath(path) ?? ''),
    executable: path => guarded(path, () => disk.lstat(absolute(path)))?.executable === true,
    size: path => guarded(path, () => disk.lstat(absolute(path)))?.size,
    isDirect: path => isDirectFolder(parentOf(path)) && kindOf(path) === 'file',
    touched,
    resources: new Set(),
  };
}

/** The message without the absolute path. */
const reasonOf = ({ message, path }: HostError): string => message.replace(`${path} `, '').replace(/\.$/, '');

/** The kind of a name in a listing; `undefined` when it is missing. Each listing is indexed once. */
export const entryKind = (
  entries: readonly DirEntry[] | undefined,
  name: string,
): DirEntry['kind'] | undefined => entries && kindsIn(entries).get(name);

const kindsIn = memoizeByObject(
  (entries: readonly DirEntry[]) => new Map(entries.map(entry => [entry.name, entry.kind])),
);
