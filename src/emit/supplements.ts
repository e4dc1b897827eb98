import type { Reads } from '../generated/types/target.ts';
import { isFor } from '../kinds/audience.ts';
import { type DocumentDraft, type ListedItem, listedIn, type MainPart } from '../kinds/draft.ts';
import { importLine } from '../load/imports.ts';
import { chooseInPieces, type Layout } from '../load/layout.ts';
import { loadTexts } from '../load/load.ts';
import type { LayoutReader, Present } from '../load/main-files.ts';
import { readablePaths } from '../spec/reads.ts';
import type { Pieces } from '../text/pieces.ts';

/** Which file brings each target the shared main text, and which one the parts that are for some targets only. */
export interface MainFiles {
  readonly layout: Layout;
  /** The file that brings a target what it shares with others. */
  readonly sharedOf: (draft: DocumentDraft) => string;
  /** The file for what a target does not find there: a supplement, or the shared file itself. */
  readonly supplementOf: (draft: DocumentDraft) => string;
  /** The parts in each shared file. */
  readonly parts: ReadonlyMap<string, ReadonlySet<MainPart>>;
}

/**
 * Chooses the main files of a layout, with a supplement for targets that have parts of their own: a file that the target
 * loads together with the shared one and, where possible, no other tool reads. A target without such a file has its parts
 * in the shared file. `known` has the layouts that were chosen before, because the search is long. `present` are main files that exist in any case, `strangers` load models of targets without main text.
 */
export function* chooseMainFiles(
  mains: readonly DocumentDraft[],
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, Present>,
  strangers: readonly Reads[],
  known: Map<string, Layout>,
): Pieces<MainFiles> {
  const [first, ...others] = mains;
  const isCommon = (part: MainPart) => others.every(({ documents }) => documents.some(one => one === part));
  const common = new Set<MainPart>(first?.documents.filter(isCommon));
  // A list of files is harmless to tools that it is not meant for; a rule in full is not.
  const isForAll = ({ item, path }: ListedItem) =>
    path !== undefined || readers.every(({ spec }) => isFor(item.audience, spec));
  const hasOwnParts = (draft: DocumentDraft) =>
    !draft.documents.every(one => common.has(one)) || !listedIn(draft).every(isForAll);
  const candidates = new Map(
    mains.filter(hasOwnParts).map(draft => [draft, supplementPaths(draft, readers, strangers)]),
  );
  for (;;) {
    const supplements = new Map(
      [...candidates].flatMap(([draft, [path]]) => (path === undefined ? [] : [[draft, path]])),
    );
    const open = [...supplements.values()].filter(path => !present.has(path));
    const files = new Map([...present, ...open.map(path => [path, 'open'] as const)]);
    const key = layoutKey(readers, files, strangers);
    const layout = known.get(key) ?? (yield* chooseInPieces(readers, files, strangers));
    known.set(key, layout);
    const sharedOf = (draft: DocumentDraft) => layout.sources.get(draft.request.spec.id) ?? draft.path;
    const supplementOf = (draft: DocumentDraft) => supplements.get(draft) ?? sharedOf(draft);
    const texts = textsOf(layout, supplements.values());
    const unloaded = [...supplements].filter(
      ([draft, path]) => !areLoaded(draft, [sharedOf(draft), path], texts),
    );
    for (const [draft] of unloaded) candidates.get(draft)!.shift();
    if (unloaded.length > 0) continue;

    const parts = new Map<string, Set<MainPart>>();
    for (const draft of mains) {
      const shared = sharedOf(draft);
      const isWhole = shared === supplementOf(draft);
      const documents = draft.documents.filter(one => isWhole || common.has(one));
      const items = listedIn(draft).flatMap(one => (isWhole || isForAll(one) ? [one.item] : []));
      parts.set(shared, new Set([...(parts.get(shared) ?? []), ...documents, ...items]));
    }
    return { layout, sharedOf, supplementOf, parts };
  }
}

/** Everything that the choice of a layout depends on. */
const layoutKey = (
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, Present>,
  strangers: readonly Reads[],
): string => {
  const facts = readers.map(({ spec, own, ownOnly, plain, needs }) => [spec.id, own, ownOnly, plain, needs]);
  return JSON.stringify([facts, [...present], strangers]);
};

/** The files of a layout as far as loading them goes; each supplement has words of its own. */
function textsOf({ files }: Layout, supplements: Iterable<string>): ReadonlyMap<string, string> {
  const texts = new Map([...supplements].map(path => [path, `Words at ${path}.\n`]));
  for (const [path, file] of files)
    texts.set(path, file === 'text' ? 'The text.\n' : `${importLine(path, file.imports)}\n`);
  return texts;
}

function areLoaded(
  { request: { spec } }: DocumentDraft,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): boolean {
  if (!spec.reads) return true;
  const loaded = loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path);
  return paths.every(path => !texts.has(path) || loaded.includes(path));
}

/** Paths for the supplement of one target, best first: files that no other target reads, then its own main file. */
function supplementPaths(
  { path, request: { spec } }: DocumentDraft,
  readers: readonly LayoutReader[],
  strangers: readonly Reads[],
): string[] {
  const others = readers.filter(reader => reader.spec.id !== spec.id);
  const models = [...strangers, ...others.flatMap(reader => reader.spec.reads ?? [])];
  const isOpen = (place: string) =>
    !models.some(reads => readablePaths(reads).includes(place)) && others.every(({ own }) => own !== place);
  return [...new Set([...[path, ...(spec.reads?.places ?? [])].filter(isOpen), path])];
}
