import { join } from 'node:path';
import { manifestDamaged } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Disk, readTextAt, type WritableDisk } from '../../host/host.ts';
import { textHash } from '../../plan/canonical.ts';
import {
  joinManifests,
  type Manifest,
  manifestPath,
  printManifest,
  privateManifestPath,
  readManifest,
  readWritten,
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
