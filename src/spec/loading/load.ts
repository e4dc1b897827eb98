import type { Reads, TargetSpec } from '../../generated/types/target.ts';
import { scanLines } from '../../text/headings.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { nameOf, parentOf } from '../../text/paths.ts';
import { dirname, join, normalize, relative } from '../../text/posix.ts';
import { filesOfFolder, foldersAtStart, foldersTo, hasReadableName } from '../reads.ts';
import { partOf } from '../spec.ts';
import { chainLimit, cutChain, cutFiles, fileLimit, type Loaded, type LoadedPart } from './limits.ts';

/** The text files of a project as a tool sees them. Paths are relative to the root and `/`-separated. */
export interface ProjectTexts {
  has(path: string): boolean;
  get(path: string): string | undefined;
  /** Whether the path itself is a symlink; absent when there are none. */
  isLink?(path: string): boolean;
}

interface LoadSituation {
  /** Working directory of the session; `''` is the root. */
  readonly at: string;
  /**
   * Files that were read, relative to the root. Some tools load nested main files when a file of the folder
   * is read.
   */
  readonly read: readonly string[];
  /** Further files that are always loaded, such as rules without a condition, in order. */
  readonly always?: readonly string[];
  /** Options of the tool in the configuration; some of them change a limit. */
  readonly options?: ReadonlyMap<string, unknown>;
}

const atRoot: LoadSituation = { at: '', read: [] };

/**
 * The texts that a tool loads as its main instructions, in loading order, by `reads` and `limits` of its
 * spec.
 */
export function loadTexts(spec: TargetSpec, texts: ProjectTexts, situation: LoadSituation = atRoot): Loaded {
  const files = cutFiles(uncutTexts(spec, texts, situation), fileLimit(spec, situation.options));
  return { ...files, ...cutChain(files.parts, chainLimit(spec, situation.options)) };
}

/** The texts of `loadTexts` before limits are applied. */
export function uncutTexts(
  { reads }: Pick<TargetSpec, 'reads'>,
  texts: ProjectTexts,
  situation: LoadSituation,
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
    // Duplicates are detected before imports are expanded.
    const known = parts.some(part => part.text === text && part.importedBy === undefined);
    if (reads.identical === 'once' && !imported && known) return;
    seen.add(path);
    if (!imported) direct.add(path);
    const importedBy = importers.at(-1);
    parts.push({ path, text, ...extra, ...(importedBy !== undefined && { importedBy }) });
    if (!followsImports(reads, path, importers.length)) return;
    for (const target of importsOf(path, text, has).filter(one => loadsImport(reads, one)))
      add(target, extra, [...importers, path]);
  };
  const mainsOf = (folder: string) =>
    filesOfFolder(reads, folder, isMain, isCovered(reads, folder, isMain)).paths;
  const folders = foldersAtStart(reads, situation.at);
  for (const path of folders.flatMap(mainsOf)) add(path, {}, []);
  for (const path of situation.always ?? []) if (has(path)) add(path, {}, []);
  if (reads.nested?.read === true) {
    for (const file of situation.read) {
      const around = foldersTo(parentOf(file));
      for (const folder of reads.nested.readOrder === 'nearest-first' ? around.reverse() : around) {
        if (!folders.includes(folder))
          for (const path of mainsOf(folder)) add(path, { onReadOf: folder }, []);
      }
    }
  }
  return parts;
}

/** Whether the tool loads a main file at the root or in a subfolder. `has` says which files exist. */
export function loadsPath({ reads }: TargetSpec, path: string, has: (path: string) => boolean): boolean {
  if (!reads || !hasReadableName(reads, path)) return false;
  const root = filesOfFolder(reads, '', has, false).paths;
  if (root.includes(path)) return true;
  if (!reads.nested || (reads.nested.read !== true && reads.nested.start === 'root')) return false;
  return foldersTo(parentOf(path))
    .slice(1)
    .some(folder => filesOfFolder(reads, folder, has, isCovered(reads, folder, has)).paths.includes(path));
}

