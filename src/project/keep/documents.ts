import type { TargetSpec } from '../../generated/types/target.ts';
import { takenMains } from '../../load/taken.ts';
import { perObject } from '../../text/memo.ts';
import { compareCode } from '../../text/order.ts';
import type { KeptDocument, Reading } from './keeping.ts';

/** A main file that was found, with its bytes. */
export interface MainFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Where the bytes are, when a link leads there. */
  readonly real?: string;
}

/** The tools that load one of the main files, as they stand: by its name, or because another one imports it. */
export function readersOf(
  path: string,
  mains: readonly MainFile[],
  specs: readonly TargetSpec[],
): TargetSpec[] {
  const texts = textsOf(mains);
  return specs.filter(spec => takenIn(spec, texts).has(path));
}

const textsOf = perObject(
  (mains: readonly MainFile[]) =>
    new Map(mains.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])),
);

const takenOf = perObject(
  (_texts: ReadonlyMap<string, string>) => new Map<TargetSpec, ReadonlySet<string>>(),
);

function takenIn(spec: TargetSpec, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const known = takenOf(texts).get(spec) ?? takenMains(spec, texts);
  takenOf(texts).set(spec, known);
  return known;
}

/** Each distinct text as one document, pinned to the places where it stood. `mains` are all, `wanted` those to take; `added` tools have none yet. */
export function documentsOf(
  wanted: readonly MainFile[],
  mains: readonly MainFile[],
  specs: readonly TargetSpec[],
  added: readonly TargetSpec[],
): { readonly documents: readonly KeptDocument[]; readonly unread: readonly Reading[] } {
  const unread: Reading[] = [];
  const byText = new Map<string, { file: MainFile; places: string[]; readers: Set<TargetSpec> }>();
  for (const file of wanted) {
    const readers = readersOf(file.path, mains, specs);
    if (readers.length === 0) {
      unread.push({
        path: file.path,
        specs: [],
        reason: 'none of the tools in use reads it beside the others',
      });
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
  const documents = [...byText.values()].map(({ file, places, readers }): KeptDocument => {
    const source = `.instr/documents/${nameFor(file.real ?? file.path, names)}.md`;
    return {
      source,
      bytes: file.bytes,
      places: [...places].sort(compareCode),
      targets: [...specs.filter(spec => readers.has(spec)), ...(file === common ? added : [])],
    };
  });
  return { documents, unread };
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
