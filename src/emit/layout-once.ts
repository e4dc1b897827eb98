import type { Reads, TargetSpec } from '../generated/types/target.ts';
import { isForTarget } from '../kinds/audience.ts';
import { mainDocument } from '../kinds/document/plan.ts';
import {
  alwaysRules,
  type ContentDraft,
  type DocumentDraft,
  type Draft,
  isMain,
  type ListedItem,
  listedItemsOf,
  type MainPart,
} from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { chooseLayout, chooseLayoutInSteps, type Layout } from '../spec/loading/layout.ts';
import { importLine, loadTexts } from '../spec/loading/load.ts';
import type { ExistingContent, LayoutReader } from '../spec/loading/main-files.ts';
import { alternatives, filesOfFolder, readablePaths } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { memoizeByObject } from '../text/memo.ts';
import { compareCodeUnits } from '../text/order.ts';
import type { Steps } from '../text/pieces.ts';

/**
 * `output.layout: once`: moves the main documents of all targets to the smallest set of files from which each
 * tool loads the text once. A target with a configured format or path keeps its own file. A tool without a
 * main text should load none.
 */
export function* applyOnceLayout(
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
  known: Map<string, Layout>,
): Steps<{ readonly drafts: readonly Draft[]; readonly layout: Layout }> {
  const all = drafts.filter(isMain);
  const movable = groupBy(
    all.filter(({ pinned }) => !pinned),
    ({ request }) => request,
  );
  const mains = [...movable.values()].map(([first]) => first);
  const convention = commonConvention(mains.map(({ request }) => request));
  const withMain = new Set(all.map(({ request }) => request));
  const idleReads = requests
    .filter(request => !withMain.has(request))
    .flatMap(({ spec }) => spec.reads ?? []);
  const present = new Map<string, ExistingContent>();
  for (const draft of drafts) {
    if (draft.kind !== 'document') continue;
    if (draft.file.of !== 'instructions') present.set(draft.path, 'other');
    else if (draft.pinned)
      present.set(draft.path, mains.every(main => coversAll(draft, main)) ? 'text' : 'other');
  }
  const readers = mains.map(draft => readerOf(draft, convention));
  const files = yield* chooseMainFiles(mains, readers, present, idleReads, known);
  const firstAt = new Map([...mains].reverse().map(draft => [draft.path, draft]));
  const movableMains: ReadonlySet<Draft> = new Set(mains);
  const moved = drafts.flatMap((draft): Draft[] =>
    draft.kind === 'document' && movableMains.has(draft) ? moveMain(draft, files, firstAt) : [draft],
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
  // Rules in full are always loaded by every reader. An index of files, or a list of commands, is harmless.
  needs: lists.has('guards') ? ['guards'] : [],
});

/**
 * Removes the file of an always-loaded rule when its tool also loads the rule in a main text for others. A tool without
 * a main text of its own may load one of them, too.
 */
function withoutRepeatedRules(drafts: readonly Draft[]): Draft[] {
  const sections = new Map<string, string>();
  const mains = drafts.filter(isMain);
  const keyOf = (path: string, rule: string) => `${path}\0${rule}`;
  for (const { path, lists } of mains)
    for (const [section, list] of lists)
      for (const one of list) if (one.path === undefined) sections.set(keyOf(path, one.item.path), section);
  const pathsOf = groupBy(mains, ({ request }) => request);
  const texts = new Map(mains.map(({ path }) => [path, path]));
  const loadedBy = memoizeByObject(({ spec }: TargetRequest) => loadedPaths(spec, texts));
  const rules = alwaysRules(drafts);
  const moved = rules.flatMap(({ draft, rule }) => {
    const main = pathsOf.get(draft.request)?.find(({ path }) => sections.has(keyOf(path, rule.path)));
    return main ? [{ draft, item: rule, main, section: sections.get(keyOf(main.path, rule.path))! }] : [];
  });
  const repeated = rules.filter(
    ({ draft: { request }, rule }) =>
      !pathsOf.has(request) && loadedBy(request).some(path => sections.has(keyOf(path, rule.path))),
  );
  const gone = new Set<Draft>([...moved, ...repeated].map(({ draft }) => draft));
  const added = groupBy(moved, ({ main }) => main);
  return drafts.flatMap(draft => {
    const more = isMain(draft) ? added.get(draft) : undefined;
    if (!more || draft.kind !== 'document') return gone.has(draft) ? [] : [draft];
    const lists = new Map(draft.lists);
    for (const { item, section } of more) lists.set(section, [...(lists.get(section) ?? []), { item }]);
    return [{ ...draft, lists }];
  });
}

