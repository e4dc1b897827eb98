import { join } from 'node:path';
import { manifestDamaged } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Disk, ignoreHostErrors, readTextAt, type WritableDisk } from '../../host/host.ts';
import { textHash } from '../../plan/canonical.ts';
import {
  checkOutputPath,
  joinManifests,
  type Manifest,
  manifestPath,
  type OwnedFile,
  parseWrittenFiles,
  printManifest,
  privateManifestPath,
  readManifest,
  type WrittenFile,
  type WrittenFiles,
} from '../../plan/manifest.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { once } from '../../text/memo.ts';
import { pathKey } from '../../text/portable-path.ts';
import { changesInGit, isInCommit, isMerging, lastCommitted } from '../git/queries.ts';
import { presentReader } from './present.ts';
import { type SealedKind, type SealedPlace, sealText, unsealText } from './seal.ts';
import { openState, statePath } from './state.ts';

/** The text of sealed state; `undefined` if it is missing, a link, or sealed by another user or for another project. */
function sealedAt(disk: Disk, root: string, path: string, kind: SealedKind): string | undefined {
  if (disk.lstat(join(root, path))?.kind !== 'file') return undefined;
  return unsealText(readTextAt(disk, join(root, path)) ?? '', kind, { root, disk });
}

/** The text of a manifest, without the seal of the private one. */
export function recordAt(disk: Disk, root: string, path: string): string | undefined {
  if (path === privateManifestPath) return sealedAt(disk, root, path, 'manifest');
  const absolute = join(root, path);
  return disk.stat(absolute)?.kind === 'file' ? readTextAt(disk, absolute) : undefined;
}

export function recordText(manifest: Manifest, path: string, place: SealedPlace): string {
  const text = printManifest(manifest);
  return path === privateManifestPath ? sealText(text, 'manifest', place) : text;
}

/** The shared and the private manifest combined; `undefined` after damage was reported. */
export function readOwned(disk: Disk, root: string, report: Report): Manifest | undefined {
  const read = (path: string) => {
    if (disk.lstat(join(root, path))?.kind === 'other') {
      report(manifestDamaged({ path, reason: 'it is a pipe, a socket or a device' }, { file: path }));
      return undefined;
    }
    const text = recordAt(disk, root, path);
    return readManifest(text === undefined ? undefined : { name: path, text }, report);
  };
  return joinedManifest(read);
}

/** Combines the shared and the private manifest; `undefined` when one of them cannot be read. */
export function joinedManifest(read: (path: string) => Manifest | undefined): Manifest | undefined {
  const shared = read(manifestPath);
  const own = shared && read(privateManifestPath);
  return own && joinManifests(shared, own);
}

/** Hashes of the files that this machine wrote. */
export const readWrittenFiles = (disk: Disk, root: string): WrittenFiles =>
  parseWrittenFiles(sealedAt(disk, root, `${statePath}/written.json`, 'written'));

export interface Generated {
  /** Whether the compiler wrote a file. `isDirect`: no link is on the path. */
  is(path: string, read: () => Uint8Array, isDirect?: boolean): boolean;
  /** Hashes of files at places that tools read, of unknown origin. */
  readonly doubtful: ReadonlyMap<string, string>;
}

/**
 * Returns a function that tells whether the compiler wrote a file: the manifest lists its place, this machine wrote the
 * content there, or it is in `lost`. Records are read on first use.
 */
export function generatedFiles(root: string, disk: Disk, lost: WrittenFiles = new Map()): Generated {
  // The plan reports damage.
  const owned = once(() => new Set([...(readOwned(disk, root, () => {})?.files.keys() ?? [])].map(pathKey)));
  const written = once(() => readWrittenFiles(disk, root));
  const others = once(() => readOthers(disk, root));
  const present = once(() => presentReader(root, disk));
  const doubtful = new Map<string, string>();
  return {
    doubtful,
    is(path, read, isDirect = false) {
      // There are no outputs among the sources.
      if (isDirect && isOwnPlace(path)) return false;
      const place = isDirect ? path : present().followLinks(path).end;
      if (owned().has(pathKey(place))) return true;
      const hash = textHash(read(), sha256);
      if ([written(), lost].some(files => files.get(place)?.sha256.includes(hash))) return true;
      if (!isOwnPlace(place) && others().get(place) !== hash) doubtful.set(place, hash);
      return false;
    },
  };
}

