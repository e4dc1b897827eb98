import type { TargetSpec } from '../../generated/types/target.ts';
import { takenMains } from '../../load/taken.ts';
import { compareCode } from '../../text/order.ts';
import { type AdoptedDocument, type AdoptedPart, type NotTaken, noPart } from './adoption.ts';

/** A main file that was found, with its bytes. */
export interface MainFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** It is the main file of a folder below the root. */
  readonly isNested: boolean;
  /** Where the bytes are, when a link leads there. */
  readonly real?: string;
}

/** Says which tools load a main file: by its name, or because another one imports it. */
export function mainReaders(
  mains: readonly Pick<MainFile, 'path' | 'bytes'>[],
  specs: readonly TargetSpec[],
): (path: string) => readonly TargetSpec[] {
  const texts = new Map(mains.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
  const taken = specs.map(spec => ({ spec, paths: takenMains(spec, texts) }));
  return path => taken.flatMap(({ spec, paths }) => (paths.has(path) ? [spec] : []));
}

/**
 * Each distinct text as one document, with the places where it stands. `mains` are all main files, `wanted` those to
 * take; `added` tools have none yet.
 */
export function documentSources(
  wanted: readonly MainFile[],
  mains: readonly MainFile[],
  specs: readonly TargetSpec[],
  added: readonly TargetSpec[],
): AdoptedPart & { readonly documents: readonly AdoptedDocument[] } {
  const left: NotTaken[] = [];
  const readersOf = mainReaders(mains, specs);
  const byText = new Map<string, { file: MainFile; places: string[]; readers: Set<TargetSpec> }>();
  for (const file of wanted) {
    const readers = readersOf(file.path);
    if (readers.length === 0) {
      const reason = 'none of the tools in use reads it beside the others';
      left.push({ path: file.path, specs: [], reason });
      continue;
    }
    const key = Buffer.from(file.bytes).toString('latin1');
    const known = byText.get(key) ?? { file, places: [], readers: new Set() };
    byText.set(key, known);
    if (nameRank(file) < nameRank(known.file)) known.file = file;
    known.places.push(file.path);
    for (const reader of readers) known.readers.add(reader);
  }
  const names = new Set<string>();
  // Of several texts, tools without one get that of the most tools.
  const common = [...byText.values()]
    .filter(({ places }) => places.some(path => !path.slice(1).includes('/') || path.startsWith('.')))
    .sort((a, b) => b.readers.size - a.readers.size)[0]?.file;
  const documents = [...byText.values()].map(
    ({ file, places, readers }): AdoptedDocument => ({
      source: `.instr/documents/${nameFor(file.real ?? file.path, names)}.md`,
      bytes: file.bytes,
      places: [...places].sort(compareCode),
      targets: [...specs.filter(spec => readers.has(spec)), ...(file === common ? added : [])],
    }),
  );
  return {
    ...noPart,
    documents,
    sources: documents.map(({ source, bytes }) => ({ path: source, text: bytes })),
    adopted: documents.flatMap(({ places, source }) => places.map(path => ({ path, source }))),
    left,
  };
}

/** A document is named after the file that people edit, not after a link to it, nor after one that is not shown. */
const nameRank = ({ path, real }: MainFile): number =>
  (real === undefined ? 0 : 2) + (path.startsWith('.') ? 1 : 0);

/**
 * `packages-api-agents` for `packages/api/AGENTS.md`. Names of main files themselves would be read by tools that look
 * for them in every folder.
 */
function nameFor(path: string, taken: Set<string>): string {
  const parts = path.split('/').map(part => part.replace(/^\./, ''));
  const stem = parts.at(-1)!.replace(/\.[^.]+$/, '') || 'main';
  const folders = parts.length > 1 ? parts.slice(0, -1) : ['project'];
  const plain = [...folders, stem]
    .join('-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-');
  let name = plain;
  for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`;
  taken.add(name);
  return name;
}
