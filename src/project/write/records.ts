import { join } from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { sha256 } from '../../host/hash.ts';
import type { Disk } from '../../host/host.ts';
import { textHash } from '../../plan/line-ends.ts';
import {
  joinManifests,
  type Manifest,
  manifestPath,
  privateManifestPath,
  readManifest,
} from '../../plan/manifest.ts';
import { readWritten, type WrittenFiles } from '../../plan/written.ts';
import { pathKey } from '../../text/portable-path.ts';
import { presentReader } from './present.ts';
import { statePlaces } from './state.ts';

/** The text of a file below the root; `undefined`: there is none. */
export function textAt(disk: Disk, root: string, path: string): string | undefined {
  const bytes = disk.readBytes(join(root, path));
  return bytes && new TextDecoder().decode(bytes);
}

/** What is ours: the record that travels with the project and the one of this machine. Damage is reported. */
export function readOwned(disk: Disk, root: string, report: Report): Manifest | undefined {
  const read = (path: string) => {
    const text = textAt(disk, root, path);
    return readManifest(text === undefined ? undefined : { name: path, text }, report);
  };
  const shared = read(manifestPath);
  const own = shared && read(privateManifestPath);
  return own && joinManifests(shared, own);
}

export function readWrittenFiles(disk: Disk, root: string): WrittenFiles {
  const bytes = disk.readBytes(statePlaces(root).written);
  return readWritten(bytes && new TextDecoder().decode(bytes));
}

/**
 * Whether a file is one that this compiler wrote: the record of ownership lists the place where it lies, or it is as
 * this machine once wrote it there. Both are read when the first file is in question.
 */
export function generatedFiles(root: string, disk: Disk): (path: string, read: () => Uint8Array) => boolean {
  let known: { owned: ReadonlySet<string>; written: WrittenFiles; placeOf: (path: string) => string };
  const load = (): typeof known => {
    // The plan reads it again and says what is wrong with it.
    const owned = readOwned(disk, root, () => {})?.files.keys() ?? [];
    const present = presentReader(root, disk);
    return {
      owned: new Set([...owned].map(pathKey)),
      written: readWrittenFiles(disk, root),
      placeOf: path => present.placeOf(path).end,
    };
  };
  return (path, read) => {
    known ??= load();
    const place = known.placeOf(path);
    if (known.owned.has(pathKey(place))) return true;
    const hashes = known.written.get(place)?.sha256;
    return hashes?.includes(textHash(read(), sha256)) === true;
  };
}
