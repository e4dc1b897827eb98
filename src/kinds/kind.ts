/** What planning, rendering and reading entries in `files` need. Each kind has a folder and a line in `table.ts`. */

import type { FileSpec, TargetSpec } from '../generated/types/target.ts';
import type { DocumentText, Item, Model, Prose, Section } from '../model/model.ts';
import type { Helpers } from '../spec/template.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { Clashes } from './clashes.ts';
import type { MappedBlock } from './document/read/map.ts';
import type { ListedItem } from './draft.ts';
import type { Omissions } from './omissions.ts';
import type { EmitSettings, SourceAt, TargetRequest } from './request.ts';
import type { Layouter, Literal } from './write/convention.ts';

export type FileOf<K extends FileSpec['kind']> = Extract<FileSpec, { readonly kind: K }>;

/**
 * Reads a file at a place of the entry. Returns `undefined` after reporting when it contains nothing to import.
 * Readers are not in the table of planners, because they need a Markdown parser, which a compile must not load.
 */
export type Reader<E extends FileSpec = FileSpec> = (
  source: Source,
  file: E,
  reading: ReadContext,
) => Promise<readonly MappedBlock[] | undefined>;

export interface ReadContext {
  /** The name in its path. */
  readonly name: string;
  /** The folder it applies to, relative to the root; empty for the whole project. */
  readonly scope: string;
  readonly spec?: TargetSpec;
  /** Specs that define the meaning of keys that the tool's own spec does not. */
  readonly specs: readonly TargetSpec[];
  readonly report: Report;
  /** Set when a compile must reproduce the order: returns the block that a text is in already, if any. */
  readonly inPlace?: (text: string) => string | undefined;
}

export type NonEmpty<T> = readonly [T, ...T[]];

/** What a place can be filled from, for one target. */
export interface PlaceContext {
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The items of the collection of the place; empty for a place without a collection. */
  readonly items: readonly Item[];
  readonly document: DocumentContent;
}

export interface DocumentContent {
  readonly sections: readonly Section[];
  readonly local: readonly Prose[];
  /** Texts that are copied to the main document unchanged. */
  readonly texts: readonly DocumentText[];
  /** Items without a place of their own, by the section that lists them. */
  readonly lists: ReadonlyMap<string, readonly ListedItem[]>;
  /** The items of a collection with paths; `undefined` when the target has no place for it. */
  readonly index: (collection: string) => readonly ListedItem[] | undefined;
}

export interface RenderContext {
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: (convention: string) => Layouter;
  readonly sourceAt: SourceAt;
  readonly clashes: Clashes;
  readonly report: Report;
}

export interface PlanContext {
  readonly universalDir: string;
  readonly helpers: Helpers;
  readonly literal: Literal;
  /** Whether texts are traced. */
  readonly isTraced: boolean;
  /** The bundled skill about the language, written only when the target has a place for skills. */
  readonly languageSkill?: Item;
}
