import type { Collection } from '../generated/collections.ts';
import type { Node, ProvenanceStep, Resource, ScalarNode } from '../resolve/program.ts';
import type { Data, DataObject } from '../text/data.ts';
import type { Text as AnyText } from '../text/traced.ts';
import type { WrittenItem } from './written-item.ts';

/**
 * The portable model: everything that a target spec can refer to. Field names are the names that specs use in
 * `from:`. Texts are as written in the source.
 */
export interface Model {
  readonly meta: Fields;
  /** Origins of the fields of `meta`, when the model is traced. */
  readonly metaOrigins?: ItemOrigins['fields'];
  /** Markdown that is copied to the main document unchanged, before all sections. */
  readonly documents: readonly DocumentText[];
  readonly sections: readonly Section[];
  readonly items: Readonly<Record<Collection, readonly Item[]>>;
  /**
   * The titles that `@header` gives to blocks, by block name; also to lists of items, which have no prose.
   */
  readonly titles: ReadonlyMap<string, Text>;
  /** Private notes; empty without `@local`. */
  readonly local: readonly Prose[];
  /** Texts that no target has a place for, with the reason; they are omissions of every target. */
  readonly unplaced: readonly Unplaced[];
}

/** A text of the program that is in no part of the model, with advice. */
export interface Unplaced {
  readonly path: string;
  readonly text: string;
  readonly advice: string;
}

/** The tools that something applies to, by names as written in the source; absent means all. */
export interface Audience {
  readonly targets?: readonly string[];
  readonly except?: readonly string[];
}

/** A Markdown text that is output unchanged. */
export interface DocumentText {
  readonly path: string;
  readonly text: Text;
  /** The project file it was read from, and the text in that file. */
  readonly origin?: { readonly file: string; readonly text: string };
  readonly audience?: Audience;
  /** The main files it is written to, relative to the project; absent means that of each tool. */
  readonly into?: readonly string[];
  /** Its front matter as written, without the keys of this compiler, for tools that read the file itself. */
  readonly head?: string;
  readonly fields: Fields;
}

export type { Collection, Data, DataObject };

/** The fields of an item by name, in source order. */
export type Fields = ReadonlyMap<string, Data>;

/** An entry of a collection. */
export interface Item {
  /** A valid file name; checked by the model, so that it cannot lead to another folder. */
  readonly name: string;
  /** Its path in the program, such as `skills.review`, with which the paths of omissions start. */
  readonly path: string;
  readonly fields: Fields;
  /** Names of computed fields, which contain no user text and are never omissions. */
  readonly computed: ReadonlySet<string>;
  readonly resources: readonly Resource[];
  readonly audience?: Audience;
  /** Subfolder of the target's folder for the collection. */
  readonly into?: string;
  /**
   * Files, relative to the project, to which it is written with its own front matter and text, for tools
   * whose spec has the place.
   */
  readonly keptAt?: readonly string[];
  /**
   * The file that it was read from, when that file could itself be an output (a skill in the universal
   * directory).
   */
  readonly origin?: string;
  /** Replacements for single tools, by names as written in the source. */
  readonly variants?: ReadonlyMap<string, Item>;
  /** Keys that only the tool of this variant knows; `null` removes a key that would be written. */
  readonly native?: Fields;
  /** Fields set for the tool of this variant only. Without a native key, the name of the field is the key. */
  readonly own?: Fields;
  /** Laid-out content in place of a `content` field, for items made from prose. */
  readonly prose?: readonly Prose[];
  /** Its origins, when the model is traced. */
  readonly origins?: ItemOrigins;
  /** Facts about the Markdown file that it was read from. */
  readonly written?: WrittenItem;
  /** Names of the fields in source order, including those outside the block catalogue. */
  readonly order?: readonly string[];
  readonly extra?: Fields;
}

/** Whether leaving out a field is no omission: it is computed, or it is a name that the entry did not set. */
export const isComputed = ({ name, fields, computed }: Item, field: string): boolean =>
  computed.has(field) && (field !== 'name' || fields.get('name') === name);

/** A part of the main document. `key` refers to its title and template in `conventions/sections.yaml`. */
export interface Section {
  readonly key: string;
  /** The title of `@header`, if any; the default is in the section list. */
  readonly title?: Text;
  /** Path of the block in the program. */
  readonly path: string;
  readonly origin?: Origin;
  readonly content: readonly Prose[];
}

/** Structured text, which conventions render. */
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

/** A list item: optional label (`format`), text, and nested content. */
export interface ListItem {
  readonly label?: Text;
  readonly text?: Text;
  readonly items?: readonly ListItem[];
}

/** The origin of characters of an output. */
export type Origin = ValueOrigin | NameOrigin | LayoutOrigin;

/** The text of a value of the program. */
export interface ValueOrigin {
  readonly kind: 'value';
  /** Path of the value: `standards.code[0]`. */
  readonly path: string;
  readonly node: ScalarNode;
}

/** Text made from the name of a block, field or entry. */
export interface NameOrigin {
  readonly kind: 'name';
  readonly path: string;
  readonly text: string;
  readonly step: ProvenanceStep;
}

/** Literal text of a template, convention, spec or configuration. */
export interface LayoutOrigin {
  readonly kind: 'layout';
  /** The file that contains it, with the place in the file. */
  readonly by: string;
}

/** A text of the program: a string in a compile, traced where origins are requested. */
export type Text = AnyText<Origin>;

/** What a field of an item was made from, in order: values with their paths, or names. */
export type ValueSource = { readonly path: string; readonly node: Node } | NameOrigin;

/** The key under which traced data stores the origins of its keys; not visible to templates. */
export const keyOrigins: unique symbol = Symbol('origins of keys');

/** The origins of an item, in a traced model only. */
export interface ItemOrigins {
  /** The block of the entry. */
  readonly block: Origin;
  readonly name: Origin;
  readonly fields: ReadonlyMap<string, readonly ValueSource[]>;
}
