/**
 * The syntax tree that the grammar builds from the tokens of one declaration. `construct.ts` converts it to
 * the AST, where the context is known.
 */
import type { Token } from './lexer.ts';

/** A list linked from its last element to its first. */
export interface Link<T> {
  readonly before: Link<T> | undefined;
  readonly item: T;
}

/** Converts a linked list to an array in source order. */
export function listOf<T>(link: Link<T> | undefined): T[] {
  const items: T[] = [];
  for (let at = link; at; at = at.before) items.push(at.item);
  return items.reverse();
}

/** The content of a pair of brackets. */
export interface Bracketed<T> {
  readonly open: Token;
  readonly items: readonly T[];
  readonly close: Token;
}

/** A declaration as the grammar matched it. */
export type DeclarationTree =
  | { readonly kind: 'block'; readonly at: Token; readonly body: BodyTree }
  | { readonly kind: 'inherit'; readonly at: Token; readonly source: SourceTree }
  | UseTree
  | { readonly kind: 'extend'; readonly at: Token; readonly path: readonly Token[]; readonly body: BodyTree }
  | {
      readonly kind: 'override';
      readonly at: Token;
      readonly path: readonly Token[];
      /** Absent when there is a value. */
      readonly body?: BodyTree;
      readonly value?: ValueTree;
      readonly close: Token;
    };

/** `@use <reference> [as <alias>] [into <path>] [for <targets>]` */
export interface UseTree {
  readonly kind: 'use';
  readonly at: Token;
  readonly source: SourceTree;
  readonly alias?: Token;
  readonly into?: Token;
  readonly targets?: Link<Token>;
}

/** The reference of an import with its arguments. */
export interface SourceTree {
  readonly path: Token;
  readonly version?: Token;
  readonly arguments: readonly { readonly name: Token; readonly value: ValueTree }[];
  readonly close: Token;
}

/** A body with its braces. */
export type BodyTree = Bracketed<ItemTree>;

/** An item of a body as the grammar matched it. */
export type ItemTree =
  | FieldTree
  | { readonly kind: 'text'; readonly text: Token }
  | { readonly kind: 'item'; readonly dash: Token; readonly value: ValueTree }
  | { readonly kind: 'header'; readonly at: Token; readonly section?: Token; readonly title: Token }
  | UseTree;

/** `key: value`, `key!: value`, `key?: type = default` */
export interface FieldTree {
  readonly kind: 'field';
  readonly key: Token;
  /** `!` or `?` */
  readonly mark?: Token | undefined;
  readonly value: ValueTree;
  readonly equals?: Token;
  /** The value after `=`. */
  readonly fallback?: ValueTree;
}

/** A value as the grammar matched it. */
export type ValueTree =
  | Token
  | ({ readonly kind: 'array' } & Bracketed<ValueTree>)
  | ObjectTree
  | CallTree
  | JoinTree;

/** `{ … }` as a value. */
export interface ObjectTree extends Bracketed<FieldTree> {
  readonly kind: 'object';
}

/** Values joined by `+`. */
export interface JoinTree {
  readonly kind: 'join';
  readonly left: Token | CallTree | JoinTree;
  readonly right: Token | CallTree;
}

/** `enum("a", "b")`, `range(1..5)` or `env("NAME")` */
export interface CallTree {
  readonly kind: 'call';
  readonly name: Token;
  readonly values: readonly ValueTree[];
  readonly range?: Token;
  readonly close: Token;
}
