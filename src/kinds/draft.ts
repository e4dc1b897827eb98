import type { DocumentFile } from '../generated/types/target.ts';
import type { DocumentText, Item, Text } from '../model/model.ts';
import { compareCode } from '../text/order.ts';
import { pathKey } from '../text/portable-path.ts';
import type { KeyEdit, SharedFile, WholeFile } from './output.ts';
import type { TargetRequest } from './request.ts';
import type { FrontMatterRow } from './write/rows.ts';

/** What one target wants at one path, before the drafts of targets that share the path are merged. */
export type Draft = DocumentDraft | ContentDraft | EntriesDraft;

interface DraftBase {
  readonly path: string;
  readonly request: TargetRequest;
  /** Name of the entry in the spec's `files`; fallbacks have none. */
  readonly place: string | undefined;
}

/** A prose document; rendered once for all targets that want the same one. */
export interface DocumentDraft extends DraftBase {
  readonly kind: 'document';
  readonly file: DocumentFile;
  /** Rules of the folder that the file lies in, as its whole text. */
  readonly guards?: readonly Item[];
  /** The other main file that an import line at the top names. */
  readonly imports?: string;
  /** A document chose this path, so no layout moves it. */
  readonly pinned?: boolean;
  /** Texts that come first and stay as they are. */
  readonly documents: readonly DocumentText[];
  /** Section keys whose prose this target wants. */
  readonly prose: ReadonlySet<string>;
  /** Section key to the items it lists, because they have no place of their own. */
  readonly lists: ReadonlyMap<string, readonly ListedItem[]>;
}

/** Whether a draft is a main document. */
export const isMain = (draft: Draft): draft is DocumentDraft =>
  draft.kind === 'document' && draft.file.of === 'instructions';

/** An item in a section of a document. */
export interface ListedItem {
  readonly item: Item;
  /** Path of the item's own file, when it has one. */
  readonly path?: string;
}

/** A text or a rule of a main document. */
export type MainPart = DocumentText | Item;

/** The items that the lists of a main document name. */
export const listedIn = ({ lists }: DocumentDraft): ListedItem[] => [...lists.values()].flat();

/** A whole file with its content; front matter rows of several targets are united by key. */
export interface ContentDraft extends DraftBase {
  readonly kind: 'content';
  /** The item it is made from; scripts are made from several. */
  readonly item?: Item;
  /** Which of the item's further files it is; absent for its own. */
  readonly resource?: string;
  /** Its text is a part of the file: other items stand there, too. */
  readonly headed?: true;
  readonly rows?: readonly FrontMatterRow[];
  readonly body: Text | Exclude<WholeFile['content'], string>;
  readonly format: WholeFile['format'];
  /** Origins of the keys of a structured file, where they are asked for. */
  readonly keys?: readonly KeyEdit[];
  readonly executable: boolean;
}

/** Changes of keys in a structured file that belongs to the user. */
export interface EntriesDraft extends DraftBase {
  readonly kind: 'entries';
  readonly format: SharedFile['format'];
  readonly edits: readonly KeyEdit[];
  readonly private: boolean;
}

/** What drafts of one file have in common: file systems that fold cases and forms of letters hold such paths as one. */
export const foldedPath = ({ path }: Draft): string => pathKey(path);

/** Sorts drafts by the ids of their targets, so that the order of targets in the configuration changes no byte. */
export function byTarget<D extends Draft>(drafts: readonly [D, ...D[]]): readonly [D, ...D[]] {
  if (drafts.length === 1) return drafts;
  const sorted: [D, ...D[]] = [...drafts];
  return sorted.sort((a, b) => compareCode(a.request.spec.id, b.request.spec.id));
}
