import type { Report } from '../diagnostics/diagnostic.ts';
import { manifestDamaged, manifestNewer } from '../generated/diagnostics.ts';
import type { Source } from '../text/source.ts';
import { checkOutputPath } from './safe-path.ts';

/** Where the record of ownership lies, relative to the project root. It is committed. */
export const manifestPath = '.instr/manifest.json';

const currentVersion = 1;

/** What this compiler has written and still owns. It says nothing about what is on disk now. */
export interface Manifest {
  /** By path, sorted by code unit. */
  readonly files: ReadonlyMap<string, OwnedFile>;
  /** Topmost folders that did not exist before a run made them; they go when they are empty. */
  readonly directories: readonly string[];
}

/** `sha256` for a file that is wholly ours, `keys` for one that belongs to the user. */
export interface OwnedFile {
  readonly targets: readonly string[];
  readonly build?: string;
  readonly sha256?: string;
  /** Written as a program. */
  readonly executable?: boolean;
  /** How a shared file is read. */
  readonly format?: 'json' | 'jsonc' | 'toml' | 'yaml';
  readonly keys?: readonly OwnedKey[];
  /** Objects and arrays of a shared file that did not exist before; the empty path is the file itself. */
  readonly created?: readonly (readonly string[])[];
}

/** One value of ours in a user's file, by the hash of its canonical JSON. */
export interface OwnedKey {
  readonly kind: 'set' | 'element';
  readonly path: readonly string[];
  readonly sha256: string;
}

export const emptyManifest: Manifest = { files: new Map(), directories: [] };

/**
 * Reads the manifest. Absent is empty; one that is damaged or newer than this program is reported and gives
 * `undefined`: without it nobody knows what is ours, so nothing may be written.
 */
export function readManifest(source: Source | undefined, report: Report): Manifest | undefined {
  if (!source) return emptyManifest;
  const problem = (reason: string) => {
    report(manifestDamaged({ path: source.name, reason }, { file: source.name }));
    return undefined;
  };
  const marker = /^(?:<{7}|={7}|>{7})(?: |$)/m.exec(source.text);
  if (marker) {
    const span = { source, start: marker.index, end: marker.index + 7 };
    report(
      manifestDamaged({ path: source.name, reason: 'a merge left its conflict markers in it' }, { span }),
    );
    return undefined;
  }
  let data: unknown;
  try {
    data = JSON.parse(source.text);
  } catch {
    return problem('it is not valid JSON');
  }
  if (!isRecord(data)) return problem('it holds no object');
  if (typeof data.version !== 'number') return problem('it has no version');
  if (data.version > currentVersion) {
    report(manifestNewer({ path: source.name, version: data.version }, { file: source.name }));
    return undefined;
  }
  if (!isRecord(data.files) || !isTexts(data.directories ?? [])) return problem('it has no list of files');
  const files = new Map<string, OwnedFile>();
  for (const [path, value] of Object.entries(data.files)) {
    if (!isOwnedFile(value)) return problem(`its entry for ${path} is incomplete`);
    const unsafe = checkOutputPath(path);
    if (unsafe) return problem(`its path ${JSON.stringify(path)} ${unsafe}`);
    files.set(path, value);
  }
  return { files: sorted(files), directories: (data.directories as string[] | undefined) ?? [] };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function isOwnedFile(value: unknown): value is OwnedFile {
  if (!isRecord(value) || !isTexts(value.targets)) return false;
  if (value.created !== undefined && !(Array.isArray(value.created) && value.created.every(isTexts)))
    return false;
  if (value.keys === undefined) return isHash(value.sha256);
  const formats: unknown[] = ['json', 'jsonc', 'toml', 'yaml'];
  return formats.includes(value.format) && Array.isArray(value.keys) && value.keys.every(isOwnedKey);
}

const isOwnedKey = (value: unknown): value is OwnedKey =>
  isRecord(value) &&
  (value.kind === 'set' || value.kind === 'element') &&
  isTexts(value.path) &&
  isHash(value.sha256);

/** A copy in the order of the file: paths by code unit. */
export function sorted<T>(files: ReadonlyMap<string, T>): Map<string, T> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The manifest as text: one file a line, so that two branches that touch different files merge. */
export function printManifest(manifest: Manifest): string {
  const files = [...sorted(manifest.files)].map(
    ([path, file]) => `    ${JSON.stringify(path)}: ${printFile(file)}`,
  );
  const directories = [...new Set(manifest.directories)].sort().map(path => `    ${JSON.stringify(path)}`);
  return [
    '{',
    `  "version": ${currentVersion},`,
    `  "directories": ${block('[', directories, ']')},`,
    `  "files": ${block('{', files, '}')}`,
    '}',
    '',
  ].join('\n');
}

const block = (open: string, lines: readonly string[], close: string) =>
  lines.length ? `${open}\n${lines.join(',\n')}\n  ${close}` : `${open}${close}`;

/** Fields in a fixed order, whatever order the value was built in. */
function printFile(file: OwnedFile): string {
  const { targets, build, sha256, executable, format, keys, created } = file;
  return JSON.stringify({
    targets,
    ...(build !== undefined && { build }),
    ...(sha256 !== undefined && { sha256 }),
    ...(executable && { executable }),
    ...(format !== undefined && { format }),
    ...(keys && { keys: keys.map(({ kind, path, sha256 }) => ({ kind, path, sha256 })) }),
    ...(created?.length && { created }),
  });
}
