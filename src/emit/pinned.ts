import type { TargetSpec } from '../generated/types/target.ts';
import { isForTarget } from '../kinds/audience.ts';
import { mainDocument } from '../kinds/document/plan.ts';
import { type DocumentDraft, type Draft, isMain, isMainOfRoot } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { DocumentText } from '../model/model.ts';
import { loadedMainFiles, readsOrReadMain } from '../spec/loading/load.ts';
import { readablePaths } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { plainText } from '../text/traced.ts';

/** Documents that choose a main file (`@use … into "AGENTS.md"`), by that file. */
type Pins = ReadonlyMap<string, readonly DocumentText[]>;

function pinsOf(documents: readonly DocumentText[]): Pins {
  const pins = documents.flatMap(document => (document.into ?? []).map(path => ({ path, document })));
  const groups = [...groupBy(pins, ({ path }) => path)];
  return new Map(groups.map(([path, all]) => [path, all.map(({ document }) => document)]));
}

interface Replacement {
  readonly from: string;
  readonly to: readonly string[];
}

/**
 * Writes documents to the main files that they choose, for every target that loads these. A target that loads
 * such a file for the whole project needs no other main file: the rest of its text follows the document
 * there, but never in a file for a single folder.
 */
export function placePinned(drafts: readonly Draft[], documents: readonly DocumentText[]): readonly Draft[] {
  const pins = pinsOf(documents);
  if (pins.size === 0) return drafts;
  const placed = new Set<TargetRequest>();
  const replaced = new Map<TargetRequest, Replacement>();
  const result = drafts.flatMap((draft): Draft[] => {
    if (!isMainOfRoot(draft) || placed.has(draft.request)) return [draft];
    const { request } = draft;
    const meant = (path: string) =>
      pins.get(path)!.filter(({ audience }) => isForTarget(audience, request.spec));
    const taken = acceptedPins(request, pins, meant, drafts);
    const loaded = [...pins.keys()].filter(
      path => meant(path).length > 0 && (path === draft.path || taken.has(path)),
    );
    if (loaded.length === 0) return [draft];
    placed.add(request);
    const isWhole = (path: string) => path === draft.path || appliesToRoot(request.spec, path);
    const first = loaded.find(path => path === draft.path) ?? loaded.find(isWhole);
    const delivered = new Set(loaded.flatMap(meant));
    const rest = draft.documents.filter(document => !delivered.has(document));
    if (first !== undefined && !loaded.includes(draft.path))
      replaced.set(request, { from: draft.path, to: loaded.filter(isWhole) });
    const own: DocumentDraft[] = first === undefined ? [{ ...draft, documents: rest }] : [];
    const pinned = loaded.map(
      (path): DocumentDraft => ({
        ...draft,
        path,
        // An existing text is kept unchanged: no front matter and titles are added.
        file: mainDocument(path, draft.file.sections),
        pinned: true,
        documents: path === first ? [...meant(path), ...rest] : meant(path),
        ...(path !== first && { prose: new Set(), lists: new Map() }),
      }),
    );
    return [...own, ...pinned];
  });
  return result.map(draft => withReplacedMain(draft, replaced.get(draft.request)));
}

/** The pinned files that a target loads, including those imported by the main file of a folder. */
function acceptedPins(
  request: TargetRequest,
  pins: Pins,
  meant: (path: string) => readonly DocumentText[],
  drafts: readonly Draft[],
): ReadonlySet<string> {
  const documents = drafts.filter((draft): draft is DocumentDraft => draft.kind === 'document');
  const notes = new Set(documents.flatMap(draft => (draft.file.of === 'local' ? [draft.path] : [])));
  const texts = new Map<string, string>();
  for (const { request: other, path, guards } of documents.filter(isMain))
    if (guards && other === request)
      texts.set(path, guards.map(({ fields }) => String(fields.get('content') ?? '')).join('\n'));
  for (const path of pins.keys())
    texts.set(
      path,
      meant(path)
        .map(({ text }) => plainText(text))
        .join('\n'),
    );
  return loadedMainFiles(request.spec, texts, path => notes.has(path));
}

/** Settings that name the main file of the tool are changed to the file that replaces it. */
function withReplacedMain(draft: Draft, main: Replacement | undefined): Draft {
  if (!main || draft.kind !== 'entries' || draft.place === undefined) return draft;
  if (draft.request.spec.files[draft.place]?.kind !== 'settings') return draft;
  const edits = draft.edits.flatMap(edit =>
    edit.kind === 'element' && edit.value === main.from ? main.to.map(value => ({ ...edit, value })) : [edit],
  );
  return { ...draft, edits };
}

/** Whether a tool reads the original front matter of a document: in a file that the document names. */
export function isReadUnchanged(
  { head, into = [] }: DocumentText,
  documents: readonly DocumentText[],
  spec: TargetSpec,
): boolean {
  if (head === undefined) return false;
  const pins = pinsOf(documents);
  return into.some(path => readsOrReadMain(spec, path, other => pins.has(other)));
}

/** Whether a main file applies to the whole project, unlike one in a subfolder. */
const appliesToRoot = ({ reads, legacy = [] }: TargetSpec, path: string): boolean =>
  (reads !== undefined && readablePaths(reads).includes(path)) || legacy.some(old => old.path === path);
