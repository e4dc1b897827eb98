import type { Item, Origin, ValueSource } from '../model/model.ts';
import type { Traced } from '../text/traced.ts';

/** What emitting gives: files as values. Nothing here knows what is on disk. */
export type OutputFile = WholeFile | SharedFile;

export interface OutputBase {
  /** `/`-separated, relative to the project root, inside it. */
  readonly path: string;
  /** Ids of the targets that asked for it, in configuration order. */
  readonly targets: readonly string[];
  /** Name of the build profile, when one was built. */
  readonly build?: string;
}

/** A file that is wholly ours. */
export interface WholeFile extends OutputBase {
  readonly kind: 'whole';
  /** Text, or bytes of a resource read when they are needed. */
  readonly content: string | (() => Uint8Array);
  readonly executable: boolean;
  /** Keys of the front matter that a spec says and no source: a present file without them lacks nothing. */
  readonly implied?: readonly string[];
  /** The content as it was made, before formatting, with its origins; there only when they were asked for. */
  readonly made?: Traced<Origin>;
  /** For a structured file: the origins of its keys; there only when they were asked for. */
  readonly keys?: readonly KeyEdit[];
  /** The file that travels with an item and was copied. */
  readonly copied?: { readonly item: Item; readonly resource: string };
  /** Language of the content, for formatting and checks. */
  readonly format: 'markdown' | 'json' | 'jsonc' | 'toml' | 'yaml' | 'script' | 'other';
  /** Holds private notes: must not be committed. */
  readonly private?: boolean;
}

/** A file that belongs to the user, in which we own some keys. */
export interface SharedFile extends OutputBase {
  readonly kind: 'shared';
  readonly format: 'json' | 'jsonc' | 'toml' | 'yaml' | 'lines' | 'block';
  readonly edits: readonly KeyEdit[];
  readonly private?: boolean;
}

/**
 * One owned place in a shared file.
 * `set`: the value at `path` is ours. `element`: one element of the array at `path` is ours;
 * it is recognised by equality with what the manifest recorded.
 */
export interface KeyEdit {
  readonly kind: 'set' | 'element';
  readonly path: readonly string[];
  readonly value: Json;
  /** The entry of the program that it is made of; settings have none. */
  readonly about?: string;
  /** What stands later counts: among those with the same parent ours keep the order in which they are planned. */
  readonly ordered?: true;
  /** The file needs it when it is made; one that somebody wrote without it does without. */
  readonly initial?: true;
  /** Keys of the value that the entry adds for the tool alone. */
  readonly added?: readonly string[];
  /** Elements that say the same in other words of the tool: one that is there stands for this. */
  readonly alike?: readonly Json[];
  /** Where the parts of the value come from; there only when origins were asked for. */
  readonly origins?: EditOrigins;
}

/** Where the value of an edit comes from. */
export interface EditOrigins {
  /** The part of the spec that gives the value its shape. */
  readonly by: string;
  /** The entry that the value is made of; settings have none. */
  readonly name?: Origin;
  /** What its key was made of besides the name. */
  readonly key?: readonly ValueSource[];
  /** Places in the value that a field filled, with what the field was made of. */
  readonly slots: readonly {
    readonly path: readonly (string | number)[];
    readonly origins: readonly ValueSource[];
  }[];
}

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A text of the program that a target has no place for. */
export interface Omission {
  readonly target: string;
  readonly version: string;
  /** Path of the value, such as `skills.review.license`. */
  readonly source: string;
  /** The text that is missing, shortened by the reporters and not here. */
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