const isOwnPlace = (path: string): boolean => path.startsWith('.instr/');

/** Hashes of files that Git history does not know as outputs. Damage is ignored. */
function readOthers(disk: Disk, root: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(sealedAt(disk, root, othersPath, 'others') ?? '{}')));
  } catch {
    return new Map();
  }
}

const othersPath = `${statePath}/others.json`;

/** Records files that are not outputs, so that the next run need not search Git history. Failures are ignored. */
export function rememberOthers(disk: WritableDisk, root: string, news: ReadonlyMap<string, string>): void {
  const state = openState(root, disk);
  if (news.size === 0 || !disk.lstat(state.folder)) return;
  const all = Object.fromEntries([...readOthers(disk, root), ...news]);
  ignoreHostErrors(() => {
    const draft = join(root, `${othersPath}.${process.pid}`);
    const text = sealText(JSON.stringify(all), 'others', state);
    state.disk.removeFile(draft);
    state.disk.writeBytes(draft, new TextEncoder().encode(text), { exclusive: true });
    state.disk.rename(draft, join(root, othersPath));
  });
}

/** A change of an entry in the manifest; without `file`, the entry was removed. */
interface Change {
  readonly commit: string;
  readonly file?: OwnedFile;
}

/**
 * Finds outputs that neither the manifest nor the records of this machine contain, in the Git history of the manifest.
 * Merges can drop lines of it. An entry is not lost if a commit removed it but kept the file, or if the removal is not
 * committed yet.
 *
 * Shallow clones, squashed branches and cherry-picked files have no history, so their files count as not owned.
 */
export function lostFiles(root: string, disk: Disk): Map<string, WrittenFile> {
  const lost = new Map<string, WrittenFile>();
  const owned = readOwned(disk, root, () => {})?.files;
  if (!owned) return lost;
  const present = presentReader(root, disk);
  for (const [path, changes] of readChanges(root)) {
    const now = owned.has(path) || checkOutputPath(path) !== undefined ? undefined : present(path);
    if (now?.kind !== 'file') continue;
    const hash = textHash(now.read(), sha256);
    const file = lastListed(root, path, hash, changes);
    if (!file || (isListedNow(root, path) && !isMerging(root))) continue;
    const { targets, build } = file;
    lost.set(path, { targets, ...(build !== undefined && { build }), sha256: [hash] });
  }
  return lost;
}

/** All changes of each entry in the history of the manifest, newest first. */
function readChanges(root: string): Map<string, Change[]> {
  const changes = (changesInGit(root, manifestPath) ?? []).flatMap(({ commit, lines }) => {
    const entries = new Map<string, OwnedFile | undefined>();
    for (const line of lines) {
      const [, sign, path, file] = /^([+-])\s*("(?:[^"\\]|\\.)*"): (\{.*\}),?\r?$/.exec(line) ?? [];
      const name = path === undefined ? undefined : parse(path);
      if (typeof name !== 'string') continue;
      if (sign === '+') entries.set(name, parse(file!) as OwnedFile | undefined);
      else if (!entries.has(name)) entries.set(name, undefined);
    }
    return [...entries].map(([path, file]) => ({ path, commit, ...(file && { file }) }));
  });
  return groupBy(changes, ({ path }) => path);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The last entry of a file with this content, unless ownership was given up since. */
function lastListed(
  root: string,
  path: string,
  hash: string,
  changes: readonly Change[],
): OwnedFile | undefined {
  for (const { commit, file } of changes) {
    // An adopted file was written by somebody else.
    if (file?.sha256 === hash) return file.adopted || !Array.isArray(file.targets) ? undefined : file;
    if (!file && isInCommit(root, commit, path)) return undefined;
  }
  return undefined;
}

function isListedNow(root: string, path: string): boolean {
  const { files } = (parse(lastCommitted(root, manifestPath) ?? '') ?? {}) as { files?: object };
  return typeof files === 'object' && files !== null && Object.hasOwn(files, path);
}
