/** The plain tree that the grammar makes out of one declaration; construct.ts turns it into the AST. */
import type { Token } from './lexer.ts';

/** A list linked backwards; nearley's rules must not change what they share. */
export interface Link<T> {
  readonly before: Link<T> | undefined;
  readonly item: T;
}

/** `@name { … }` */
export interface BlockTree {
  readonly kind: 'block';
  readonly at: Token;
  readonly body: BodyTree;
}

/** `@inherit <reference>` */
export interface InheritTree {
  readonly kind: 'inherit';
  readonly at: Token;
  readonly source: SourceTree;
}

/** `@use <reference> [as <alias>] [into <path>] [for <targets>]` */
export interface UseTree {
  readonly kind: 'use';
  readonly at: Token;
  readonly source: SourceTree;
  readonly alias: Token | undefined;
  readonly into: Token | undefined;
  readonly targets: Link<Token> | undefined;
}

/** `@extend <path> { … }` */
export interface ExtendTree {
  readonly kind: 'extend';
  readonly at: Token;
  readonly path: Link<Token>;
  readonly body: BodyTree;
}

/** `@override <path> { … }` */
export interface OverrideTree {
  readonly kind: 'override';
  readonly at: Token;
  readonly path: Link<Token>;
  readonly body: BodyTree | undefined;
  readonly value: ValueTree | undefined;
  readonly close: Token;
}

/** A declaration as the grammar matched it. */
export type DeclarationTree = BlockTree | InheritTree | UseTree | ExtendTree | OverrideTree;

/** What an import names, with its arguments. */
export interface SourceTree {
  readonly path: Token;
  readonly version: Token | undefined;
  readonly arguments: ArgumentsTree | undefined;
}

/** The arguments of an import, with their brackets. */
export interface ArgumentsTree {
  readonly items: Link<ArgumentTree> | undefined;
  readonly close: Token;
}

/** One argument of an import. */
export interface ArgumentTree {
  readonly name: Token;
  readonly value: ValueTree;
}

/** A body with its braces. */
export interface BodyTree {
  readonly open: Token;
  readonly items: Link<ItemTree> | undefined;
  readonly close: Token;
}

/** An item of a body as the grammar matched it. */
export type ItemTree = FieldTree | TextTree | ListItemTree | HeaderTree | UseTree | ErrorTree;

/** Tokens that make no sense where they stand. The grammar makes none; recover.ts puts them in. */
export interface ErrorTree {
  readonly kind: 'error';
  readonly from: Token;
  readonly to: Token;
}

/** `key: value`, `key!: value`, `key?: type = default` */
export interface FieldTree {
  readonly kind: 'field';
  readonly key: Token;
  /** `!` or `?` */
  readonly mark: Token | undefined;
  readonly value: ValueTree;
  /** What follows `=`. */
  readonly fallback: ValueTree | undefined;
  readonly equals: Token | undefined;
}

/** A text that stands alone in a body. */
export interface TextTree {
  readonly kind: 'text';
  readonly text: Token;
}

/** `- value` */
export interface ListItemTree {
  readonly kind: 'item';
  readonly dash: Token;
  readonly value: ValueTree;
}

/** `@header [key] "Title"` */
export interface HeaderTree {
  readonly kind: 'header';
  readonly at: Token;
  readonly section: Token | undefined;
  readonly title: Token;
}

/** A value as the grammar matched it. */
export type ValueTree = Token | ArrayTree | ObjectTree | CallTree | JoinTree;

/** `[ … ]` */
export interface ArrayTree {
  readonly kind: 'array';
  readonly open: Token;
  readonly items: Link<ValueTree> | undefined;
  readonly close: Token;
}

/** `{ … }` as a value. */
export interface ObjectTree {
  readonly kind: 'object';
  readonly open: Token;
  readonly items: Link<FieldTree | ErrorTree> | undefined;
  readonly close: Token;
}

/** Values with `+` between them. */
export interface JoinTree {
  readonly kind: 'join';
  readonly left: Token | CallTree | JoinTree;
  readonly right: Token | CallTree;
}

/** `enum("a", "b")`, `range(1..5)` or `env("NAME")` */
export interface CallTree {
  readonly kind: 'call';
  readonly name: Token;
  readonly values: Link<ValueTree> | undefined;
  readonly range: Token | undefined;
  readonly close: Token;
}

// The rules of the grammar hand over what they matched as one array; its shape stands in grammar.ne. It is not taken
// apart by a pattern: V8 asks an iterator for each part then, in functions that run for every token.
// biome-ignore lint/suspicious/noExplicitAny: nearley has no types for what a rule matched.
type Matched = any[];