const coversAll = (file: DocumentDraft, main: DocumentDraft): boolean =>
  main.documents.length === file.documents.length &&
  main.documents.every(document => file.documents.includes(document)) &&
  [...main.prose].every(key => file.prose.has(key)) &&
  [...main.lists.keys()].every(key => file.lists.has(key));

/** The draft at the file that its target loads, with its supplement and the import lines it needs. */
function moveMain(
  draft: DocumentDraft,
  { layout, sharedOf, supplementOf, parts }: MainFiles,
  firstAt: ReadonlyMap<string, DocumentDraft>,
): Draft[] {
  const [path, supplement] = [sharedOf(draft), supplementOf(draft)];
  const shared = parts.get(path)!;
  const file = firstAt.get(path)?.file ?? mainDocument(path, draft.file.sections);
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

function importLineAt(
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

function filterLists({ lists }: DocumentDraft, isIn: (one: ListedItem) => boolean): DocumentDraft['lists'] {
  const some = [...lists].map(([section, items]) => [section, items.filter(isIn)] as const);
  return new Map(some.filter(([section, items]) => items.length > 0 || lists.get(section)!.length === 0));
}

function commonConvention(requests: readonly TargetRequest[]): string | undefined {
  const groups = [...groupBy(requests, ({ convention }) => convention)];
  return groups.sort(
    ([a, some], [b, others]) => others.length - some.length || compareCodeUnits(a, b),
  )[0]?.[0];
}

/** Which file contains the shared main text for each target, and which one the parts for some only. */
interface MainFiles {
  readonly layout: Layout;
  readonly sharedOf: (draft: DocumentDraft) => string;
  /** The file for parts that are not in the shared file: a supplement, or the shared file itself. */
  readonly supplementOf: (draft: DocumentDraft) => string;
  readonly parts: ReadonlyMap<string, ReadonlySet<MainPart>>;
}

/**
 * Chooses the main files of a layout, with a supplement for targets that have parts of their own: a file that
 * the target loads together with the shared one and that, if possible, no other tool reads. Without such a
 * file the parts are in the shared file. `known` caches earlier choices, because the search takes long.
 * `present` are main files that exist in any case, `idleReads` the load models of targets without a main
 * text.
 */
function* chooseMainFiles(
  mains: readonly DocumentDraft[],
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, ExistingContent>,
  idleReads: readonly Reads[],
  known: Map<string, Layout>,
): Steps<MainFiles> {
  const [first, ...others] = mains;
  const isCommon = (part: MainPart) => others.every(({ documents }) => documents.some(one => one === part));
  const common = new Set<MainPart>(first?.documents.filter(isCommon));
  // A list of files is harmless to other tools; a rule in full is not.
  const isForAll = ({ item, path }: ListedItem) =>
    path !== undefined || readers.every(({ spec }) => isForTarget(item.audience, spec));
  const hasOwnParts = (draft: DocumentDraft) =>
    !draft.documents.every(one => common.has(one)) || !listedItemsOf(draft).every(isForAll);
  const candidates = new Map(
    mains.filter(hasOwnParts).map(draft => [draft, supplementPaths(draft, readers, idleReads)]),
  );
  for (;;) {
    const supplements = new Map(
      [...candidates].flatMap(([draft, [path]]) => (path === undefined ? [] : [[draft, path]])),
    );
    const open = [...supplements.values()].filter(path => !present.has(path));
    const files = new Map([...present, ...open.map(path => [path, 'open'] as const)]);
    const key = layoutKey(readers, files, idleReads);
    const layout = known.get(key) ?? (yield* chooseLayoutInSteps(readers, files, idleReads));
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
      const items = listedItemsOf(draft).flatMap(one => (isWhole || isForAll(one) ? [one.item] : []));
      parts.set(shared, new Set([...(parts.get(shared) ?? []), ...documents, ...items]));
    }
    return { layout, sharedOf, supplementOf, parts };
  }
}

const layoutKey = (
  readers: readonly LayoutReader[],
  present: ReadonlyMap<string, ExistingContent>,
  idleReads: readonly Reads[],
): string => {
  const facts = readers.map(({ spec, own, ownOnly, plain, needs }) => [spec.id, own, ownOnly, plain, needs]);
  return JSON.stringify([facts, [...present], idleReads]);
};

function textsOf({ files }: Layout, supplements: Iterable<string>): ReadonlyMap<string, string> {
  const texts = new Map([...supplements].map(path => [path, `Words at ${path}.\n`]));
  for (const [path, file] of files)
    texts.set(path, file === 'text' ? 'The text.\n' : `${importLine(path, file.imports)}\n`);
  return texts;
}

export const loadedPaths = (spec: TargetSpec, texts: ReadonlyMap<string, string>): string[] =>
  loadTexts(spec, texts).parts.map(({ path }) => path);

function areLoaded(
  { request: { spec } }: DocumentDraft,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): boolean {
  if (!spec.reads) return true;
  const loaded = loadedPaths(spec, texts);
  return paths.every(path => !texts.has(path) || loaded.includes(path));
}

/** Candidates for the supplement of a target: files that no other target reads, then its main file. */
function supplementPaths(
  { path, request: { spec } }: DocumentDraft,
  readers: readonly LayoutReader[],
  idleReads: readonly Reads[],
): string[] {
  const others = readers.filter(reader => reader.spec.id !== spec.id);
  const models = [...idleReads, ...others.flatMap(reader => reader.spec.reads ?? [])];
  const isOpen = (place: string) =>
    !models.some(reads => readablePaths(reads).includes(place)) && others.every(({ own }) => own !== place);
  return [...new Set([...[path, ...(spec.reads?.places ?? [])].filter(isOpen), path])];
}

/**
 * `output.layout: once` below the root: one main file in each folder for all tools that read it, and an
 * import line or a separate file for the others. Files with different rules for different tools are not
 * merged.
 */
export function applyNestedLayout(drafts: readonly Draft[]): Draft[] {
  const paths = new Set(drafts.map(({ path }) => path));
  const nested = drafts.filter(
    (draft): draft is DocumentDraft => draft.kind === 'document' && !!draft.guards,
  );
  const folders = groupBy(nested, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1));
  const moved = new Map<Draft, Draft[]>();
  for (const [folder, all] of folders) {
    const guards = all[0].guards!;
    const isSame = (draft: DocumentDraft) =>
      draft.guards!.length === guards.length &&
      guards.every((guard, index) => guard === draft.guards![index]);
    if (!all.every(isSame)) continue;
    const layout = chooseLayout(all.map(draft => readerIn(draft, paths)));
    for (const draft of all) {
      const source = layout.sources.get(draft.request.spec.id);
      if (source === undefined) continue;
      const own = draft.path.slice(folder.length);
      const path = folder + source;
      const text: DocumentDraft = { ...draft, path, file: { ...draft.file, path } };
      moved.set(draft, [text, ...importLineAt(own, draft, layout.files.get(own), folder)]);
    }
  }
  return drafts.flatMap(draft => moved.get(draft) ?? [draft]);
}

/** The load model of a tool for one folder: its file names below the root. */
function readerIn({ path, request: { spec } }: DocumentDraft, root: ReadonlySet<string>): LayoutReader {
  const { fallback, nested, places: _, ...reads } = spec.reads!;
  const above = filesOfFolder(spec.reads!, '', name => root.has(name), false);
  const isCovered = above.paths.length > 0 && !above.standIn;
  const files = (nested!.files ?? reads.files).filter(
    step => !alternatives(step).some(name => name.includes('/')),
  );
  const inFolder: Reads = { ...reads, files, ...(fallback && !isCovered && { fallback }) };
  const own = path.slice(path.lastIndexOf('/') + 1);
  return { spec: { ...spec, reads: inFolder }, own, places: [], ownOnly: false, plain: true, needs: [] };
}
