import { join } from 'node:path';
import { manifestDamaged } from '../../generated/diagnostics.ts';
import { changesInGit, isInCommit, isMerging, lastCommitted } from '../../host/git.ts';
import { sha256 } from '../../host/hash.ts';
import { type Disk, readTextAt, type WritableDisk } from '../../host/host.ts';
import { textHash } from '../../plan/canonical.ts';
import {
  checkOutputPath,
  joinManifests,
  type Manifest,
  manifestPath,
  type OwnedFile,
  printManifest,
  privateManifestPath,
  readManifest,
  readWritten,
  type WrittenFile,
  type WrittenFiles,
} from '../../plan/manifest.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { pathKey } from '../../text/portable-path.ts';
import { presentReader } from './present.ts';
import { type SealedKind, type SealedPlace, sealText, unsealText } from './seal.ts';
import { ignoreHostErrors, openState, statePath } from './state.ts';

/** The text of sealed state; `undefined`: there is none, it is a link, or this user did not write it here. */
function sealedAt(disk: Disk, root: string, path: string, kind: SealedKind): string | undefined {
  if (disk.lstat(join(root, path))?.kind !== 'file') return undefined;
  return unsealText(readTextAt(disk, join(root, path)) ?? '', kind, { root, disk });
}

/** The text of a record of ownership, without the seal of the private one. */
export function recordAt(disk: Disk, root: string, path: string): string | undefined {
  if (path === privateManifestPath) return sealedAt(disk, root, path, 'manifest');
  const absolute = join(root, path);
  return disk.stat(absolute)?.kind === 'file' ? readTextAt(disk, absolute) : undefined;
}

/** A record of ownership as the text of its file. */
export function recordText(manifest: Manifest, path: string, place: SealedPlace): string {
  const text = printManifest(manifest);
  return path === privateManifestPath ? sealText(text, 'manifest', place) : text;
}

/** What is ours: the record that travels with the project and the one of this machine. Damage is reported. */
export function readOwned(disk: Disk, root: string, report: Report): Manifest | undefined {
  const read = (path: string) => {
    if (disk.lstat(join(root, path))?.kind === 'other') {
      report(manifestDamaged({ path, reason: 'it is a pipe, a socket or a device' }, { file: path }));
      return undefined;
    }
    const text = recordAt(disk, root, path);
    return readManifest(text === undefined ? undefined : { name: path, text }, report);
  };
  const shared = read(manifestPath);
  const own = shared && read(privateManifestPath);
  return own && joinManifests(shared, own);
}

/** What this machine wrote into a project, as its record says. */
export const readWrittenFiles = (disk: Disk, root: string): WrittenFiles =>
  readWritten(sealedAt(disk, root, `${statePath}/written.json`, 'written'));

/** Whether files are ones that this compiler wrote. */
export interface Generated {
  /** `isDirect`: the file is known to lie where its path says. */
  is(path: string, read: () => Uint8Array, isDirect?: boolean): boolean;
  /** Files where tools read that are nobody's as far as is known here, with their hashes. */
  readonly doubtful: ReadonlyMap<string, string>;
}

/**
 * Whether a file is one that this compiler wrote: the record of ownership lists the place where it lies, or it is as
 * this machine once wrote it there, or it is among `lost`. The records are read when the first file is in question.
 */
export function generatedFiles(root: string, disk: Disk, lost: WrittenFiles = new Map()): Generated {
  let known: {
    owned: ReadonlySet<string>;
    written: WrittenFiles;
    others: ReadonlyMap<string, string>;
    endOf: (path: string) => string;
  };
  const load = (): typeof known => {
    // The plan reads it again and says what is wrong with it.
    const owned = readOwned(disk, root, () => {})?.files.keys() ?? [];
    const present = presentReader(root, disk);
    return {
      owned: new Set([...owned].map(pathKey)),
      written: readWrittenFiles(disk, root),
      others: readOthers(disk, root),
      endOf: path => present.followLinks(path).end,
    };
  };
  const doubtful = new Map<string, string>();
  return {
    doubtful,
    is(path, read, isDirect = false) {
      // No output lies among the sources.
      if (isDirect && isOwnPlace(path)) return false;
      known ??= load();
      const place = isDirect ? path : known.endOf(path);
      if (known.owned.has(pathKey(place))) return true;
      const hash = textHash(read(), sha256);
      if ([known.written, lost].some(files => files.get(place)?.sha256.includes(hash))) return true;
      if (!isOwnPlace(place) && known.others.get(place) !== hash) doubtful.set(place, hash);
      return false;
    },
  };
}

const isOwnPlace = (path: string): boolean => path.startsWith('.instr/');

/** Files, by hash, of which the history was asked here and said that they are not ours. Damage counts as nothing. */
function readOthers(disk: Disk, root: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(sealedAt(disk, root, othersPath, 'others') ?? '{}')));
  } catch {
    return new Map();
  }
}

const othersPath = `${statePath}/others.json`;

/** Records which files are not ours, so that the next run need not ask again; not being able to is no failure. */
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

/** One change of a line of the record: what it says from then on, or that it is gone. */
interface Change {
  readonly commit: string;
  readonly file?: OwnedFile;
}

/**
 * Files that this compiler wrote somewhere, although neither the record of ownership lists them nor this machine wrote
 * them: merges let lines of the record fall, and Git's history still has them. A line counts as lost unless a commit
 * took it away on purpose: one that drops the line and keeps the file lets go of the file, and so does an edit of the
 * record that is not committed yet. One that drops both removed the file, which a merge then brought back.
 *
 * What no history tells stays somebody else's: clones that are cut short, branches that were squashed into one commit,
 * files that were picked without their line.
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

/** Every change of a line in the history of the record, newest first, by the path that the line speaks of. */
function readChanges(root: string): Map<string, Change[]> {
  const changes = new Map<string, Change[]>();
  for (const { commit, lines } of changesInGit(root, manifestPath) ?? []) {
    const said = new Map<string, OwnedFile | undefined>();
    for (const line of lines) {
      const [, sign, path, file] = /^([+-])\s*("(?:[^"\\]|\\.)*"): (\{.*\}),?\r?$/.exec(line) ?? [];
      const name = path === undefined ? undefined : parse(path);
      if (typeof name !== 'string') continue;
      if (sign === '+') said.set(name, parse(file!) as OwnedFile | undefined);
      else if (!said.has(name)) said.set(name, undefined);
    }
    for (const [path, file] of said) {
      const known = changes.get(path) ?? [];
      changes.set(path, known);
      known.push({ commit, ...(file && { file }) });
    }
  }
  return changes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the record said of a file with this content, when nobody has let go of the file since. */
function lastListed(
  root: string,
  path: string,
  hash: string,
  changes: readonly Change[],
): OwnedFile | undefined {
  for (const { commit, file } of changes) {
    // What was adopted was written by somebody else.
    if (file?.sha256 === hash) return file.adopted || !Array.isArray(file.targets) ? undefined : file;
    if (!file && isInCommit(root, commit, path)) return undefined;
  }
  return undefined;
}

function isListedNow(root: string, path: string): boolean {
  const { files } = (parse(lastCommitted(root, manifestPath) ?? '') ?? {}) as { files?: object };
  return typeof files === 'object' && files !== null && Object.hasOwn(files, path);
}
