import type { Collection } from '../generated/collections.ts';
import type { Node, ProvenanceStep, Resource, ScalarNode } from '../resolve/program.ts';
import type { Text as AnyText } from '../text/traced.ts';
import type { WrittenItem } from './written-item.ts';

/**
 * The portable model: everything a target spec may refer to, and nothing else.
 * Field names are the words that specs use in `from:`. Texts keep the wording of the source.
 */
export interface Model {
  readonly meta: Fields;
  /** Where they come from, when the model was built to be traced. */
  readonly metaOrigins?: ItemOrigins['fields'];
  /** Markdown that reaches the main document as it is, before all sections. */
  readonly documents: readonly DocumentText[];
  readonly sections: readonly Section[];
  readonly items: Readonly<Record<Collection, readonly Item[]>>;
  /** The titles that `@header` gives to blocks, by the names of these: also to lists of items, which are no prose. */
  readonly titles: ReadonlyMap<string, Text>;
  /** Private notes; empty when there is no `@local`. */
  readonly local: readonly Prose[];
  /** Texts that no target can have a place for, with the reason: omissions of every target. */
  readonly unplaced: readonly Unplaced[];
}

/** A text of the program that no part of the model holds, with what can be done about it. */
export interface Unplaced {
  readonly path: string;
  readonly text: string;
  readonly advice: string;
}

/** Which tools something is for, by the names of the source; without it: all. */
export interface Audience {
  readonly targets?: readonly string[];
  readonly except?: readonly string[];
}

/** A Markdown text that nothing is changed in. */
export interface DocumentText {
  readonly path: string;
  readonly text: Text;
  /** The file of the project that it was read from, and its text there. */
  readonly origin?: { readonly file: string; readonly text: string };
  readonly audience?: Audience;
  /** The main files it is kept in, relative to the project; absent: that of each tool. */
  readonly into?: readonly string[];
  /** Its front matter as written, without the keys that this compiler reads, for tools that read the file itself. */
  readonly head?: string;
  readonly fields: Fields;
}

export type { Collection };

/** Plain data; objects have no prototype, so that any key is a key. */
export type Data = string | number | boolean | null | readonly Data[] | DataObject;
/** An object of data. */
export interface DataObject {
  readonly [key: string]: Data;
}

/** The fields of an item by name, in the order of the source. */
export type Fields = ReadonlyMap<string, Data>;

/** An entry of a collection. */
export interface Item {
  /** Safe as a file name: checked by the model, so that it cannot lead to another folder. */
  readonly name: string;
  /** Its path in the program, such as `skills.review`: the start of the paths of omissions. */
  readonly path: string;
  readonly fields: Fields;
  /** Names of fields that were computed here and are no text of the user: never an omission. */
  readonly computed: ReadonlySet<string>;
  readonly resources: readonly Resource[];
  readonly audience?: Audience;
  /** Subdirectory below the target's directory of the collection. */
  readonly into?: string;
  /** Files, relative to the project, in which it keeps its own front matter and text, for tools that know the place. */
  readonly keptAt?: readonly string[];
  /** The file that it was read from as a whole, when that file could itself be an output (a skill in the universal directory). */
  readonly origin?: string;
  /** What single tools get in its place, by the names of the source. */
  readonly variants?: ReadonlyMap<string, Item>;
  /** Keys that only the tool of this variant knows; `null` removes one that would be written. */
  readonly native?: Fields;
  /** Fields that are set for the tool of this variant alone; without a key of its own, the name of the field is the key. */
  readonly own?: Fields;
  /** Laid-out content instead of a `content` field, for items made of prose. */
  readonly prose?: readonly Prose[];
  /** Where it comes from, when the model was built to be traced. */
  readonly origins?: ItemOrigins;
  /** Facts about the Markdown file that it was read from. */
  readonly written?: WrittenItem;
  /** Names of the fields in the order of the source, those that the block catalogue does not know too. */
  readonly order?: readonly string[];
  readonly extra?: Fields;
}

/** Whether a field is computed, so that leaving it out is no omission. So is a name that is not the entry's own. */
export const isComputed = ({ name, fields, computed }: Item, field: string): boolean =>
  computed.has(field) && (field !== 'name' || fields.get('name') === name);

/** A part of the main document. `key` finds title and template in `conventions/sections.yaml`. */
export interface Section {
  readonly key: string;
  /** From `@header`; else the section list decides. */
  readonly title?: Text;
  /** Path of the block in the program. */
  readonly path: string;
  readonly origin?: Origin;
  readonly content: readonly Prose[];
}

/** Laid-out text: what conventions render. */
export type Prose =
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: Text }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly title?: Text;
      readonly content: readonly Prose[];
    };

/** A list item: optional label (`format`), text, and what is nested below it. */
export interface ListItem {
  readonly label?: Text;
  readonly text?: Text;
  readonly items?: readonly ListItem[];
}

/** Where characters of an output come from. */
export type Origin = ValueOrigin | NameOrigin | LayoutOrigin;

/** The text of a value of the program. */
export interface ValueOrigin {
  readonly kind: 'value';
  /** Path of the value: `standards.code[0]`. */
  readonly path: string;
  readonly node: ScalarNode;
}

/** Text made of the name of a block, a field or an entry. */
export interface NameOrigin {
  readonly kind: 'name';
  readonly path: string;
  readonly text: string;
  readonly step: ProvenanceStep;
}

/** Words of a template, a convention, a spec or the configuration. */
export interface LayoutOrigin {
  readonly kind: 'layout';
  /** The file that has them, with the place in it. */
  readonly by: string;
}

/** A text of the program: plain in a compile, traced where origins are wanted. */
export type Text = AnyText<Origin>;

/** What a field of an item was made of, in order: values with their paths, or names. */
export type ValueSource = { readonly path: string; readonly node: Node } | NameOrigin;

/** The key under which traced data keeps the origins of its keys; templates do not see it. */
export const keyOrigins: unique symbol = Symbol('origins of keys');

/** Where an item comes from; only in a traced model. */
export interface ItemOrigins {
  /** The block it is an entry of. */
  readonly block: Origin;
  readonly name: Origin;
  readonly fields: ReadonlyMap<string, readonly ValueSource[]>;
}
