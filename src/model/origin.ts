import type { Node, ScalarNode, Step } from '../resolve/program.ts';
import type { Text as AnyText } from '../text/traced.ts';

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
  /** The name as it is declared. */
  readonly text: string;
  readonly step: Step;
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
export type Sourced = { readonly path: string; readonly node: Node } | NameOrigin;

/** The key under which traced data keeps the origins of its keys; templates do not see it. */
export const keyOrigins: unique symbol = Symbol('origins of keys');

/** Where an item comes from; only in a traced model. */
export interface ItemOrigins {
  /** The block it is an entry of. */
  readonly block: Origin;
  readonly name: Origin;
  readonly fields: ReadonlyMap<string, readonly Sourced[]>;
}
