import type { TargetSpec } from '../../generated/types/target.ts';
import { takesMain } from '../../load/load.ts';
import { rulesPath } from '../../text/places.ts';
import type { SourceFile } from '../write/write-sources.ts';
import { type Adopted, type AdoptedPart, noPart } from './adoption.ts';
import { type MainFile, mainReaders } from './documents.ts';
import { targetLines, withLines } from './items.ts';

/** Main files of folders below the root as rules for these folders. */
export interface NestedRules extends AdoptedPart {
  /** Those that no rule can hold: with front matter, a folder that is a pattern, or tools that only import them. */
  readonly others: readonly MainFile[];
}

/** Each distinct text of a folder as one rule that comes out in the main file of that folder. `taken` are paths of other rules. */
export function nestedRules(
  nested: readonly MainFile[],
  mains: readonly MainFile[],
  specs: readonly TargetSpec[],
  taken: ReadonlySet<string>,
): NestedRules {
  const rules = new Map<
    string,
    { text: string; folder: string; paths: string[]; readers: Set<TargetSpec> }
  >();
  const others: MainFile[] = [];
  const readersOf = mainReaders(mains, specs);
  const there = new Set(mains.map(({ path }) => path));
  for (const main of nested) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(main.bytes);
    const folder = main.path.slice(0, main.path.lastIndexOf('/'));
    const readers = readersOf(main.path);
    const isImported = readers.some(spec => !takesMain(spec, main.path, path => there.has(path)));
    if (
      readers.length === 0 ||
      isImported ||
      /^\ufeff|^---[ \t]*\r?\n/.test(text) ||
      !isPlainFolder(folder)
    ) {
      others.push(main);
      continue;
    }
    const key = `${folder}\n${text}`;
    const known = rules.get(key) ?? { text, folder, paths: [], readers: new Set() };
    rules.set(key, known);
    known.paths.push(main.path);
    for (const reader of readers) known.readers.add(reader);
  }
  const names = new Set(taken);
  const sources: SourceFile[] = [];
  const adopted: Adopted[] = [];
  for (const { text, folder, paths, readers } of rules.values()) {
    const path = freePath(folder, names, specs.find(spec => readers.has(spec))!.id);
    const globs = `${folder}/**`;
    const lines = [
      `applyTo: ${/^[\w./-]+$/.test(folder) ? globs : JSON.stringify(globs)}`,
      'placement: nested',
      ...targetLines(specs, readers),
    ];
    sources.push({ path, text: withLines(text, lines) });
    adopted.push(...paths.map(original => ({ path: original, source: path })));
  }
  return { ...noPart, sources, adopted, unpinned: adopted.map(({ path }) => path), others };
}

/** Whether a folder can be a glob of itself: letters of any script, and marks that mean nothing in globs. */
const isPlainFolder = (folder: string): boolean => /^[\p{L}\p{N}\p{M}_./ @+-]+$/u.test(folder);

/** `.instr/rules/packages-api.md` for the folder `packages/api`. */
function freePath(folder: string, taken: Set<string>, id: string): string {
  const stem = folder
    .replace(/^\.+/, '')
    .replace(/[^\p{L}\p{N}\p{M}._]+/gu, '-')
    .replace(/^-|-$/g, '');
  const plain = `${rulesPath}/${stem || 'folder'}`;
  let path = `${plain}.md`;
  for (let count = 1; taken.has(path); count++) path = `${plain}-${id}${count > 1 ? `-${count}` : ''}.md`;
  taken.add(path);
  return path;
}
