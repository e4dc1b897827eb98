import { mainDocument } from '../kinds/document/main-document.ts';
import type { ContentDraft, DocumentDraft, Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { importLine } from '../load/imports.ts';
import { chooseLayout, type Layout } from '../load/layout.ts';
import type { LayoutReader, Present } from '../load/main-files.ts';
import type { DocumentText } from '../model/model.ts';
import { readablePaths } from '../spec/reads.ts';

/** Drafts laid out so that each tool loads the main text once, and what that took. */
export interface LaidOut {
  readonly drafts: readonly Draft[];
  readonly layout: Layout;
}

/**
 * `output.layout: once`: moves the main documents of all targets to the smallest set of files by which each tool
 * loads the text once. A target whose form or place was asked for keeps its own file.
 */
export function layOutOnce(drafts: readonly Draft[]): LaidOut {
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
  const present = new Map<string, Present>();
  for (const draft of drafts) {
    if (draft.kind === 'document' && draft.file.of !== 'instructions') present.set(draft.path, 'other');
    if (isMain(draft) && draft.pinned)
      present.set(draft.path, [...mains.values()].every(main => saysAll(draft, main)) ? 'text' : 'other');
  }
  const common = commonDocuments([...mains.values()]);
  const homes = new Map<DocumentDraft, string>();
  for (const draft of mains.values()) {
    if (draft.documents.every(document => common.has(document))) continue;
    const home = homeOf(draft, readers);
    homes.set(draft, home);
    if (!present.has(home)) present.set(home, 'open');
  }
  const layout = chooseLayout(readers, present);
  const owners = new Map<string, DocumentDraft>();
  for (const draft of mains.values()) if (!owners.has(draft.path)) owners.set(draft.path, draft);
  const laid = drafts.flatMap((draft): Draft[] => {
    if (draft.kind !== 'document' || mains.get(draft.request) !== draft) return [draft];
    return moveMain(draft, layout, owners, common, homes.get(draft) ?? draft.path);
  });
  return { drafts: withoutRepeatedRules(laid), layout };
}

/** A rule that is always read has no file of its own where the main text that its tool loads has it for other tools. */
function withoutRepeatedRules(drafts: readonly Draft[]): Draft[] {
  const inMain = new Map<string, Set<string>>();
  const mainOf = new Map<TargetRequest, string>();
  for (const draft of drafts) {
    if (!isMain(draft)) continue;
    mainOf.set(draft.request, draft.path);
    const listed = inMain.get(draft.path) ?? new Set<string>();
    inMain.set(draft.path, listed);
    for (const { item, path } of [...draft.lists.values()].flat())
      if (path === undefined) listed.add(item.path);
  }
  return drafts.filter(({ request, ...draft }) => {
    if (draft.kind !== 'content' || draft.item?.fields.get('activation') !== 'always') return true;
    return !inMain.get(mainOf.get(request) ?? '')?.has(draft.item.path);
  });
}

/** Whether a file holds all that another main file would say. */
function saysAll(file: DocumentDraft, main: DocumentDraft): boolean {
  return (
    main.documents.length === file.documents.length &&
    main.documents.every(document => file.documents.includes(document)) &&
    [...main.prose].every(key => file.prose.has(key)) &&
    [...main.lists.keys()].every(key => file.lists.has(key))
  );
}

const isMain = (draft: Draft): draft is DocumentDraft =>
  draft.kind === 'document' && draft.file.of === 'instructions';

/** The draft at the file that brings its target the text, and the lines that import it where they are needed. */
function moveMain(
  draft: DocumentDraft,
  layout: Layout,
  owners: ReadonlyMap<string, DocumentDraft>,
  common: ReadonlySet<DocumentText>,
  home: string,
): Draft[] {
  const source = layout.sources.get(draft.request.spec.id) ?? draft.path;
  const file = owners.get(source)?.file ?? mainDocument(source, draft.file);
  const rest = source === home ? [] : draft.documents.filter(document => !common.has(document));
  const documents = draft.documents.filter(document => !rest.includes(document));
  const moved: DocumentDraft = { ...draft, path: source, file, documents };
  const places = [draft.path, ...(draft.request.spec.reads?.places ?? [])];
  const lines = places.flatMap((path): ContentDraft[] => {
    const state = layout.files.get(path);
    if (typeof state !== 'object' || (path === home && rest.length > 0)) return [];
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
  if (rest.length === 0) return [moved, ...lines];
  const own = layout.files.get(home);
  const words: DocumentDraft = {
    ...draft,
    path: home,
    documents: rest,
    prose: new Set(),
    lists: new Map(),
    ...(typeof own === 'object' && { imports: importLine(home, own.imports) }),
  };
  return [moved, words, ...lines];
}

/** Where texts that are for one target stand: where no other one looks, if there is such a place. */
function homeOf({ path, request }: DocumentDraft, readers: readonly LayoutReader[]): string {
  const { reads } = request.spec;
  const others = readers.filter(({ spec }) => spec.id !== request.spec.id);
  const isOpen = (place: string) =>
    others.every(
      ({ own, spec }) => own !== place && !(spec.reads && readablePaths(spec.reads).includes(place)),
    );
  return [path, ...(reads?.places ?? [])].find(isOpen) ?? path;
}

/** Documents that every target wants. */
function commonDocuments([first, ...others]: readonly DocumentDraft[]): ReadonlySet<DocumentText> {
  return new Set(
    (first?.documents ?? []).filter(document => others.every(draft => draft.documents.includes(document))),
  );
}

/** The convention that most targets use: only those can share a text. */
function commonConvention(requests: readonly TargetRequest[]): string | undefined {
  const count = new Map<string, number>();
  for (const { convention } of requests) count.set(convention, (count.get(convention) ?? 0) + 1);
  return [...count].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
}
