import { dirname, resolve, sep } from 'node:path';
import type { ReadContent } from '../../host/content-cache.ts';
import type { DirEntry, Disk } from '../../host/host.ts';
import type { FollowLinks, Obstacle, Present, ReadPresent } from '../../plan/plan.ts';
import { sameBytes } from '../../text/bytes.ts';
import { joinPath, kindsIn, nameOf, parentOf } from '../gather/find.ts';
import { pathBelow } from '../open/root.ts';

/** What a folder on the way to a file is: there or not (with its real place), or in the way. */
type Folder =
  | { readonly real: string; readonly missing?: true }
  | { readonly obstacle: Obstacle; readonly missing?: undefined };

/** Links that lead to links, as systems follow them. */
const mostLinks = 40;

/** Where files are read that are only compared: nothing has to be made for them. */
let scratch: Uint8Array | undefined;
const scratchSize = 1 << 16;

/** So many folders are asked about one by one before all of them are listed. */
const worthListing = 16;

/**
 * Looks at files below `root` for the write plan. Folders are looked at once, contents are read once and only when
 * they are asked for (by `readContent`, where runs that follow one another keep them). A path whose folders lead out of
 * the project through a link is blocked.
 */
export function presentReader(
  root: string,
  disk: Disk,
  readContent?: ReadContent,
): ReadPresent & { readonly followLinks: FollowLinks } {
  const base = disk.realpath(root) ?? root;
  const prefix = base.endsWith(sep) ? base : base + sep;
  const at = (path: string) => (path === '' ? base : prefix + path);
  const folders = new Map<string, Folder>([['', { real: '' }]]);
  const found = new Map<string, Present | undefined>();
  const lookups = new Map<string, number>();
  const listed = new Map<string, ReadonlyMap<string, DirEntry['kind']>>();
  /** The last folder that was found missing, with a slash: thousands of files may be new in one new folder. */
  let missing = '';
  const isMissing = (path: string) => missing !== '' && path.startsWith(missing);

  /** A path relative to the real root, or `undefined` when it is not below it. */
  const inside = (path: string): string | undefined => (path === base ? '' : pathBelow(base, path));

  const folderAt = (path: string): Folder => {
    let folder = folders.get(path);
    if (!folder) {
      folder = lookAt(path);
      folders.set(path, folder);
    }
    return folder;
  };

  /** The kind of something in a folder. Of what many are asked about, such as a folder of skills, a list is made. */
  const kindAt = (folder: string, name: string, path: string): DirEntry['kind'] | undefined => {
    const asked = (lookups.get(folder) ?? 0) + 1;
    lookups.set(folder, asked);
    if (asked === worthListing) listed.set(folder, kindsIn(disk.list(at(folder)) ?? []));
    // A name that is not in the list may still be there, in other letters, where their case does not count.
    return listed.get(folder)?.get(name) ?? disk.lstat(at(path))?.kind;
  };

  /** Where a path lies whose folder was followed. Nearly all lie where they say, and no text is made for them. */
  const placeIn = (folder: string, parent: string, path: string): string =>
    folder === parent ? path : joinPath(folder, nameOf(path));

  const lookAt = (path: string): Folder => {
    const above = parentOf(path);
    const parent = folderAt(above);
    if ('obstacle' in parent) return parent;
    const real = placeIn(parent.real, above, path);
    if (parent.missing) return { real, missing: true };
    const kind = kindAt(parent.real, nameOf(path), real);
    if (!kind) {
      if (real === path) missing = `${path}/`;
      return { real, missing: true };
    }
    if (kind === 'directory') return { real };
    if (kind !== 'link') return { obstacle: { kind: 'parent', path } };
    const target = disk.realpath(at(real));
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
  };

  /** The place in the project that a link names at which nothing is yet, such as a folder that version control ignores. */
  const leadsTo = (path: string): string | undefined => {
    let place = path;
    for (let links = 0; links < mostLinks; links++) {
      const text = disk.readLink(at(place));
      const named = text === undefined ? undefined : inside(resolve(dirname(at(place)), text));
      if (named === undefined) return undefined;
      const above = parentOf(named);
      const folder = folderAt(above);
      if ('obstacle' in folder) return undefined;
      place = placeIn(folder.real, above, named);
      if (folder.missing || !disk.lstat(at(place))) return place;
    }
    return undefined;
  };

  const filesBelow = (path: string): readonly string[] =>
    (disk.list(at(path)) ?? []).flatMap(({ name, kind }) =>
      kind === 'directory' ? filesBelow(`${path}/${name}`) : [`${path}/${name}`],
    );

  const look = (path: string): Present | undefined => {
    const parent = parentOf(path);
    const folder = folderAt(parent);
    if ('obstacle' in folder) return blocked(folder.obstacle);
    if (folder.missing) return undefined;
    const real = placeIn(folder.real, parent, path);
    const absolute = at(real);
    const stat = disk.lstat(absolute);
    if (!stat) return undefined;
    if (stat.kind === 'directory') {
      return blocked({ kind: 'directory', path, files: () => filesBelow(path) });
    }
    if (stat.kind === 'other') return blocked({ kind: 'special', path });
    let bytes: Uint8Array | undefined;
    const read = () => {
      const size = stat.kind === 'file' ? stat.size : undefined;
      const fresh = () => disk.readBytes(absolute, size) ?? new Uint8Array();
      bytes ??= readContent && stat.kind === 'file' ? readContent(absolute, stat, fresh) : fresh();
      return bytes;
    };
    const holds = (content: Uint8Array): boolean => {
      if (bytes || readContent || stat.kind !== 'file' || stat.size !== content.length)
        return sameBytes(read(), content);
      scratch ??= new Uint8Array(scratchSize);
      const now = disk.readBytes(absolute, stat.size, scratch) ?? new Uint8Array();
      const isSame = sameBytes(now, content);
      bytes = isSame ? content : Uint8Array.from(now);
      return isSame;
    };
    const { mode, executable } = stat;
    if (stat.kind === 'file') {
      return { kind: 'file', mode, executable, read, holds, ...(real !== path && { real }) };
    }
    const target = disk.realpath(absolute);
    if (target === undefined) return blocked({ kind: 'dangling', path });
    const end = inside(target);
    if (end === undefined) return blocked({ kind: 'outside', path });
    const behind = disk.stat(target);
    if (behind?.kind !== 'file')
      return blocked({ kind: behind?.kind === 'directory' ? 'directory' : 'special', path });
    return { kind: 'link', mode: behind.mode, executable: behind.executable, read, holds, real: end };
  };

  const present: ReadPresent = path => {
    if (isMissing(path)) return undefined;
    const known = found.get(path);
    if (known || found.has(path)) return known;
    const now = look(path);
    found.set(path, now);
    return now;
  };

  const followLinks: FollowLinks = path => {
    if (isMissing(path)) return { path, end: path };
    const parent = parentOf(path);
    const folder = folderAt(parent);
    if ('obstacle' in folder) return { path, end: path };
    const place = placeIn(folder.real, parent, path);
    // Where its folder is missing there is nothing that could be a link.
    if (folder.missing) return { path: place, end: place };
    const now = present(path);
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
  holds: content => content.length === 0,
  obstacle,
});
