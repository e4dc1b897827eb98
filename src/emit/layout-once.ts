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
import type { Layout } from '../load/layout.ts';
import type { LayoutReader, Present } from '../load/main-files.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import type { Pieces } from '../text/pieces.ts';
import { chooseMainFiles, type MainFiles } from './supplements.ts';

/**
 * `output.layout: once`: moves the main documents of all targets to the smallest set of files by which each tool loads the
 * text once. A target whose form or place is configured keeps its own file. A tool without a main text is to load none.
 */
export function* layOutOnce(
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
  known: Map<string, Layout>,
): Pieces<{ readonly drafts: readonly Draft[]; readonly layout: Layout }> {
  const all = drafts.filter(isMain);
  const movable = groupBy(
    all.filter(({ pinned }) => !pinned),
    ({ request }) => request,
  );
  const mains = [...movable.values()].map(([first]) => first);
  const convention = commonConvention(mains.map(({ request }) => request));
  const withMain = new Set(all.map(({ request }) => request));
  const strangers = requests
    .filter(request => !withMain.has(request))
    .flatMap(({ spec }) => spec.reads ?? []);
  const present = new Map<string, Present>();
  for (const draft of drafts) {
    if (draft.kind !== 'document') continue;
    if (draft.file.of !== 'instructions') present.set(draft.path, 'other');
    else if (draft.pinned)
      present.set(draft.path, mains.every(main => saysAll(draft, main)) ? 'text' : 'other');
  }
  const readers = mains.map(draft => readerOf(draft, convention));
  const files = yield* chooseMainFiles(mains, readers, present, strangers, known);
  const firstAt = new Map([...mains].reverse().map(draft => [draft.path, draft]));
  const moved = drafts.flatMap((draft): Draft[] =>
    draft.kind === 'document' && mains.includes(draft) ? moveMain(draft, files, firstAt) : [draft],
  );
  return { drafts: withoutRepeatedRules(moved), layout: files.layout };
}

const readerOf = (
  { request: { spec, ...request }, path, file, lists }: DocumentDraft,
  convention: string | undefined,
): LayoutReader => ({
  spec,
  own: path,
  places: spec.reads?.places ?? [],
  ownOnly: request.output !== undefined || request.convention !== convention,
  plain: (file.frontmatter ?? []).length === 0,
  // Rules in full are always read. An index of files, or a list of commands, is harmless.
  needs: lists.has('guards') ? ['guards'] : [],
});

/**
 * Removes the file of a rule that is always read where a main text that its tool loads has the rule for other tools: then
 * the main text has it for this tool as well.
 */
function withoutRepeatedRules(drafts: readonly Draft[]): Draft[] {
  const sections = new Map<string, string>();
  const mains = drafts.filter(isMain);
  const keyOf = (path: string, rule: string) => `${path}\0${rule}`;
  for (const { path, lists } of mains)
    for (const [section, list] of lists)
      for (const one of list) if (one.path === undefined) sections.set(keyOf(path, one.item.path), section);
  const pathsOf = groupBy(mains, ({ request }) => request);
  const moved = drafts.flatMap(draft => {
    if (draft.kind !== 'content' || draft.item?.fields.get('activation') !== 'always') return [];
    const { item } = draft;
    const main = pathsOf.get(draft.request)?.find(({ path }) => sections.has(keyOf(path, item.path)));
    return main ? [{ draft, main, section: sections.get(keyOf(main.path, item.path))! }] : [];
  });
  const gone = new Set<Draft>(moved.map(({ draft }) => draft));
  const added = groupBy(moved, ({ main }) => main);
  return drafts.flatMap(draft => {
    const more = isMain(draft) ? added.get(draft) : undefined;
    if (!more || draft.kind !== 'document') return gone.has(draft) ? [] : [draft];
    const lists = new Map(draft.lists);
    for (const { draft: rule, section } of more)
      lists.set(section, [...(lists.get(section) ?? []), { item: rule.item! }]);
    return [{ ...draft, lists }];
  });
}

/** Whether one main file contains everything that another one would. */
const saysAll = (file: DocumentDraft, main: DocumentDraft): boolean =>
  main.documents.length === file.documents.length &&
  main.documents.every(document => file.documents.includes(document)) &&
  [...main.prose].every(key => file.prose.has(key)) &&
  [...main.lists.keys()].every(key => file.lists.has(key));

/** The draft at the file that brings its target the text, with its supplement and the import lines that it needs. */
function moveMain(
  draft: DocumentDraft,
  { layout, sharedOf, supplementOf, parts }: MainFiles,
  firstAt: ReadonlyMap<string, DocumentDraft>,
): Draft[] {
  const [path, supplement] = [sharedOf(draft), supplementOf(draft)];
  const shared = parts.get(path)!;
  const file = firstAt.get(path)?.file ?? mainDocument(path, draft.file);
  const documents = draft.documents.filter(one => shared.has(one));
  const moved = { ...draft, path, file, documents, lists: filterLists(draft, one => shared.has(one.item)) };
  const own = {
    documents: draft.documents.filter(one => !shared.has(one)),
    lists: filterLists(draft, one => !shared.has(one.item)),
  };
  const isSplit = own.documents.length > 0 || own.lists.size > 0;
  const lines = [draft.path, ...(draft.request.spec.reads?.places ?? [])].flatMap(at =>
    isSplit && at === supplement ? [] : importLineAt(at, draft, layout.files.get(at)),
  );
  if (!isSplit) return [moved, ...lines];
  const state = layout.files.get(supplement);
  const imports = typeof state === 'object' && { imports: importLine(supplement, state.imports) };
  return [moved, { ...draft, ...own, path: supplement, prose: new Set<string>(), ...imports }, ...lines];
}

/** The file with a line that imports a main text for a target, where the layout has one. */
export function importLineAt(
  path: string,
  { request, place }: DocumentDraft,
  state: 'text' | { readonly imports: string } | undefined,
  folder = '',
): ContentDraft[] {
  if (typeof state !== 'object') return [];
  const body = `${importLine(path, state.imports)}\n`;
  return [
    { kind: 'content', path: folder + path, request, place, body, format: 'markdown', executable: false },
  ];
}

/** The lists of a draft with some of their items; those that lose all items are left out. */
function filterLists({ lists }: DocumentDraft, isIn: (one: ListedItem) => boolean): DocumentDraft['lists'] {
  const some = [...lists].map(([section, items]) => [section, items.filter(isIn)] as const);
  return new Map(some.filter(([section, items]) => items.length > 0 || lists.get(section)!.length === 0));
}

/** The convention that most targets use: only those can share a text. */
function commonConvention(requests: readonly TargetRequest[]): string | undefined {
  const groups = [...groupBy(requests, ({ convention }) => convention)];
  return groups.sort(([a, some], [b, others]) => others.length - some.length || compareCode(a, b))[0]?.[0];
}
