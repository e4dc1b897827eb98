import type { TargetSpec } from '../generated/types/target.ts';
import { isFor } from '../kinds/audience.ts';
import { mainDocument } from '../kinds/document/main-document.ts';
import { type Draft, isMain } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { takesMain } from '../load/load.ts';
import { takenMains } from '../load/taken.ts';
import type { DocumentText } from '../model/model.ts';
import { readablePaths } from '../spec/reads.ts';
import { plain } from '../text/traced.ts';

/**
 * Documents that are kept in main files of their own choice (`@use … into "AGENTS.md"`): each such file is written
 * for every target that loads it, and a target that loads one for the whole project needs no other main file. What
 * else a target has to say in its main file follows the document there, never one that is for a folder.
 */
export function placePinned(drafts: readonly Draft[], documents: readonly DocumentText[]): Draft[] {
  const pins = pinnedPaths(documents);
  if (pins.size === 0) return [...drafts];
  const notes = new Set(
    drafts.flatMap(draft => (draft.kind === 'document' && draft.file.of === 'local' ? [draft.path] : [])),
  );
  const placed = new Set<TargetRequest>();
  /** What became of main files that are not written where the spec has them. */
  const instead = new Map<TargetRequest, { readonly from: string; readonly to: readonly string[] }>();
  const result = drafts.flatMap((draft): Draft[] => {
    // The main file of a folder is made of the rules for it.
    if (!isMain(draft) || draft.guards) return [draft];
    const { request } = draft;
    const meant = (path: string) => pins.get(path)!.filter(({ audience }) => isFor(audience, request.spec));
    const texts = new Map([...pins.keys()].map(path => [path, meant(path).map(textOf).join('\n')]));
    // What the main file of a folder imports is loaded with it.
    const taken = takenMains(request.spec, new Map([...textsOfFolders(drafts, request), ...texts]), path =>
      notes.has(path),
    );
    const loaded = [...pins.keys()].filter(
      path => meant(path).length > 0 && (path === draft.path || taken.has(path)),
    );
    if (loaded.length === 0 || placed.has(request)) return [draft];
    placed.add(request);
    const isWhole = (path: string) => path === draft.path || isMainOfRoot(request.spec, path);
    const first = loaded.find(path => path === draft.path) ?? loaded.find(isWhole);
    const delivered = new Set(loaded.flatMap(meant));
    const rest = draft.documents.filter(document => !delivered.has(document));
    const own = first === undefined ? [{ ...draft, documents: rest }] : [];
    if (first !== undefined && !loaded.includes(draft.path))
      instead.set(request, { from: draft.path, to: loaded.filter(isWhole) });
    const places = loaded.map(path => ({
      ...draft,
      path,
      // A text that was there before is kept as it is: without front matter and titles of ours.
      file: mainDocument(path, draft.file.sections && { sections: draft.file.sections }),
      pinned: true,
      documents: path === first ? [...meant(path), ...rest] : meant(path),
      ...(path !== first && { prose: new Set<string>(), lists: new Map() }),
    }));
    return [...own, ...places];
  });
  return result.map(draft => namingOthers(draft, instead.get(draft.request)));
}

/** The main files of folders of a target: what their guards say. */
const textsOfFolders = (drafts: readonly Draft[], request: TargetRequest): [string, string][] =>
  drafts.flatMap((draft): [string, string][] =>
    isMain(draft) && draft.guards && draft.request === request
      ? [[draft.path, draft.guards.map(({ fields }) => String(fields.get('content') ?? '')).join('\n')]]
      : [],
  );

const textOf = ({ text }: DocumentText): string => plain(text);

/** Settings of a tool that list its main file list those that are written in its place. */
function namingOthers(
  draft: Draft,
  main: { readonly from: string; readonly to: readonly string[] } | undefined,
): Draft {
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
  const pins = pinnedPaths(documents);
  return into.some(path => takesMain(spec, path, other => pins.has(other)));
}

/** Whether a main file is about the whole project; files of these names in folders are about their folders. */
const isMainOfRoot = ({ reads, legacy }: TargetSpec, path: string): boolean =>
  (reads !== undefined && readablePaths(reads).includes(path)) ||
  (legacy?.some(old => old.path === path) ?? false);

/** Main files that documents are kept in, in the order of the documents. */
function pinnedPaths(documents: readonly DocumentText[]): ReadonlyMap<string, readonly DocumentText[]> {
  const pins = new Map<string, DocumentText[]>();
  for (const document of documents) {
    for (const path of document.into ?? []) {
      const others = pins.get(path);
      if (others) others.push(document);
      else pins.set(path, [document]);
    }
  }
  return pins;
}
