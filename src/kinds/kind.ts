/** What the engines know of a kind of entry of `files`: one folder for each, and a line in `table.ts`. */
import type { FileSpec } from '../generated/types/target.ts';
import type { Activation } from '../model/guards.ts';
import type { DocumentText, Item, Prose, Section } from '../model/model.ts';
import type { Draft, ListedItem } from './draft.ts';
import type { Omissions } from './omissions.ts';
import type { OutputFile } from './output.ts';
import type { Place } from './places.ts';
import type { PlanContext } from './plan-context.ts';
import type { Rendering } from './rendering.ts';
import type { TargetRequest } from './request.ts';

/** The entries of one kind. */
export type FileOf<K extends FileSpec['kind']> = Extract<FileSpec, { readonly kind: K }>;

/**
 * One way in which a spec says what is written: `E` are its entries, `D` what it drafts for one target. What is needed
 * only to read files, or to check a spec, is loaded when it is asked for.
 */
export interface Kind<E extends FileSpec = FileSpec, D extends Draft = Draft> {
  readonly name: E['kind'];
  is(file: FileSpec): file is E;
  /** What one target wants at a place of it. What has no place there goes to the omissions of `planning`. */
  plan(place: Place<E>, planning: Planning): readonly D[];
  /** The path of the file that an item alone has at a place; absent where items share files. */
  pathOf?(file: E, item: Item, request: TargetRequest, context: PlanContext): string;
  /** The ways to be read that guards at a place can say of themselves; absent where guards have no place. */
  activationsOf?(file: E): readonly Activation[];
  /** Whether a draft is one that `render` of this kind knows; kinds may have a form in common. */
  makes(draft: Draft): draft is D;
  /** The one file of the drafts of all targets for one path; `undefined` where they cannot be one. */
  render(drafts: Several<D>, rendering: Rendering): OutputFile | undefined;
}

/** At least one. */
export type Several<T> = readonly [T, ...T[]];

/** What a place may be filled from, for one target. */
export interface Planning {
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The items of the collection that the place is for; none where it is for no collection. */
  readonly items: readonly Item[];
  readonly document: Documented;
}

/** What documents hold. */
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
