import type { Data, Item, Origin, ValueSource } from '../model/model.ts';
import type { Traced } from '../text/traced.ts';
import type { FilledSlot } from './native/shapes.ts';

/** The result of emitting: files as values, independent of the disk. */
export type OutputFile = WholeFile | SharedFile;

export interface OutputBase {
  /** `/`-separated, relative to the project root, inside it. */
  readonly path: string;
  /** Ids of the targets that it is for, in configuration order. */
  readonly targets: readonly string[];
  readonly build?: string;
}

/** A file that the compiler owns completely. */
export interface WholeFile extends OutputBase {
  readonly kind: 'whole';
  /** An equivalent text below the front matter: without the fields that the body shows above the content. */
  readonly plain?: string;
  /** A text, or the bytes of a resource, read on demand. */
  readonly content: string | (() => Uint8Array);
  readonly executable: boolean;
  /** Front matter keys whose absence has the same meaning. */
  readonly implied?: readonly ImpliedKey[];
  /** The content before formatting, with its origins; set only when origins are requested. */
  readonly unformatted?: Traced<Origin>;
  /** For a structured file: the origins of its keys; set only when origins are requested. */
  readonly keys?: readonly KeyEdit[];
  /** The further file of an item that was copied. */
  readonly copied?: { readonly item: Item; readonly resource: string };
  /** Language of the content, for formatting and checks. */
  readonly format: 'markdown' | 'json' | 'jsonc' | 'toml' | 'yaml' | 'script' | 'other';
  /** Whether it contains private notes and must not be committed. */
  readonly private?: boolean;
}

/** A front matter key that has no meaning for the tool with this value, or, without `value`, with the planned value. */
export interface ImpliedKey {
  readonly key: string;
  readonly value?: Json;
}

/** A file that the user owns, in which the compiler owns some keys. */
export interface SharedFile extends OutputBase {
  readonly kind: 'shared';
  readonly format: 'json' | 'jsonc' | 'toml' | 'yaml' | 'lines' | 'block';
  readonly edits: readonly KeyEdit[];
  readonly private?: boolean;
}

/**
 * One owned place in a shared file. `set`: the value at `path` is owned. `element`: one element of the array
 * at `path` is owned; it is identified by equality with the value in the manifest.
 */
export interface KeyEdit {
  readonly kind: 'set' | 'element';
  readonly path: readonly string[];
  readonly value: Json;
  /** The path of the entry in the program; absent for settings. */
  readonly about?: string;
  /** Whether the order matters: owned values with the same parent are kept in the planned order. */
  readonly ordered?: true;
  /** Whether it is only written to a new file. */
  readonly initial?: true;
  /** Keys of the value that the entry adds for one tool only. */
  readonly added?: readonly string[];
  /** Equivalent native values: an existing one counts as this element. */
  readonly equivalents?: readonly Json[];
  /** Values of members, at any depth, that mean the same as an absent member; an empty list stands for all values. */
  readonly implied?: Readonly<Record<string, readonly Json[]>>;
  /** Origins of the parts of the value; set only when origins are requested. */
  readonly origins?: EditOrigins;
}

export interface EditOrigins {
  /** The part of the spec that defines the shape of the value. */
  readonly by: string;
  /** The entry that the value is made from; absent for settings. */
  readonly name?: Origin;
  /** What its key was made from besides the name. */
  readonly key?: readonly ValueSource[];
  /** Places in the value that a field filled, with what the field was made from. */
  readonly slots: readonly FilledSlot[];
}

export type Json = Data;

/** A text of the program that a target has no place for. */
export interface Omission {
  readonly target: string;
  readonly version: string;
  /** Path of the value, such as `skills.review.license`. */
  readonly source: string;
  /** The missing text; shortened only by reporters. */
  readonly text: string;
  readonly advice: string;
}

/** A reference to a variable that the file of a tool has no form for. */
export interface UnwrittenReference {
  readonly target: string;
  readonly entry: string;
  readonly reference: string;
  readonly place: string;
  readonly problem: string;
  readonly advice?: string;
}
