import { fileUnreadable } from '../../generated/diagnostics.ts';
import { type DirEntry, type Disk, HostError } from '../../host/host.ts';
import { placeInProject } from '../../host/relative-path.ts';
import type { Tree } from '../../registry/tree.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { isGitName } from '../../text/git-name.ts';
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
  const lists = new Map<string, readonly DirEntry[] | undefined>();
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

  let realRoot: string | undefined;
  const isInside = (path: string): boolean => {
    realRoot ??= guarded('', () => disk.realpath(absolute('')));
    const real = guarded(path, () => disk.realpath(absolute(path)));
    if (real === undefined || realRoot === undefined) return false;
    return placeInProject(realRoot, real) !== undefined;
  };

  const kindOf = (path: string): DirEntry['kind'] | undefined => {
    if (path === '') return 'directory';
    if (isGitName(nameOf(path))) return undefined;
    const siblings = list(parentOf(path));
    return entryKind(siblings, nameOf(path));
  };

  const list = (path: string): readonly DirEntry[] | undefined => {
    const known = lists.get(path);
    if (known || lists.has(path)) return known;
    const kind = kindOf(path);
    const open = kind === 'directory' || (kind === 'link' && isInside(path));
    const entries = open ? guarded(path, () => disk.list(absolute(path))) : undefined;
    lists.set(path, entries);
    if (entries) touched.add(path);
    return entries;
  };

  const direct = new Map<string, boolean>([['', true]]);
  const isDirectFolder = (path: string): boolean => {
    let known = direct.get(path);
    if (known === undefined) {
      known = isDirectFolder(parentOf(path)) && kindOf(path) === 'directory';
      direct.set(path, known);
    }
    return known;
  };

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

const listings = new WeakMap<readonly DirEntry[], ReadonlyMap<string, DirEntry['kind']>>();

/** The kind of a name in a listing; `undefined` when it is missing. Each listing is indexed once. */
export function entryKind(
  entries: readonly DirEntry[] | undefined,
  name: string,
): DirEntry['kind'] | undefined {
  if (entries === undefined) return undefined;
  let kinds = listings.get(entries);
  if (!kinds) {
    kinds = new Map(entries.map(entry => [entry.name, entry.kind]));
    listings.set(entries, kinds);
  }
  return kinds.get(name);
}
