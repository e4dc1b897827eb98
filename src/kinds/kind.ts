/** The interface of a kind of entry of `files`: one folder for each, and a line in `table.ts`. */

import type { FileSpec, TargetSpec } from '../generated/types/target.ts';
import type { Activation } from '../model/guards.ts';
import type { DocumentText, Item, Model, Prose, Section } from '../model/model.ts';
import type { Helpers, Template } from '../spec/template.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { MappedBlock } from './document/read/map.ts';
import type { Draft, ListedItem } from './draft.ts';
import type { Omissions } from './omissions.ts';
import type { Place } from './places.ts';
import type { EmitSettings, SourceAt, TargetRequest } from './request.ts';
import type { Layouter, Literal } from './write/convention.ts';

/** The entries of one kind. */
export type FileOf<K extends FileSpec['kind']> = Extract<FileSpec, { readonly kind: K }>;

/**
 * One way in which a spec says what is written: `E` are its entries. Reading is the separate interface `Reader`, because it
 * needs a parser of Markdown, which a compile must not load.
 */
export interface Kind<E extends FileSpec = FileSpec> {
  /** Whether it is filled from options of the configuration, so that its files hold nothing of a program. */
  readonly fromOptions?: true;
  /** Makes the drafts of one target for a place; what has no place there goes to the omissions of `planning`. */
  plan(place: Place<E>, planning: PlaceContext): readonly Draft[];
  /** The folder of a place whose files may also lie in folders below it; absent where a place is one file. */
  folderOf?(file: E): string;
  /** The path of the file that an item alone has at a place; absent where items share files. */
  pathOf?(file: E, item: Item, request: TargetRequest, context: PlanContext): string;
  /** The activations that guards at a place can have; absent where guards have no place. */
  activationsOf?(file: E): readonly Activation[];
}

/** The part of a kind that reads files back; `readers.ts` lists them. */
export interface Reader<E extends FileSpec = FileSpec> {
  /** The parts of a program in a file that lies where the entry writes; `undefined` after a report when there are none. */
  read(source: Source, file: E, reading: ReadContext): Promise<readonly MappedBlock[] | undefined>;
}

/** What is known of a file that is read. */
export interface ReadContext {
  /** Its name, as the path has it. */
  readonly name: string;
  /** Folder below the root that it applies to; empty for the whole project. */
  readonly scope: string;
  readonly spec?: TargetSpec;
  /** Specs that say what keys mean where the tool's own does not. */
  readonly specs: readonly TargetSpec[];
  readonly report: Report;
  /** Set when prose is to come out of a compile in its order: the block that the same text has already, if any. */
  readonly inPlace?: (text: string) => string | undefined;
}

/** At least one. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** What a place may be filled from, for one target. */
export interface PlaceContext {
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The items of the collection that the place is for; none where it is for no collection. */
  readonly items: readonly Item[];
  readonly document: Documented;
}

/** What the documents of a target can hold. */
export interface Documented {
  readonly sections: readonly Section[];
  /** Private notes. */
  readonly local: readonly Prose[];
  /** Texts that stand in the main document as they are. */
  readonly texts: readonly DocumentText[];
  /** Items without a place of their own, by the section that shows them. */
  readonly lists: ReadonlyMap<string, readonly ListedItem[]>;
  /** The items of a collection with the paths of their files; `undefined` where the target has no place for it. */
  readonly index: (collection: string) => readonly ListedItem[] | undefined;
}

/** A key of a structured file for which two tools that read it want different values. */
export interface ClashingKey {
  readonly key: readonly string[];
  /** The entry of the program that it is made of; settings have none. */
  readonly about: string | undefined;
}

/** Takes down drafts that want different contents at one path. */
export interface ClashNotes {
  readonly count: number;
  /** `at` is the first line that differs, or the key of a structured file with the entry that it is about. */
  add(path: string, first: Draft, second: Draft, at: number | ClashingKey): void;
}

/** What bringing the drafts for one path together needs beside them. */
export interface RenderContext {
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: (convention: string) => Layouter;
  readonly sourceAt: SourceAt;
  readonly clashes: ClashNotes;
  readonly report: Report;
}

/** What planning a target needs beside the model. */
export interface PlanContext {
  readonly universalDir: string;
  /** A named body or an inline one of the target. */
  readonly body: (request: TargetRequest, place: string | undefined, name: string) => Template | undefined;
  readonly helpers: Helpers;
  readonly literal: Literal;
  /** The bundled skill about the language; written only where the target has a place for skills. */
  readonly languageSkill?: Item;
}