/** Whether the tool loads a main file, or loaded it in the past according to `legacy` of its spec. */
export function readsOrReadMain(spec: TargetSpec, path: string, has: (path: string) => boolean): boolean {
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

/** Whether the tool loads a file that an import line names. */
export const loadsImport = ({ imports }: Reads, path: string): boolean =>
  imports?.skips?.some(ending => path.endsWith(ending)) !== true;

/**
 * Whether this folder or one above contains a file with one of the tool's own names, so that fallback names
 * are ignored.
 */
function isCovered(reads: Reads, folder: string, has: (path: string) => boolean): boolean {
  if (!reads.fallback) return false;
  const above = foldersTo(folder).slice(0, -1);
  return above.some(other => {
    const { paths, standIn } = filesOfFolder(reads, other, has, true);
    return paths.length > 0 && !standIn;
  });
}

/** The main files that a tool loads together in one working directory. */
export interface Chain {
  /** Before limits are applied. */
  readonly whole: readonly LoadedPart[];
  readonly loaded: Loaded;
}

/**
 * What a tool with a limit for the sum of main files loads at the root and in every folder with a main file
 * of its own, the root first. `paths` are the candidates for main files. Folders without text are left out.
 */
export function chainsOf(
  spec: TargetSpec,
  texts: ProjectTexts,
  paths: Iterable<string>,
  options?: ReadonlyMap<string, unknown>,
): readonly Chain[] {
  const limit = chainLimit(spec, options);
  if (!limit) return [];
  const mains = [...paths].filter(path => loadsPath(spec, path, other => texts.has(other)));
  const folders = new Set(mains.flatMap(path => foldersTo(parentOf(path))));
  // For nested files that are loaded on read, any file of the folder triggers them.
  const isRead = spec.reads?.nested?.read === true;
  const chains = ['', ...[...folders].filter(folder => folder !== '').sort(compareCodeUnits)].map(folder =>
    folder !== '' && isRead
      ? uncutTexts(spec, texts, { at: '', read: [`${folder}/file`] })
      : uncutTexts(spec, texts, { at: folder, read: [] }),
  );
  return chains.filter(whole => whole.length > 0).map(whole => ({ whole, loaded: cutChain(whole, limit) }));
}

/**
 * The paths among the texts that a tool loads as main files, directly or by import. `exists` says which other
 * files exist.
 */
export function loadedMainFiles(
  spec: TargetSpec,
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean = () => false,
): ReadonlySet<string> {
  const { reads } = spec;
  const taken = new Set<string>();
  const follow = (path: string, depth: number): void => {
    if (taken.has(path)) return;
    taken.add(path);
    if (!reads || !followsImports(reads, path, depth)) return;
    for (const target of importsOf(path, texts.get(path)!, other => texts.has(other)))
      if (loadsImport(reads, target)) follow(target, depth + 1);
  };
  for (const path of texts.keys())
    if (readsOrReadMain(spec, path, other => texts.has(other) || exists(other))) follow(path, 0);
  return taken;
}

/**
 * A mention such as `@docs/style.md`: at the start of a line or after white space, never inside backticks.
 */
const mention = /(?<=^|\s)@([^\s`]+)/g;
const codeSpan = /(`+)[^`].*?\1(?!`)/g;

/**
 * Paths of existing files that a text imports with `@`, in order, without duplicates, relative to the root.
 */
function importsOf(path: string, text: string, has: (path: string) => boolean): string[] {
  if (!text.includes('@')) return [];
  const found = new Set<string>();
  scanLines(text.split('\n'), line => {
    if (!line.includes('@')) return;
    const plain = line.replace(codeSpan, span => ' '.repeat(span.length));
    for (const [, written] of plain.matchAll(mention)) {
      const target = resolveMention(path, written!, has);
      if (target !== undefined && target !== path) found.add(target);
    }
  });
  return [...found];
}

/** Punctuation at the end of a sentence belongs to a path only when such a file exists. */
function resolveMention(from: string, written: string, has: (path: string) => boolean): string | undefined {
  if (written.startsWith('~') || written.startsWith('/')) return undefined;
  for (const name of [written, written.replace(/[.,;:!?)\]]+$/, '')]) {
    const path = normalize(join(dirname(from), name));
    if (!path.startsWith('../') && has(path)) return path;
  }
  return undefined;
}

/** The line with which a file imports another file in its folder or below. */
export const importLine = (from: string, to: string): string => `@${relative(dirname(from), to)}`;
