import { type ParseError, parseTree } from 'jsonc-parser';
import { manifestDamaged, manifestNewer } from '../generated/diagnostics.ts';
import { manifest as isManifest } from '../generated/validators/manifest.ts';
import type { SharedFile } from '../kinds/output.ts';
import { conflictMark, conflictSides } from '../text/conflict.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { findTooDeepNesting } from '../text/nesting.ts';
import { compareCodeUnits } from '../text/order.ts';
import { configNames } from '../text/places.ts';
import { checkRelativePath, pathKey } from '../text/portable-path.ts';
import type { Source } from '../text/source.ts';

/** Path of the manifest, the record of owned files, relative to the project root. It is committed. */
export const manifestPath = '.instr/manifest.json';

/** The manifest of private files. It is not committed, so each machine has its own. */
export const privateManifestPath = '.instr/.state/manifest.json';

const currentVersion = 1;

/**
 * The files that the compiler has written and still owns. It does not describe the current state of the disk.
 */
export interface Manifest {
  /** By path, sorted by code unit. */
  readonly files: ReadonlyMap<string, OwnedFile>;
  /**
   * Existing files, by path, that a migration read and that no output replaces, with the hash of the content
   * that was read. Their text is in the sources, so tools would read it twice.
   */
  readonly originals: ReadonlyMap<string, string>;
}

/** `sha256` for a file that is owned as a whole, `keys` for a shared file. */
export interface OwnedFile {
  readonly targets: readonly string[];
  readonly build?: string;
  readonly sha256?: string;
  readonly private?: boolean;
  readonly executable?: boolean;
  /** Whether the layout is the user's, which is kept as long as the content has the planned meaning. */
  readonly adopted?: boolean;
  /** Hash of the planned content, when the file was adopted with other bytes. */
  readonly planned?: string;
  readonly format?: SharedFile['format'];
  readonly keys?: readonly OwnedKey[];
  /**
   * Objects and arrays in a shared file that were created for owned keys; the empty path is the file itself.
   */
  readonly created?: readonly (readonly string[])[];
  /** Symlinks of the user that make other outputs the same file. */
  readonly links?: readonly string[];
}

/** An owned value in a shared file, by the hash of its canonical JSON. */
export interface OwnedKey {
  readonly kind: 'set' | 'element';
  readonly path: readonly string[];
  readonly sha256: string;
}

/** The manifest of a project without outputs. */
export const emptyManifest: Manifest = { files: new Map(), originals: new Map() };

/**
 * Reads the manifest. A missing one is empty. A damaged or newer one is reported and gives `undefined`:
 * ownership is then unknown, so nothing may be written.
 */
export function readManifest(source: Source | undefined, report: Report): Manifest | undefined {
  if (!source) return emptyManifest;
  const problem = (reason: string, start = 0, length = 1) => {
    const span = { source, start, end: start + length };
    report(manifestDamaged({ path: source.name, reason }, { span }));
    return undefined;
  };
  const problemAt = (path: string, reason: string) => {
    const key = JSON.stringify(path);
    return problem(reason, Math.max(0, source.text.indexOf(key)), key.length);
  };
  const mark = conflictMark(source.text, true);
  let data: unknown;
  try {
    data = bothSides(source.text) ?? JSON.parse(source.text);
  } catch {
    if (mark) return problem('a merge left its conflict markers in it', mark.start, 7);
    const errors: ParseError[] = [];
    const deep = findTooDeepNesting(source.text);
    if (deep === undefined) parseTree(source.text, errors, { disallowComments: true });
    return problem('it is not valid JSON', deep ?? errors[0]?.offset);
  }
  const version = (data as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > currentVersion) {
    report(manifestNewer({ path: source.name, version }, { file: source.name }));
    return undefined;
  }
  if (!isManifest(data)) return problem('it has not the form of a manifest');
  const stored = data as { files: Record<string, OwnedFile>; originals?: Record<string, string> };
  const { originals = {} } = stored;
  for (const [path, file] of Object.entries(stored.files)) {
    if (file.sha256 === undefined && !(file.keys && file.format))
      return problemAt(path, `its entry for ${path} is incomplete`);
  }
  const links = Object.values(stored.files).flatMap(file => file.links ?? []);
  for (const path of [...Object.keys(stored.files), ...links, ...Object.keys(originals)]) {
    const unsafe = checkOutputPath(path);
    if (unsafe) return problemAt(path, `its path ${JSON.stringify(path)} ${unsafe}`);
  }
  return {
    files: sorted(new Map(Object.entries(stored.files))),
    originals: sorted(new Map(Object.entries(originals))),
  };
}

/**
 * The entries of both sides of a merge conflict, theirs for files in both; `undefined` without a conflict.
 * Throws on invalid JSON.
 */
function bothSides(text: string): object | undefined {
  const sides = conflictSides(text)?.map(side => JSON.parse(withCommas(side)));
  if (!sides) return undefined;
  const [ours, theirs] = sides;
  const originals = { ...ours.originals, ...theirs.originals };
  return {
    ...theirs,
    files: { ...ours.files, ...theirs.files },
    ...(Object.keys(originals).length > 0 && { originals }),
  };
}