const last = (d: Matched) => d[d.length - 1];

export const first = <T>(d: [T]): Link<T> => ({ before: undefined, item: d[0] });
export const push = (d: Matched): Link<unknown> => ({ before: d[0], item: last(d) });

/** What stands between brackets, and the closing one. */
export const end = (d: Matched) => ({ items: d.length > 1 ? d[0] : undefined, close: last(d) });
export const args = (d: Matched): ArgumentsTree => d[1];

export const block = (d: Matched): BlockTree => ({ kind: 'block', at: d[0], body: d[1] });
export const inherit = (d: Matched): InheritTree => ({ kind: 'inherit', at: d[0], source: d[1] });
export const extend = (d: Matched): ExtendTree => ({ kind: 'extend', at: d[0], path: d[1], body: d[2] });

export const override = (d: Matched): OverrideTree => ({
  kind: 'override',
  at: d[0],
  path: d[1],
  body: d[2],
  value: undefined,
  close: d[2].close,
});

export const overrideValue = (d: Matched): OverrideTree => ({
  kind: 'override',
  at: d[0],
  path: d[1],
  body: undefined,
  value: d[3],
  close: d[4],
});

export const use = (d: Matched): UseTree => ({
  kind: 'use',
  at: d[0],
  source: d[1].placed[0],
  alias: clause(d[1].placed, 'as'),
  into: clause(d[1].placed, 'into'),
  targets: d[1].targets,
});

/** What is used, how and where, and the targets it is for. */
export const imported = (d: Matched) => ({ placed: d[0], targets: d[2] });

/** The token behind `as` or `into`; the clauses start at index 1. */
function clause(d: Matched, type: string): Token | undefined {
  const index = d.findIndex((part, at) => at > 0 && part.type === type);
  return index === -1 ? undefined : d[index + 1];
}

export const source = (d: Matched): SourceTree => ({
  path: d[0],
  version: d[1]?.type === 'version' ? d[1] : undefined,
  arguments: last(d).close ? last(d) : undefined,
});

export const argument = (d: Matched): ArgumentTree => ({ name: d[0], value: d[2] });

export const body = (d: Matched): BodyTree => ({ open: d[0], items: d[1].items, close: d[1].close });
export const array = (d: Matched): ArrayTree => ({
  kind: 'array',
  open: d[0],
  items: d[1].items,
  close: d[1].close,
});
export const object = (d: Matched): ObjectTree => ({
  kind: 'object',
  open: d[0],
  items: d[1].items,
  close: d[1].close,
});

export const label = (d: Matched) => ({ key: d[0], mark: d.length > 2 ? d[1] : undefined });
export const typed = (d: Matched) => ({ key: d[0].key, mark: d[0].mark, value: d[1] });

export const field = (d: Matched): FieldTree => ({
  kind: 'field',
  key: d[0].key,
  mark: d[0].mark,
  value: d[0].value,
  equals: d[1],
  fallback: d[2],
});

export const replacement = (d: Matched): FieldTree => ({
  kind: 'field',
  key: d[0],
  mark: d[1],
  value: d[3],
  equals: undefined,
  fallback: undefined,
});

export const callEnd = (d: Matched) => ({ values: d[1], range: undefined, close: last(d) });
export const rangeEnd = (d: Matched) => ({ values: undefined, range: d[1], close: last(d) });

export const call = (d: Matched): CallTree => ({ kind: 'call', name: d[0], ...d[1] });

export const join = (d: Matched): JoinTree => ({ kind: 'join', left: d[0], right: d[2] });

export const textItem = (d: Matched): TextTree => ({ kind: 'text', text: d[0] });
export const listItem = (d: Matched): ListItemTree => ({ kind: 'item', dash: d[0], value: d[1] });

export const headerItem = (d: Matched): HeaderTree => ({
  kind: 'header',
  at: d[0],
  section: d[1].length > 1 ? d[1][0] : undefined,
  title: last(d[1]),
});

/** A linked list in the order it was written. */
export function listOf<T>(link: Link<T> | undefined): T[] {
  let count = 0;
  for (let at = link; at; at = at.before) count++;
  // An array that grows from nothing takes room for seventeen; these are kept.
  const items = new Array<T>(count);
  for (let at = link; at; at = at.before) items[--count] = at.item;
  return items;
}

/** Items in the order they were written as a linked list. */
export const linkOf = <T>(items: readonly T[]): Link<T> | undefined =>
  items.reduce<Link<T> | undefined>((before, item) => ({ before, item }), undefined);
