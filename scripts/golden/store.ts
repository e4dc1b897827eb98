/**
 * Storage of the golden files in test/golden. `<target>.yaml` maps each path of each version to a file in `contents/`.
 * Equal contents are stored once for all targets: the name consists of the file name and a hash of content and mode.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { namesIn } from '../files.ts';
import { root } from '../generate.ts';

export interface GoldenFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Maps `<target>/<version>/<path>` to a file. */
export type Goldens = ReadonlyMap<string, GoldenFile>;

/** Maps a version and a path to the name of a content. */
type Listing = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const goldenFolder = join(root, 'test/golden');

/** Name under which a content is stored, such as `SKILL.0a1b2c3d.md`. */
function contentName(path: string, { bytes, executable }: GoldenFile): string {
  const hash = createHash('sha256')
    .update(executable ? 'x' : '-')
    .update(bytes)
    .digest('hex');
  const extension = extname(path);
  return `${basename(path, extension)}.${hash.slice(0, 8)}${extension}`;
}

/** Ids of the targets with golden files, sorted. */
export const recordedTargets = (folder = goldenFolder): string[] => namesIn(folder, '.yaml');

/** The recorded listing of a target; empty if there is none. */
export function readListing(id: string, folder = goldenFolder): Listing {
  const path = join(folder, `${id}.yaml`);
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : {};
}

/** Text of a recorded file. */
export const readContent = (name: string, folder = goldenFolder): string =>
  readFileSync(join(folder, 'contents', name), 'utf8');

/** Whether a file is recorded with this content and mode. On Windows the mode is ignored: it has no executable bit. */
function isRecorded(name: string, { bytes, executable }: GoldenFile, folder: string): boolean {
  const path = join(folder, 'contents', name);
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) return false;
  return process.platform === 'win32' || ((statSync(path).mode & 0o100) !== 0) === executable;
}

/** The expected listings for some golden files. */
function listingsOf(goldens: Goldens): ReadonlyMap<string, Listing> {
  const listings = new Map<string, Record<string, Record<string, string>>>();
  for (const key of [...goldens.keys()].sort()) {
    const [id, version, ...path] = key.split('/') as [string, string, ...string[]];
    const listing = listings.get(id) ?? {};
    listings.set(id, listing);
    listing[version] ??= {};
    listing[version][path.join('/')] = contentName(key, goldens.get(key)!);
  }
  return listings;
}

/** One message per golden file that is missing, different or no longer written. `only`: target ids, all if empty. */
export function compareGoldens(
  goldens: Goldens,
  only: readonly string[] = [],
  folder = goldenFolder,
): string[] {
  const recorded = new Map<string, string>(
    recordedTargets(folder)
      .filter(id => only.length === 0 || only.includes(id))
      .flatMap(id =>
        Object.entries(readListing(id, folder)).flatMap(([version, files]) =>
          Object.entries(files).map(([path, name]) => [`${id}/${version}/${path}`, name] as const),
        ),
      ),
  );
  const differences = [...goldens].flatMap(([key, file]) => {
    const name = recorded.get(key);
    recorded.delete(key);
    if (name === undefined) return [`${key} is missing`];
    if (isRecorded(name, file, folder)) return [];
    if (!existsSync(join(folder, 'contents', name))) return [`contents/${name} is missing`];
    return [`${key} differs${firstDifference(readContent(name, folder), file.bytes)}`];
  });
  return [...differences, ...[...recorded.keys()].map(key => `${key} is no longer written`)];
}

function firstDifference(recorded: string, bytes: Uint8Array): string {
  const before = recorded.split('\n');
  const after = new TextDecoder().decode(bytes).split('\n');
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at === -1 && before.length === after.length) return ' in its bytes or its mode';
  const index = at === -1 ? before.length : at;
  return ` in line ${index + 1}:\n    - ${before[index] ?? '(end)'}\n    + ${after[index] ?? '(end)'}`;
}

/** Updates the folder and removes contents that no listing uses. Returns the number of changed files. */
export function writeGoldens(goldens: Goldens, only: readonly string[] = [], folder = goldenFolder): number {
  const listings = listingsOf(goldens);
  let changed = 0;
  mkdirSync(join(folder, 'contents'), { recursive: true });
  for (const [key, file] of goldens) {
    const name = contentName(key, file);
    if (isRecorded(name, file, folder)) continue;
    writeFileSync(join(folder, 'contents', name), file.bytes);
    chmodSync(join(folder, 'contents', name), file.executable ? 0o755 : 0o644);
    changed++;
  }
  for (const [id, listing] of listings) {
    const path = join(folder, `${id}.yaml`);
    const text = stringify(listing, { lineWidth: 0 });
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(path, text);
    changed++;
  }
  for (const id of recordedTargets(folder)) {
    if (listings.has(id) || (only.length > 0 && !only.includes(id))) continue;
    rmSync(join(folder, `${id}.yaml`));
    changed++;
  }
  return changed + removeUnused(folder);
}

function removeUnused(folder: string): number {
  const used = new Set(
    recordedTargets(folder).flatMap(id => Object.values(readListing(id, folder)).flatMap(Object.values)),
  );
  const unused = readdirSync(join(folder, 'contents')).filter(name => !used.has(name));
  for (const name of unused) rmSync(join(folder, 'contents', name));
  return unused.length;
}

/** Writes the files as a project has them, for reading. */
export function writeTree(goldens: Goldens, folder: string): void {
  for (const [key, { bytes, executable }] of goldens) {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { mode: executable ? 0o755 : 0o644 });
  }
}
