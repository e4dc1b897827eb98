import { mainDocument } from '../kinds/document/main-document.ts';
import {
  type ContentDraft,
  type DocumentDraft,
  type Draft,
  isMain,
  type ListedItem,
} from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { importLine } from '../load/imports.ts';
import { chooseInPieces, type Layout } from '../load/layout.ts';
import type { LayoutReader, Present } from '../load/main-files.ts';
import { compareCode } from '../text/order.ts';
import type { Pieces } from '../text/pieces.ts';
import { chooseHomes, type Homes } from './homes.ts';

/** Drafts laid out so that each tool loads the main text once, and what that took. */
export interface LaidOut {
  readonly drafts: readonly Draft[];
  readonly layout: Layout;
}

/**
 * `output.layout: once`: moves the main documents of all targets to the smallest set of files by which each tool
 * loads the text once. A target whose form or place was asked for keeps its own file. What stands in no main file of some
 * of the `requests` is kept from them where the others have a place of their own. `known` keeps the layouts of earlier
 * runs for the same requests: hardly any edit asks for another one. In pieces.
 */
export function* layOutOnce(
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
  known: Map<string, Layout>,
): Pieces<LaidOut> {
  const mains = new Map<TargetRequest, DocumentDraft>();
  for (const draft of drafts) {
    if (isMain(draft) && !draft.pinned && !mains.has(draft.request)) mains.set(draft.request, draft);
  }
  const usual = commonConvention([...mains.keys()]);
  const readers = [...mains].map(([request, draft]): LayoutReader => {
    const { spec, output, convention } = request;
    return {
      spec,
      own: draft.path,
      places: spec.reads?.places ?? [],
      ownOnly: output !== undefined || convention !== usual,
      plain: (draft.file.frontmatter ?? []).length === 0,
      // Rules in full are read whatever is worked on; an index of files, or a list of commands, does no harm.
      needs: draft.lists.has('guards') ? ['guards'] : [],
    };
  });
  const withMain = new Set(drafts.filter(isMain).map(({ request }) => request));
  const without = requests.filter(request => !withMain.has(request));
  const strangers = without.flatMap(({ spec }) => spec.reads ?? []);
  const present = new Map<string, Present>();
  for (const draft of drafts) {
    if (draft.kind === 'document' && draft.file.of !== 'instructions') present.set(draft.path, 'other');
    if (isMain(draft) && draft.pinned)
      present.set(draft.path, [...mains.values()].every(main => saysAll(draft, main)) ? 'text' : 'other');
  }
  function* choose(...given: Parameters<typeof chooseInPieces>): Pieces<Layout> {
    const [asked, there] = given;
    const facts = asked.map(({ spec, own, ownOnly, plain, needs }) => [spec.id, own, ownOnly, plain, needs]);
    const key = JSON.stringify([facts, [...there!], without.map(({ spec }) => spec.id)]);
    const layout = known.get(key) ?? (yield* chooseInPieces(...given));
    known.set(key, layout);
    return layout;
  }
  const homes = yield* chooseHomes([...mains.values()], readers, present, strangers, choose);
  const owners = new Map<string, DocumentDraft>();
  for (const draft of mains.values()) if (!owners.has(draft.path)) owners.set(draft.path, draft);
  const laid = drafts.flatMap((draft): Draft[] =>
    draft.kind === 'document' && mains.get(draft.request) === draft
      ? moveMain(draft, homes, owners)
      : [draft],
  );
  return { drafts: withoutRepeatedRules(laid), layout: homes.layout };
}

/**
 * A rule that is always read has no file of its own where a main text that its tool loads has it for other tools: then
 * it stands there for this tool as well.
 */
