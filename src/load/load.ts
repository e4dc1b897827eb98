import type { Limit, Reads, TargetSpec } from '../generated/types/target.ts';
import { partOf } from '../spec/part-of.ts';
import {
  filesOfFolder,
  folderOf,
  foldersAtStart,
  foldersTo,
  hasReadableName,
  nameOf,
  readablePaths,
} from '../spec/reads.ts';
import { importsOf } from './imports.ts';
import { beginningOf, sizeOf, withOption } from './size.ts';

/** The text files of a project as a tool would find them: paths relative to the root, `/`-separated. */
export interface ProjectTexts {
  has(path: string): boolean;
  get(path: string): string | undefined;
  /** Whether the path itself is a symbolic link; absent: none is. */
  isLink?(path: string): boolean;
}

/** A file, or what is left of it after a cut, in the order in which the tool is given it. */
export interface LoadedPart {
  readonly path: string;
  readonly text: string;
  /** The file whose `@` line brought it, when it was imported. */
  readonly importedBy?: string;
  /** Folder whose file it is, when it is only added once a file of that folder was read. */
  readonly onReadOf?: string;
  /** Line at which it begins, when the tool left out the lines above; 1-based. */
  readonly from?: number;
}

/** The first text of a chain that its limit leaves out. */
export interface Cut {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly limit: Limit;
}

/** The texts that a tool loads, in order, with the limit that applies and what it cuts. */
export interface Loaded {
  readonly parts: readonly LoadedPart[];
  /** Size of all parts before any cut, in the unit of the limit. */
  readonly size?: number;
  readonly limit?: Limit;
  readonly cut?: Cut;
}

/** Where a session begins, and what it has read so far. */
export interface Situation {
  /** Folder of the session, `''` for the root. */
  readonly at: string;
  /** Files that were read, relative to the root: nested main files arrive with them in some tools. */
  readonly read: readonly string[];
  /** Further files that are always given, such as rules without a condition: paths in order. */
  readonly always?: readonly string[];
  /** Options of the tool in the configuration: some raise a limit. */
  readonly options?: ReadonlyMap<string, unknown>;
}

/**
 * The texts that a tool loads as its main instructions, in its order: own files, stand-ins, imports, nested
 * files. Sources of the facts are the `reads` and `limits` of its spec.
 */
export function loadTexts(spec: TargetSpec, texts: ProjectTexts, situation: Situation): Loaded {
  const files = cutFiles(wholeTexts(spec, texts, situation), fileLimit(spec, situation.options));
  const chain = cutChain(files.parts, chainLimit(spec, situation.options));
  const cut = chain.cut ?? files.cut;
  return { ...chain, ...(!chain.limit && files.limit && { limit: files.limit }), ...(cut && { cut }) };
}

/** The texts of `loadTexts` before any limit cuts them. */
export function wholeTexts(
  { reads }: TargetSpec,
  texts: ProjectTexts,
  situation: Situation,
): readonly LoadedPart[] {
  if (!reads) return [];
  const has = (path: string) => texts.has(path);
  const { links } = reads;
  const canBeLink = (path: string) => links === undefined || (links !== 'ignored' && !links.includes(path));
  const isMain = (path: string) => has(path) && (canBeLink(path) || texts.isLink?.(path) !== true);
  const parts: LoadedPart[] = [];
  const repeat = reads.imports?.repeat === true;
  const seen = new Set<string>();
  const direct = new Set<string>();
  const add = (path: string, extra: Omit<LoadedPart, 'path' | 'text'>, importers: readonly string[]) => {
    const text = texts.get(path)!;
    const imported = importers.length > 0;
    if (importers.includes(path) || (seen.has(path) && !repeat) || (!imported && direct.has(path))) return;
    // Files are compared before their imports are put in.
    const known = parts.some(part => part.text === text && part.importedBy === undefined);
    if (reads.identical === 'once' && !imported && known) return;
    seen.add(path);
    if (!imported) direct.add(path);
    const importedBy = importers.at(-1);
    parts.push({ path, text, ...extra, ...(importedBy !== undefined && { importedBy }) });
    if (!followsImports(reads, path, importers.length)) return;
    for (const target of importsOf(path, text, has).filter(one => takesImport(reads, one)))
      add(target, extra, [...importers, path]);
  };
  const mainsOf = (folder: string) =>
    filesOfFolder(reads, folder, isMain, isCovered(reads, folder, isMain)).paths;
  const folders = foldersAtStart(reads, situation.at);
  for (const path of inGroups(reads, folders, mainsOf)) add(path, {}, []);
  for (const path of situation.always ?? []) if (has(path)) add(path, {}, []);
  if (reads.nested?.read === true) {
    for (const file of situation.read) {
      const around = foldersTo(folderOf(file));
      for (const folder of reads.nested.readOrder === 'nearest-first' ? around.reverse() : around) {
        if (!folders.includes(folder))
          for (const path of mainsOf(folder)) add(path, { onReadOf: folder }, []);
      }
    }
  }
  return parts;
}

