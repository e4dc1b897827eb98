import { isAbsolute, join } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { Disk } from '../../host/host.ts';
import { labelOf, parseAddress } from '../../registry/address.ts';
import { openRepository } from '../../registry/git.ts';
import type { LockEntry } from '../../registry/lock.ts';
import type { Snapshot, SnapshotFile } from '../../registry/snapshot.ts';
import type { RegistryOverrides } from '../../registry/source-context.ts';
import { isCommit } from '../../registry/version.ts';
import { sourceLimit } from '../../text/sizes.ts';
import { splitSource } from '../../text/source-name.ts';
import { listProjectFiles } from '../project-files.ts';

/** A change to try: another version of one source. */
export interface Change {
  /** The text of the option. */
  readonly text: string;
  /** The source: an alias, or an address without protocol. */
  readonly name: string;
  /**
   * `newest`: the version that an update would find. `named`: a tag or branch. `folder`: a working copy; a hash of its
   * files replaces the commit.
   */
  readonly to:
    | { readonly kind: 'newest' }
    | { readonly kind: 'named' | 'commit'; readonly name: string }
    | ({ readonly kind: 'folder' } & Snapshot);
}

/** Splits `<source>@<version>`. A version that is a path is a folder. */
export function splitChange(text: string): { readonly name: string; readonly version?: string } {
  const [name, version] = splitSource(text);
  if (version !== undefined) return { name, version };
  // A path with a drive letter contains a colon.
  const drive = /^(.+?)@([a-z]:[\\/].*)$/i.exec(text);
  return drive ? { name: drive[1]!, version: drive[2]! } : { name };
}

/** Whether a version is a path. */
export const isFolder = (version: string): boolean =>
  /^\.{1,2}(?:[\\/]|$)/.test(version) || isAbsolute(version);

/** Whether a version is a commit or a name. */
export const namedVersion = (name: string): Change['to'] => ({
  kind: isCommit(name) ? 'commit' : 'named',
  name,
});

/** Whether a lock entry is the source that changes. */
export function isSource({ name }: Change, { source, url }: Pick<LockEntry, 'source' | 'url'>): boolean {
  const [base] = splitSource(source);
  if (base === name || url === name) return true;
  const address = parseAddress(url, '/');
  return !('refused' in address) && labelOf(address) === name.replace(/^[a-z+]+:\/\/|(?:\.git)?\/*$/g, '');
}

/**
 * Whether an update would move a lock entry to the change. A tag is reached by ranges that include it. A version that
 * is not a release counts as the next release in a range. Exact versions do not move.
 */
export async function isReached(change: Change, place: Pick<LockEntry, 'source' | 'url'>): Promise<boolean> {
  if (!isSource(change, place)) return false;
  const { to } = change;
  const [, asked] = splitSource(place.source);
  if (asked === undefined || to.kind === 'newest') return true;
  const { default: semver } = await import('semver');
  const name = to.kind === 'folder' ? to.header.commit : to.name;
  if (semver.valid(asked) !== null || isCommit(asked))
    return asked.replace(/^v/, '') === name.replace(/^v/, '');
  const release = to.kind === 'named' ? semver.valid(name) : null;
  if (semver.validRange(asked) === null) return to.kind !== 'named' || release !== null || asked === name;
  return release === null || semver.satisfies(release, asked);
}

/** The version name of an unreleased commit in a range. */
const unreleased = 'unreleased';

/** The registry overrides that simulate the change. */
export function overridesFor(change: Change): Pick<RegistryOverrides, 'moves' | 'localSnapshot'> {
  const { to } = change;
  const localSnapshot = to.kind === 'folder' ? givenFolder(to) : undefined;
  const moves: RegistryOverrides['moves'] = async (asked, context) => {
    const place = { source: asked.source, url: asked.repository.address.shown };
    if (to.kind === 'newest' || !(await isReached(change, place))) return undefined;
    const [, version] = splitSource(asked.source);
    const { default: semver } = await import('semver');
    const isRange = version !== undefined && semver.validRange(version) !== null;
    const nameOf = (commit: string, name: string) => (isRange ? name : (version ?? commit));
    if (to.kind === 'folder') {
      const { commit } = to.header;
      return { commit, name: nameOf(commit, unreleased) };
    }
    const { choice } = await openRepository({ ...asked, version: to.name }, undefined, context);
    const { commit, name } = choice;
    const release = semver.valid(name) === null ? unreleased : name;
    return { commit, name: nameOf(commit, release) };
  };
  return { moves, localSnapshot };
}

/** Provides the files of a folder as a commit, below the root of an alias. */
function givenFolder({ header, body }: Snapshot): RegistryOverrides['localSnapshot'] {
  return (wanted, root) => {
    if (wanted !== header.commit) return undefined;
    const start = root === '' ? '' : `${root}/`;
    const files = header.files
      .filter(({ path }) => path.startsWith(start))
      .map(file => ({ ...file, path: file.path.slice(start.length) }));
    return { header: { commit: header.commit, files }, body };
  };
}

/** The snapshot that a commit of a working copy would have. */
export function folderSnapshot(folder: string, disk: Disk): Snapshot {
  const files: SnapshotFile[] = [];
  const body: Uint8Array[] = [];
  let offset = 0;
  for (const { path, kind } of listProjectFiles(folder, disk)) {
    const { size = 0, executable = false } = disk.lstat(join(folder, path)) ?? {};
    const large = kind === 'file' && size > sourceLimit;
    const bytes = large ? new Uint8Array() : contentOf(join(folder, path), kind, disk);
    const word = large ? 'large' : kind === 'file' && executable ? 'script' : kind;
    files.push({ path, kind: word, sha256: sha256(bytes), offset, size: large ? size : bytes.length });
    body.push(bytes);
    offset += bytes.length;
  }
  const listed = files.map(({ path, kind, sha256: hash }) => [path, kind, hash]);
  const commit = sha256(Buffer.from(JSON.stringify(listed))).slice(0, 40);
  return { header: { commit, files }, body: Buffer.concat(body) };
}

const contentOf = (path: string, kind: 'file' | 'link', disk: Disk): Uint8Array =>
  (kind === 'link' ? Buffer.from(disk.readLink(path) ?? '') : disk.readBytes(path)) ?? new Uint8Array();
