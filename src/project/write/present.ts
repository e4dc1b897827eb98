import { dirname, resolve, sep } from 'node:path';
import type { Disk, Stat } from '../../host/host.ts';
import { pathBelow } from '../../host/relative-path.ts';
import type { FollowLinks, Obstacle, Present, ReadPresent } from '../../plan/plan.ts';
import { memoize, once } from '../../text/memo.ts';
import { joinPath, nameOf, parentOf } from '../../text/paths.ts';
import { textLinkTarget } from '../text-links.ts';

/** A folder on the path to a file: existing, missing, or an obstacle. */
type Folder =
  | { readonly real: string; readonly missing?: true }
  | { readonly obstacle: Obstacle; readonly missing?: undefined };

/** The maximum number of links to follow. */
const mostLinks = 40;

/** The folders of a project, each read once. Links are followed within the project. */
function projectFolders(root: string, disk: Disk) {
  const base = disk.realpath(root) ?? root;
  const prefix = base.endsWith(sep) ? base : base + sep;
  const at = (path: string) => (path === '' ? base : prefix + path);
  /** The path relative to the real root; `undefined` outside. */
  const inside = (path: string): string | undefined => pathBelow(base, path);

  /** Where a link that a checkout left as a text leads; `undefined` for any other file. */
  const behindText = (path: string, stat: Stat): string | undefined =>
    textLinkTarget(base, path, stat, disk)?.target;

  const folderAt = memoize((path: string): Folder => {
    if (path === '') return { real: '' };
    const parent = folderAt(parentOf(path));
    if ('obstacle' in parent) return parent;
    const real = joinPath(parent.real, nameOf(path));
    const stat = parent.missing ? undefined : disk.lstat(at(real));
    if (!stat) return { real, missing: true };
    if (stat.kind === 'directory') return { real };
    const isLink = stat.kind === 'link';
    const target = isLink ? disk.realpath(at(real)) : behindText(at(real), stat);
    if (!isLink && target === undefined) return { obstacle: { kind: 'parent', path } };
    if (target === undefined) {
      const wanted = leadsTo(real);
      return wanted === undefined
        ? { obstacle: { kind: 'dangling', path } }
        : { real: wanted, missing: true };
    }
    const place = inside(target);
    if (place === undefined) return { obstacle: { kind: 'outside', path } };
    if (disk.stat(target)?.kind !== 'directory') return { obstacle: { kind: 'parent', path } };
    return { real: place };
  });

  /** The place in the project that a dangling link names, such as an ignored folder. */
  const leadsTo = (path: string): string | undefined => {
    let place = path;
    for (let links = 0; links < mostLinks; links++) {
      const text = disk.readLink(at(place));
      const named = text === undefined ? undefined : inside(resolve(dirname(at(place)), text));
      if (named === undefined) return undefined;
      const folder = folderAt(parentOf(named));
      if ('obstacle' in folder) return undefined;
      place = joinPath(folder.real, nameOf(named));
      if (folder.missing || !disk.lstat(at(place))) return place;
    }
    return undefined;
  };
  return { at, inside, folderAt, leadsTo, behindText };
}

/**
 * Returns a function that reads existing files for the write plan. Contents are read once, on demand. A path that leaves
 * the project through a link is blocked; a link that a checkout left as a text is followed.
 */
export function presentReader(root: string, disk: Disk): ReadPresent & { readonly followLinks: FollowLinks } {
  const { at, inside, folderAt, leadsTo, behindText } = projectFolders(root, disk);
  const filesBelow = (path: string): readonly string[] =>
    (disk.list(at(path)) ?? []).flatMap(({ name, kind }) =>
      kind === 'directory' ? filesBelow(`${path}/${name}`) : [`${path}/${name}`],
    );

  const present = memoize((path: string): Present | undefined => {
    const folder = folderAt(parentOf(path));
    if ('obstacle' in folder) return blocked(folder.obstacle);
    if (folder.missing) return undefined;
    const real = joinPath(folder.real, nameOf(path));
    const absolute = at(real);
    const stat = disk.lstat(absolute);
    if (!stat) return undefined;
    if (stat.kind === 'directory') return blocked({ kind: 'directory', path, files: () => filesBelow(path) });
    if (stat.kind === 'other') return blocked({ kind: 'special', path });
    const { kind, mode, executable } = stat;
    const behindIt = kind === 'file' ? behindText(absolute, stat) : undefined;
    const read = once(() => disk.readBytes(behindIt ?? absolute) ?? new Uint8Array());
    if (kind === 'file' && behindIt === undefined)
      return { kind, mode, executable, read, ...(real !== path && { real }) };
    const target = behindIt ?? disk.realpath(absolute);
    if (target === undefined) return blocked({ kind: 'dangling', path });
    const end = inside(target);
    if (end === undefined) return blocked({ kind: 'outside', path });
    const behind = disk.stat(target);
    if (behind?.kind !== 'file')
      return blocked({ kind: behind?.kind === 'directory' ? 'directory' : 'special', path });
    return { kind: 'link', mode: behind.mode, executable: behind.executable, read, real: end };
  });

  const followLinks: FollowLinks = path => {
    const folder = folderAt(parentOf(path));
    if ('obstacle' in folder) return { path, end: path };
    const place = joinPath(folder.real, nameOf(path));
    // A missing folder contains no link.
    const now = folder.missing ? undefined : present(path);
    const end =
      now?.kind === 'link' ? now.real : now?.obstacle?.kind === 'dangling' ? leadsTo(place) : undefined;
    return { path: place, end: end ?? place };
  };
  return Object.assign(present, { followLinks });
}

const blocked = (obstacle: Obstacle): Present => ({
  kind: 'blocked',
  mode: 0,
  executable: false,
  read: () => new Uint8Array(),
  obstacle,
});