/** Repairs commas, which a line-based merge may duplicate or drop. */
const withCommas = (text: string): string =>
  text.replace(/^( {4}".*[}"])(?=\n {4}")/gm, '$1,').replace(/,\n(?= *\})/g, '\n');

/** Sorts by path (code units), the order of the file. */
export const sorted = <T>(files: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...files].sort(([a], [b]) => compareCodeUnits(a, b)));

/** Combines the shared and the private manifest; files of the private one are marked. */
export function joinManifests(shared: Manifest, own: Manifest): Manifest {
  const files = new Map(shared.files);
  for (const [path, file] of own.files) files.set(path, { ...file, private: true });
  return { files: sorted(files), originals: shared.originals };
}

/** The part of the manifest that belongs to the shared or the private file. */
export function partOf(manifest: Manifest, path: string): Manifest {
  const isPrivate = path === privateManifestPath;
  const originals = isPrivate ? emptyManifest.originals : manifest.originals;
  const files = [...manifest.files].filter(([, file]) => (file.private === true) === isPrivate);
  return { files: new Map(files), originals };
}

export const isEmptyManifest = ({ files, originals }: Manifest): boolean =>
  files.size === 0 && originals.size === 0;

/** Prints the manifest with one line per file, so that branches that change different files can be merged. */
export function printManifest(manifest: Manifest): string {
  const files = [...sorted(manifest.files)].map(([path, file]) => printEntry(path, file));
  const originals = [...sorted(manifest.originals)].map(([path, hash]) => printEntry(path, hash));
  const parts = [
    `  "version": ${currentVersion}`,
    `  "files": ${block(files)}`,
    ...(originals.length > 0 ? [`  "originals": ${block(originals)}`] : []),
  ];
  return `{\n${parts.join(',\n')}\n}\n`;
}

const block = (lines: readonly string[]) => (lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`);

const printEntry = (path: string, value: OwnedFile | string) =>
  `    ${JSON.stringify(path)}: ${JSON.stringify(value, printedFields)}`;

/** The fields of entries and of their keys, in the order in which they are printed. */
const printedFields = [
  ...['targets', 'build', 'kind', 'path', 'sha256', 'executable', 'adopted', 'planned'],
  ...['format', 'keys', 'created', 'links'],
];

/**
 * A content that this machine has written at a path. The manifest is versioned: it forgets files when
 * branches change or are merged, while ignored or kept files may remain on disk. This record does not forget
 * them.
 */
export interface WrittenFile extends Pick<OwnedFile, 'targets' | 'build'> {
  readonly sha256: readonly string[];
}

/** What this machine has written, by path, newest first. */
export type WrittenFiles = ReadonlyMap<string, WrittenFile>;

/** The number of contents that are recorded per path. */
const maxRecordedContents = 16;

/** Reads the record; a damaged one counts as empty, because it only extends the manifest. */
export function parseWrittenFiles(text: string | undefined): Map<string, WrittenFile> {
  const written = new Map<string, WrittenFile>();
  let data: unknown;
  try {
    data = JSON.parse(text ?? '{}');
  } catch {
    return written;
  }
  if (typeof data !== 'object' || data === null) return written;
  for (const [path, file] of Object.entries(data as Record<string, Partial<WrittenFile> | null>)) {
    const hashes: unknown = file?.sha256;
    const isRecord = Array.isArray(file?.targets) && Array.isArray(hashes);
    if (isRecord && hashes.every(hash => typeof hash === 'string')) written.set(path, file as WrittenFile);
  }
  return written;
}

/** The record after a run, as text; `undefined` when it does not change. */
export function formatWrittenFiles(
  written: WrittenFiles,
  entries: readonly { readonly path: string; readonly action: string }[],
  owned: ReadonlyMap<string, OwnedFile>,
): string | undefined {
  const next = new Map(written);
  for (const { path, action } of entries) {
    // An existing equal file was written by somebody else.
    const file = action === 'write' ? owned.get(path) : undefined;
    const known = written.get(path)?.sha256 ?? [];
    if (file?.sha256 === undefined || known[0] === file.sha256) continue;
    const hashes = [file.sha256, ...known.filter(hash => hash !== file.sha256)].slice(0, maxRecordedContents);
    const { targets, build } = file;
    next.set(path, { targets, ...(build !== undefined && { build }), sha256: hashes });
  }
  const isNew = [...next].some(([path, file]) => written.get(path) !== file);
  return isNew ? `${JSON.stringify(Object.fromEntries(sorted(next)))}\n` : undefined;
}

/** Files and folders of the compiler itself. An output there would overwrite its input. */
const ownPlaces = new Set(['.instr', ...configNames, 'instr.lock']);

/** Like `checkRelativePath`, for an output: it must not be among the sources of the project either. */
export function checkOutputPath(path: string): string | undefined {
  const problem = checkRelativePath(path);
  if (problem) return problem;
  const slash = path.indexOf('/');
  const first = pathKey(slash === -1 ? path : path.slice(0, slash));
  if (ownPlaces.has(first)) return `is in ${first}, which contains the sources of the project`;
  return undefined;
}