function withoutRepeatedRules(drafts: readonly Draft[]): Draft[] {
  const listed = new Map<string, Map<string, string>>();
  const mains = new Map<TargetRequest, string[]>();
  for (const draft of drafts) {
    if (!isMain(draft)) continue;
    mains.set(draft.request, [...(mains.get(draft.request) ?? []), draft.path]);
    const items = listed.get(draft.path) ?? new Map<string, string>();
    listed.set(draft.path, items);
    for (const [section, list] of draft.lists)
      for (const { item, path } of list) if (path === undefined) items.set(item.path, section);
  }
  const read = new Map<string, ListedItem[]>();
  const kept = drafts.filter(({ request, ...draft }) => {
    if (draft.kind !== 'content' || draft.item?.fields.get('activation') !== 'always') return true;
    const { item } = draft;
    const main = mains.get(request)?.find(path => listed.get(path)!.has(item.path));
    if (main === undefined) return true;
    const key = readKey(request, main, listed.get(main)!.get(item.path)!);
    read.set(key, [...(read.get(key) ?? []), { item }]);
    return false;
  });
  return kept.map(draft => {
    if (!isMain(draft)) return draft;
    const sections = new Set([...(listed.get(draft.path)?.values() ?? [])]);
    const more = [...sections].flatMap(section => {
      const items = read.get(readKey(draft.request, draft.path, section));
      return items ? [[section, [...(draft.lists.get(section) ?? []), ...items]] as const] : [];
    });
    return more.length === 0 ? draft : { ...draft, lists: new Map([...draft.lists, ...more]) };
  });
}

const readKey = ({ spec }: TargetRequest, path: string, section: string): string =>
  JSON.stringify([spec.id, path, section]);

/** Whether one main file contains everything that another one would. */
function saysAll(file: DocumentDraft, main: DocumentDraft): boolean {
  return (
    main.documents.length === file.documents.length &&
    main.documents.every(document => file.documents.includes(document)) &&
    [...main.prose].every(key => file.prose.has(key)) &&
    [...main.lists.keys()].every(key => file.lists.has(key))
  );
}

/** The draft at the file that brings its target the text, and the lines that import it where they are needed. */
function moveMain(
  draft: DocumentDraft,
  { layout, sourceOf, homeOf, held: everywhere }: Homes,
  owners: ReadonlyMap<string, DocumentDraft>,
): Draft[] {
  const [source, home] = [sourceOf(draft), homeOf(draft)];
  const held = everywhere.get(source)!;
  const file = owners.get(source)?.file ?? mainDocument(source, draft.file);
  const documents = draft.documents.filter(one => held.has(one));
  const lists = listsOf(draft, ({ item }) => held.has(item));
  const own = {
    documents: draft.documents.filter(one => !held.has(one)),
    lists: listsOf(draft, ({ item }) => !held.has(item)),
  };
  const isSplit = own.documents.length > 0 || own.lists.size > 0;
  const moved: DocumentDraft = { ...draft, path: source, file, documents, lists };
  const places = [draft.path, ...(draft.request.spec.reads?.places ?? [])];
  const lines = places.flatMap((path): ContentDraft[] => {
    const state = layout.files.get(path);
    if (typeof state !== 'object' || (path === home && isSplit)) return [];
    return [
      {
        kind: 'content',
        path,
        request: draft.request,
        place: draft.place,
        body: `${importLine(path, state.imports)}\n`,
        format: 'markdown',
        executable: false,
      },
    ];
  });
  if (!isSplit) return [moved, ...lines];
  const state = layout.files.get(home);
  const words: DocumentDraft = {
    ...draft,
    ...own,
    path: home,
    prose: new Set(),
    ...(typeof state === 'object' && { imports: importLine(home, state.imports) }),
  };
  return [moved, words, ...lines];
}

/** The lists of a draft with some of their items; those without any are left out. */
function listsOf({ lists }: DocumentDraft, isIn: (listed: ListedItem) => boolean): DocumentDraft['lists'] {
  const some = [...lists].map(([section, items]) => [section, items.filter(isIn)] as const);
  return new Map(some.filter(([section, items]) => items.length > 0 || lists.get(section)!.length === 0));
}

/** The convention that most targets use: only those can share a text. */
function commonConvention(requests: readonly TargetRequest[]): string | undefined {
  const count = new Map<string, number>();
  for (const { convention } of requests) count.set(convention, (count.get(convention) ?? 0) + 1);
  return [...count].sort(([a, m], [b, n]) => n - m || compareCode(a, b))[0]?.[0];
}
