import type { Reads } from '../generated/types/target.ts';
import { isFor } from '../kinds/audience.ts';
import type { DocumentDraft, ListedItem } from '../kinds/draft.ts';
import { importLine } from '../load/imports.ts';
import { chooseInPieces, type Layout } from '../load/layout.ts';
import { loadTexts } from '../load/load.ts';
import type { LayoutReader, Present } from '../load/main-files.ts';
import type { DocumentText, Item } from '../model/model.ts';
import { readablePaths } from '../spec/reads.ts';
import type { Pieces } from '../text/pieces.ts';

/** A text or a rule of a main file. */
export type MainPart = DocumentText | Item;

/** Where the main texts stand, and what of them is for some tools only. */
export interface Homes {
  readonly layout: Layout;
  /** The file that brings a target what it shares with others. */
  readonly sourceOf: (draft: DocumentDraft) => string;
  /** The file for what a target does not find there. */
  readonly homeOf: (draft: DocumentDraft) => string;
  /** Parts that stand in such a shared file. */
  readonly held: ReadonlyMap<string, ReadonlySet<MainPart>>;
}

/**
 * Chooses the main files, and beside them a home for what is meant for some of the targets only: a file that the
 * target loads together with the shared one and where, if there is such a place, no other one looks. A target without
 * one has it in the shared file; then no tool needs a second copy. `present` are main files that are there whatever
 * is chosen, `strangers` load models of targets that have no main text; `choose` is asked for each layout. In pieces.
 */
export function* chooseHomes(
  mains: readonly DocumentDraft[],
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, Present>,
  strangers: readonly Reads[],
  choose: typeof chooseInPieces = chooseInPieces,
): Pieces<Homes> {
  const [first, ...others] = mains;
  const common = new Set<MainPart>(
    (first?.documents ?? []).filter(one => others.every(draft => draft.documents.includes(one))),
  );
  const isForAll = ({ item, path }: ListedItem) =>
    path !== undefined || readers.every(({ spec }) => isFor(item.audience, spec));
  const split = mains.filter(
    draft => !(draft.documents.every(one => common.has(one)) && listedIn(draft).every(isForAll)),
  );
  const candidates = new Map(split.map(draft => [draft, placesFor(draft, readers, strangers)]));
  for (;;) {
    const homes = new Map(
      [...candidates].flatMap(([draft, [home]]) => (home === undefined ? [] : [[draft, home]])),
    );
    const kept = new Map(present);
    for (const home of homes.values()) if (!kept.has(home)) kept.set(home, 'open');
    const layout = yield* choose(readers, kept, strangers);
    const sourceOf = (draft: DocumentDraft) => layout.sources.get(draft.request.spec.id) ?? draft.path;
    const homeOf = (draft: DocumentDraft) => homes.get(draft) ?? sourceOf(draft);
    const texts = textsOf(layout, homes.values());
    const wrong = [...homes].filter(([draft, home]) => !isLoaded(draft, [sourceOf(draft), home], texts));
    if (wrong.length === 0) return { layout, sourceOf, homeOf, held: heldIn() };
    for (const [draft] of wrong) candidates.get(draft)!.shift();

    function heldIn(): Map<string, Set<MainPart>> {
      const held = new Map<string, Set<MainPart>>();
      for (const draft of mains) {
        const source = sourceOf(draft);
        const isHome = source === homeOf(draft);
        const items = listedIn(draft).filter(one => isHome || isForAll(one));
        const parts = [
          ...draft.documents.filter(one => isHome || common.has(one)),
          ...items.map(({ item }) => item),
        ];
        held.set(source, new Set([...(held.get(source) ?? []), ...parts]));
      }
      return held;
    }
  }
}

/** The files of a layout as far as loading them goes; each home has words of its own. */
function textsOf({ files }: Layout, homes: Iterable<string>): ReadonlyMap<string, string> {
  const texts = new Map([...homes].map(home => [home, `Words at ${home}.\n`]));
  for (const [path, file] of files)
    texts.set(path, file === 'text' ? 'The text.\n' : `${importLine(path, file.imports)}\n`);
  return texts;
}

function isLoaded(
  { request: { spec } }: DocumentDraft,
  wanted: readonly string[],
  texts: ReadonlyMap<string, string>,
): boolean {
  if (!spec.reads) return true;
  const loaded = loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path);
  return wanted.every(path => !texts.has(path) || loaded.includes(path));
}

/** Candidates for the home of one target: files that no other target reads, then its own main file. */
function placesFor(
  { path, request }: DocumentDraft,
  readers: readonly LayoutReader[],
  strangers: readonly Reads[],
): string[] {
  const { reads } = request.spec;
  const others = readers.filter(({ spec }) => spec.id !== request.spec.id);
  const isOpen = (place: string) =>
    !strangers.some(other => readablePaths(other).includes(place)) &&
    others.every(
      ({ own, spec }) => own !== place && !(spec.reads && readablePaths(spec.reads).includes(place)),
    );
  const open = [path, ...(reads?.places ?? [])].filter(isOpen);
  return [...new Set([...open, path])];
}

/** The items that the lists of a main document name. */
export const listedIn = ({ lists }: DocumentDraft): ListedItem[] => [...lists.values()].flat();
