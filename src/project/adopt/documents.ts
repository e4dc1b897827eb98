import type { TargetSpec } from '../../generated/types/target.ts';
import { loadedMainFiles, readsOrReadMain } from '../../spec/loading/load.ts';
import { unusedName } from '../../text/free-name.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { fileStem, parentOf } from '../../text/paths.ts';
import { rulesPath } from '../../text/places.ts';
import type { AdoptedDocument, AdoptedParts } from './adoption.ts';
import { placeLines, withLines } from './items.ts';

export interface MainFile {
  readonly path: string;
  /** With the byte order mark of the file. */
  readonly text: string;
  /** It is the main file of a folder below the root. */
  readonly isNested: boolean;
  /** The path of the content, when it is reached through a link. */
  readonly real?: string;
}

/** Returns which tools load a main file: by its name, or through an import of another main file. */
export function mainReaders(
  mains: readonly Pick<MainFile, 'path' | 'text'>[],
  specs: readonly TargetSpec[],
): (path: string) => readonly TargetSpec[] {
  const texts = new Map(mains.map(({ path, text }) => [path, text.replace(/^\ufeff/, '')]));
  const taken = specs.map(spec => ({ spec, paths: loadedMainFiles(spec, texts) }));
  return path => taken.flatMap(({ spec, paths }) => (paths.has(path) ? [spec] : []));
}

interface MainText {
  file: MainFile;
  readonly paths: string[];
  readonly readers: Set<TargetSpec>;
}

/**
 * Each distinct text of a folder below the root becomes one rule, written to the main file of that folder, unless its
 * path is `pinned` or a rule cannot hold it: it has front matter, its folder name is a glob, or tools only import it.
 * All other texts become documents with the paths where they were found. `added` tools have no files yet; `taken` are
 * paths of other sources.
 */
export function mainSources(
  mains: readonly MainFile[],
  specs: readonly TargetSpec[],
  added: readonly TargetSpec[],
  pinned: ReadonlySet<string>,
  taken: Iterable<string>,
  parts: AdoptedParts,
): AdoptedDocument[] {
  const readersOf = mainReaders(mains, specs);
  const present = new Set(mains.map(({ path }) => path));
  const rules = new Map<string, MainText>();
  const texts = new Map<string, MainText>();
  for (const file of mains) {
    const { path } = file;
    const readers = readersOf(path);
    const isImported = () => readers.some(spec => !readsOrReadMain(spec, path, other => present.has(other)));
    if (readers.length === 0) {
      const reason = 'none of the tools in use reads it in addition to the others';
      parts.left.push({ path, specs: [], reason });
    } else if (file.isNested && !pinned.has(path) && mayBeRule(file) && !isImported())
      collect(rules, `${parentOf(path)}\n${file.text}`, file, readers);
    else collect(texts, file.text, file, readers);
  }
  const documents = documentsOf([...texts.values()], specs, added);
  for (const { source, text, places } of documents) {
    parts.sources.push({ path: source, text });
    parts.adopted.push(...places.map(path => ({ path, source })));
  }
  addRules([...rules.values()], specs, new Set(taken), parts);
  return documents;
}

function collect(
  texts: Map<string, MainText>,
  key: string,
  file: MainFile,
  readers: readonly TargetSpec[],
): void {
  const known = texts.get(key) ?? { file, paths: [], readers: new Set() };
  texts.set(key, known);
  if (nameRank(file) < nameRank(known.file)) known.file = file;
  known.paths.push(file.path);
  for (const reader of readers) known.readers.add(reader);
}

/** A document is named after the file that people edit, not after a link to it or a hidden file. */
const nameRank = ({ path, real }: MainFile): number =>
  (real === undefined ? 0 : 2) + (path.startsWith('.') ? 1 : 0);

/**
 * The folder name can be used as a glob: it has only letters of any script, and characters without a meaning in
 * globs.
 */
const mayBeRule = (file: MainFile): boolean =>
  !/^\ufeff|^---[ \t]*\r?\n/.test(file.text) && /^[\p{L}\p{N}\p{M}_./ @+-]+$/u.test(parentOf(file.path));

function documentsOf(
  texts: readonly MainText[],
  specs: readonly TargetSpec[],
  added: readonly TargetSpec[],
): AdoptedDocument[] {
  const names = new Set<string>();
  // If there are several texts, tools without a text get the one that most tools have.
  const common = texts
    .filter(({ paths }) => paths.some(path => !path.slice(1).includes('/') || path.startsWith('.')))
    .sort((a, b) => b.readers.size - a.readers.size)[0];
  return texts.map(text => {
    const { file, paths, readers } = text;
    const name = unusedName(documentName(file.real ?? file.path), free => names.has(free));
    names.add(name);
    return {
      source: `.instr/documents/${name}.md`,
      text: file.text,
      places: [...paths].sort(compareCodeUnits),
      targets: [...specs.filter(spec => readers.has(spec)), ...(text === common ? added : [])],
    };
  });
}

/**
 * `packages-api-agents` for `packages/api/AGENTS.md`. A name of a main file would be read by tools that look for it
 * in every folder.
 */
function documentName(path: string): string {
  const parts = path.split('/').map(part => part.replace(/^\./, ''));
  const stem = parts.at(-1)!.replace(/\.[^.]+$/, '') || 'main';
  const folders = parts.length > 1 ? parts.slice(0, -1) : ['project'];
  return fileStem([...folders, stem].join('-'), 'main');
}

function addRules(
  rules: readonly MainText[],
  specs: readonly TargetSpec[],
  taken: Set<string>,
  parts: AdoptedParts,
): void {
  for (const { file, paths, readers } of rules) {
    const folder = parentOf(file.path);
    const stem = `${rulesPath}/${fileStem(folder, 'folder')}`;
    const { id } = specs.find(spec => readers.has(spec))!;
    const source = unusedName(
      `${stem}.md`,
      path => taken.has(path),
      number => `${stem}-${id}${number > 2 ? `-${number - 1}` : ''}.md`,
    );
    taken.add(source);
    const globs = `${folder}/**`;
    const lines = [
      `applyTo: ${/^[\w./-]+$/.test(folder) ? globs : JSON.stringify(globs)}`,
      'placement: nested',
      ...placeLines(specs, readers),
    ];
    parts.sources.push({ path: source, text: withLines(file.text, lines) });
    parts.adopted.push(...paths.map(path => ({ path, source, mayPin: true })));
  }
}