/** The main files of several folders, folder by folder or name by name. */
function inGroups(
  reads: Reads,
  folders: readonly string[],
  mainsOf: (folder: string) => readonly string[],
): readonly string[] {
  const found = folders.flatMap(folder =>
    mainsOf(folder).map(path => ({ path, name: folder === '' ? path : path.slice(folder.length + 1) })),
  );
  if (reads.nested?.grouped === 'name') {
    const names = readablePaths(reads);
    found.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  }
  return found.map(({ path }) => path);
}

/**
 * Whether the tool loads a main file, at the root or in a folder below it. `has` answers for the existing ones.
 */
export function loadsPath({ reads }: TargetSpec, path: string, has: (path: string) => boolean): boolean {
  if (!reads || !hasReadableName(reads, path)) return false;
  const root = filesOfFolder(reads, '', has, false).paths;
  if (root.includes(path)) return true;
  if (!reads.nested || (reads.nested.read !== true && reads.nested.start === 'root')) return false;
  return foldersTo(folderOf(path))
    .slice(1)
    .some(folder => filesOfFolder(reads, folder, has, isCovered(reads, folder, has)).paths.includes(path));
}

/** Whether the tool loads a main file, or loaded it formerly according to `legacy` of the spec. */
export function takesMain(spec: TargetSpec, path: string, has: (path: string) => boolean): boolean {
  if (loadsPath(spec, path, has)) return true;
  return (spec.legacy ?? []).some(({ path: old, as }) => {
    const file = as === undefined ? undefined : spec.files[as];
    return old === path && file !== undefined && partOf(file) === 'instructions';
  });
}

/** Whether the tool follows `@` lines in a file that is `depth` imports below a main file. */
export function followsImports({ imports }: Reads, path: string, depth: number): boolean {
  if (!imports || depth >= imports.depth) return false;
  return depth > 0 || imports.in === undefined || imports.in.includes(nameOf(path));
}

/** Whether the tool brings a file that such a line names. */
export const takesImport = ({ imports }: Reads, path: string): boolean =>
  imports?.skips?.some(ending => path.endsWith(ending)) !== true;

/** A folder above, or the folder itself, holds one of the tool's own names, so that no stand-in is taken. */
function isCovered(reads: Reads, folder: string, has: (path: string) => boolean): boolean {
  if (!reads.otherwise) return false;
  const above = foldersTo(folder).slice(0, -1);
  return above.some(other => {
    const { paths, standIn } = filesOfFolder(reads, other, has, true);
    return paths.length > 0 && !standIn;
  });
}

/** Cuts each text at the limit of one file. */
function cutFiles(parts: readonly LoadedPart[], limit: Limit | undefined): Loaded {
  if (!limit) return { parts };
  let cut: Cut | undefined;
  const { max, unit, tail = 0 } = limit;
  const kept = parts.flatMap(part => {
    const size = sizeOf(part.text, unit);
    if (size <= max) return [part];
    const text = beginningOf(part.text, max - tail, unit);
    cut ??= { path: part.path, line: text.split('\n').length, limit };
    if (tail === 0) return [{ ...part, text }];
    const without = beginningOf(part.text, size - tail, unit);
    const from = without.split('\n').length;
    return [
      { ...part, text },
      { ...part, text: part.text.slice(without.length), from },
    ];
  });
  return { parts: kept, limit, ...(cut && { cut }) };
}

/** The limit for all main files together beyond which the tool leaves something out, as the options set it. */
export const chainLimit = (spec: TargetSpec, options?: ReadonlyMap<string, unknown>): Limit | undefined =>
  mainLimit(spec, options, ({ scope, then }) => scope === 'total' && then !== 'advice');

/** The limit for each main file by itself beyond which the tool leaves its end out. */
const fileLimit = (spec: TargetSpec, options?: ReadonlyMap<string, unknown>): Limit | undefined =>
  mainLimit(spec, options, ({ scope, then }) => scope !== 'total' && then === 'cut');

function mainLimit(
  { files, limits }: TargetSpec,
  options: ReadonlyMap<string, unknown> | undefined,
  isWanted: (limit: Limit) => boolean,
): Limit | undefined {
  const limit = limits?.find(one => {
    const main = files[one.file];
    return main && 'of' in main && main.of === 'instructions' && one.field === undefined && isWanted(one);
  });
  return limit && withOption(limit, options);
}

/** Cuts the chain at the limit of its sum; what lies beyond is left out. */
export function cutChain(parts: readonly LoadedPart[], limit: Limit | undefined): Loaded {
  if (!limit) return { parts };
  const size = parts.reduce((sum, { text }) => sum + sizeOf(text, limit.unit), 0);
  if (limit.then !== 'cut' || size <= limit.max) return { parts, size, limit };
  let left = limit.max;
  const kept: LoadedPart[] = [];
  let cut: Cut | undefined;
  for (const part of parts) {
    const own = sizeOf(part.text, limit.unit);
    if (own > left) {
      const text = beginningOf(part.text, left, limit.unit);
      cut ??= { path: part.path, line: text.split('\n').length, limit };
      if (text !== '') kept.push({ ...part, text });
      left = 0;
      continue;
    }
    left -= own;
    kept.push(part);
  }
  return { parts: kept, size, limit, ...(cut && { cut }) };
}
