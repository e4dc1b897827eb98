import type { TargetSpec } from '../generated/types/target.ts';
import { isForTarget } from '../kinds/audience.ts';
import { mainDocument } from '../kinds/document/plan.ts';
import { type DocumentDraft, type Draft, isMain } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { DocumentText } from '../model/model.ts';
import { loadedMainFiles, takesMain } from '../spec/loading/load.ts';
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
 * Writes documents to the main files that they choose: each such file for every target that loads it. A target that loads
 * one for the whole project needs no other main file; the rest of its main file follows the document there,
 * never in a file that is for a folder.
 */
export function placePinned(drafts: readonly Draft[], documents: readonly DocumentText[]): readonly Draft[] {
  const pins = pinsOf(documents);
  if (pins.size === 0) return drafts;
  const placed = new Set<TargetRequest>();
  const replaced = new Map<TargetRequest, Replacement>();
  const result = drafts.flatMap((draft): Draft[] => {
    // The main file of a folder is made of the rules for it.
    if (!isMain(draft) || draft.guards || placed.has(draft.request)) return [draft];
    const { request } = draft;
    const meant = (path: string) =>
      pins.get(path)!.filter(({ audience }) => isForTarget(audience, request.spec));
    const taken = takenPins(request, pins, meant, drafts);
    const loaded = [...pins.keys()].filter(
      path => meant(path).length > 0 && (path === draft.path || taken.has(path)),
    );
    if (loaded.length === 0) return [draft];
    placed.add(request);
    const isWhole = (path: string) => path === draft.path || isMainOfRoot(request.spec, path);
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
        // A text that was there before is kept as it is: without front matter and titles of ours.
        file: mainDocument(path, draft.file.sections && { sections: draft.file.sections }),
        pinned: true,
        documents: path === first ? [...meant(path), ...rest] : meant(path),
        ...(path !== first && { prose: new Set(), lists: new Map() }),
      }),
    );
    return [...own, ...pinned];
  });
  return result.map(draft => withReplacedMain(draft, replaced.get(draft.request)));
}

/** The pinned files that a target loads. What the main file of a folder imports is loaded with it. */
function takenPins(
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

/** Settings of a tool that name its main file name those that are written in its place. */
function withReplacedMain(draft: Draft, main: Replacement | undefined): Draft {
  if (!main || draft.kind !== 'entries' || draft.place === undefined) return draft;
  if (draft.request.spec.files[draft.place]?.kind !== 'settings') return draft;
  const edits = draft.edits.flatMap(edit =>
    edit.kind === 'element' && edit.value === main.from ? main.to.map(value => ({ ...edit, value })) : [edit],
  );
  return { ...draft, edits };
}

/** Whether a tool reads the front matter of a document as it is written: in a file that the document is kept in. */
export function isReadAsWritten(
  { head, into = [] }: DocumentText,
  documents: readonly DocumentText[],
  spec: TargetSpec,
): boolean {
  if (head === undefined) return false;
  const pins = pinsOf(documents);
  return into.some(path => takesMain(spec, path, other => pins.has(other)));
}

/** Whether a main file is about the whole project; files of these names in folders are about their folders. */
const isMainOfRoot = ({ reads, legacy = [] }: TargetSpec, path: string): boolean =>
  (reads !== undefined && readablePaths(reads).includes(path)) || legacy.some(old => old.path === path);
