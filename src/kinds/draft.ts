import type { DocumentFile } from '../generated/types/target.ts';
import type { DocumentText, Item, Text } from '../model/model.ts';
import { partOf } from '../spec/spec.ts';
import { compareCodeUnits } from '../text/order.ts';
import { pathKey } from '../text/portable-path.ts';
import type { ImpliedKey, KeyEdit, SharedFile, WholeFile } from './output.ts';
import type { TargetRequest } from './request.ts';
import type { FrontMatterRow } from './write/rows.ts';

/** The output of one target at one path, before the drafts of targets that share the path are merged. */
export type Draft = DocumentDraft | ContentDraft | EntriesDraft;

interface DraftBase {
  readonly path: string;
  readonly request: TargetRequest;
  /** Name of the entry in `files` of the spec; absent for fallbacks. */
  readonly place: string | undefined;
}

/** A prose document, rendered once for all targets with the same layout. */
export interface DocumentDraft extends DraftBase {
  readonly kind: 'document';
  readonly file: DocumentFile;
  /** Rules of the folder that contains the file, as its whole text. */
  readonly guards?: readonly Item[];
  /** The main file that an import line at the top names. */
  readonly imports?: string;
  /** Whether a document chose this path, so that no layout moves it. */
  readonly pinned?: boolean;
  /** Texts that come first and are output unchanged. */
  readonly documents: readonly DocumentText[];
  /** Keys of the sections whose prose this target needs. */
  readonly prose: ReadonlySet<string>;
  /** Section key to the items that it lists, because they have no place of their own. */
  readonly lists: ReadonlyMap<string, readonly ListedItem[]>;
}

export const isMain = (draft: Draft): draft is DocumentDraft =>
  draft.kind === 'document' && draft.file.of === 'instructions';

/** Whether it is a main file for the whole project; that of a folder contains only the rules for the folder. */
export const isMainOfRoot = (draft: Draft): draft is DocumentDraft => isMain(draft) && !draft.guards;

export const itemOf = (draft: Draft): Item | undefined =>
  draft.kind === 'content' && draft.resource === undefined ? draft.item : undefined;

/** The part of the program that the place of a draft contains. */
export function partOfDraft({ place, request }: Draft): string | undefined {
  const file = place === undefined ? undefined : request.spec.files[place];
  return file && partOf(file);
}

/** The rules that a tool always loads from files of their own. */
export const alwaysRules = (drafts: readonly Draft[]): { readonly draft: Draft; readonly rule: Item }[] =>
  drafts.flatMap(draft => {
    const item = itemOf(draft);
    return item?.fields.get('activation') === 'always' ? [{ draft, rule: item }] : [];
  });

/** An item in a section of a document. */
export interface ListedItem {
  readonly item: Item;
  /** Path of the item's own file, when it has one. */
  readonly path?: string;
}

export type MainPart = DocumentText | Item;

export const listedItemsOf = ({ lists }: DocumentDraft): ListedItem[] => [...lists.values()].flat();

/** A whole file with its content. Front matter rows of several targets are merged by key. */
export interface ContentDraft extends DraftBase {
  readonly kind: 'content';
  /** The item it is made from; absent for scripts, which are made from several items. */
  readonly item?: Item;
  /** The further file of the item that it is; absent for the item's own file. */
  readonly resource?: string;
  /** Whether it is one of several parts of the file. */
  readonly headed?: true;
  readonly rows?: readonly FrontMatterRow[];
  /** Keys that its front matter does not have and that say nothing. */
  readonly implied?: readonly ImpliedKey[];
  /** Another body that says the same. */
  readonly plain?: string;
  readonly body: Text | Exclude<WholeFile['content'], string>;
  readonly format: WholeFile['format'];
  /** Origins of the keys of a structured file, when requested. */
  readonly keys?: readonly KeyEdit[];
  readonly executable: boolean;
}

/** Changes of keys in a structured file that the user owns. */
export interface EntriesDraft extends DraftBase {
  readonly kind: 'entries';
  readonly format: SharedFile['format'];
  readonly edits: readonly KeyEdit[];
  readonly private: boolean;
}

/** The key of drafts of one file: some file systems ignore case and Unicode normalization. */
export const foldedPath = ({ path }: Draft): string => pathKey(path);

/** Sorts drafts by target id, so that the order in the configuration does not affect the output. */
export const byTarget = <D extends Draft>(drafts: readonly [D, ...D[]]): readonly [D, ...D[]] =>
  ([...drafts] as [D, ...D[]]).sort((a, b) => compareCodeUnits(a.request.spec.id, b.request.spec.id));
