import type { Source, Span } from '../text/source.ts';

/** One `.prs` file: its declarations in the order they were written. */
export interface Document {
  readonly source: Source;
  readonly declarations: readonly Declaration[];
  /** Declarations that could not be understood; absent when there are none. */
  readonly errors?: readonly ErrorNode[];
}

/**
 * A stretch of text that could not be understood and was reported. It stands beside the nodes that were, so that
 * phases meet only those, while editors and the printer see all of the text.
 */
export interface ErrorNode {
  /** `overwritten` is a field that a later one with the same key replaces. */
  readonly kind: 'error' | 'overwritten';
  readonly span: Span;
}

/** A declaration at the top level of a file. */
export type Declaration =
  | BlockDeclaration
  | InheritDeclaration
  | UseDeclaration
  | ExtendDeclaration
  | OverrideDeclaration;

/** `@name { … }`; `@meta` is a block like any other. `name` is as written, without `@`. */
export interface BlockDeclaration {
  readonly kind: 'block';
  readonly name: string;
  readonly nameSpan: Span;
  readonly body: Body;
  readonly span: Span;
}

/** `@inherit <reference>` */
export interface InheritDeclaration {
  readonly kind: 'inherit';
  readonly reference: Reference;
  readonly span: Span;
}

/** At top level, or inside a body (there only in `@skills`). */
export interface UseDeclaration {
  readonly kind: 'use';
  readonly reference: Reference;
  readonly alias?: Identifier;
  readonly into?: StringValue;
  /** Ids, labels or names of the targets it is for; absent: all. */
  readonly targets?: readonly Identifier[];
  readonly span: Span;
}

/** `@extend <path> { … }` */
export interface ExtendDeclaration {
  readonly kind: 'extend';
  readonly path: Path;
  readonly body: Body;
  readonly span: Span;
}

/** The braces hold either a body or one value (`["a"]`, `"text"`, `3`): exactly one of the two is set. */
export interface OverrideDeclaration {
  readonly kind: 'override';
  readonly path: Path;
  readonly body?: Body;
  readonly value?: Value;
  readonly span: Span;
}

/** A name with its place. */
export interface Identifier {
  readonly name: string;
  readonly span: Span;
}

/** A dotted path; a segment that is no identifier was quoted in the text. */
export interface Path {
  readonly segments: readonly Identifier[];
  readonly span: Span;
}

/** `./file`, `@alias/path`, `host/org/repo/path`, `git@host:org/repo/path` or a quoted string. */
export interface Reference {
  /** As written, without quotes, version and arguments. */
  readonly path: string;
  /** What follows the last `@` behind the path: tag, branch, commit or semver range. */
  readonly version?: string;
  readonly arguments: readonly Argument[];
  readonly quoted: boolean;
  readonly span: Span;
}

/** A named argument of a reference: `name: value`. */
export interface Argument {
  readonly name: Identifier;
  readonly value: Value;
  readonly span: Span;
}

/** What stands between braces, in order. */
export interface Body {
  readonly items: readonly BodyItem[];
  /** Items that could not be understood or do not count; absent when there are none. */
  readonly errors?: readonly ErrorNode[];
  readonly span: Span;
}

/** What can stand between the braces of a block. */
export type BodyItem = Field | TextItem | ListItem | HeaderItem | UseDeclaration;

/** `key: value` */
export interface Field {
  readonly kind: 'field';
  readonly key: string;
  readonly keySpan: Span;
  /** `key!:`, replace instead of merge; only directly in `@extend`. */
  readonly replace: boolean;
  /** `key?:`, an optional parameter. */
  readonly optional: boolean;
  /** `key: type = default` in `@params` and `@meta.params`. */
  readonly type?: TypeExpression;
  /** The value, or the default of a parameter. */
  readonly value?: Value;
  readonly span: Span;
}

/** Loose text in a body: `"""…"""` or `"…"`. */
export interface TextItem {
  readonly kind: 'text';
  readonly value: StringValue;
  readonly span: Span;
}

/** `- value` */
export interface ListItem {
  readonly kind: 'item';
  readonly value: Value;
  readonly span: Span;
}

/** `@header "Title"` or `@header key "Title"` */
export interface HeaderItem {
  readonly kind: 'header';
  readonly section?: Identifier;
  readonly title: StringValue;
  readonly span: Span;
}

/** A type of a parameter. */
export type TypeName = 'string' | 'number' | 'boolean' | 'range' | 'enum';

/** The type of a parameter with its bounds or words: `range(1..5)`, `enum("a", "b")`. */
export interface TypeExpression {
  readonly name: TypeName;
  /** `enum("a", "b")` */
  readonly options?: readonly string[];
  /** `range(low..high)`, both ends included. */
  readonly low?: number;
  readonly high?: number;
  readonly span: Span;
}

/** A value with its place. */
export type Value =
  | StringValue
  | NumberValue
  | BooleanValue
  | NullValue
  | EnvValue
  | ArrayValue
  | ObjectValue;

/** A string, in quotes of any kind or bare. */
export interface StringValue {
  readonly kind: 'string';
  /** Unescaped, and for `text` dedented. */
  readonly value: string;
  /** `text` is `"""…"""`; `bare` is an identifier, a path or `${VAR}` without quotes. */
  readonly quote: 'double' | 'single' | 'text' | 'bare';
  /** For `text`: offset where the line stands that is the first line of `value`. */
  readonly contentStart?: number;
  readonly span: Span;
}

/** A number. */
export interface NumberValue {
  readonly kind: 'number';
  readonly value: number;
  /** As written, so that `1.10` does not turn into `1.1` in output. */
  readonly raw: string;
  readonly span: Span;
}

/** `true` or `false` */
export interface BooleanValue {
  readonly kind: 'boolean';
  readonly value: boolean;
  readonly span: Span;
}

/** `null` */
export interface NullValue {
  readonly kind: 'null';
  readonly span: Span;
}

/** `env("NAME")`, alone or with texts and others like it, with `+` between them. */
export interface EnvValue {
  readonly kind: 'env';
  readonly parts: readonly (StringValue | Variable)[];
  readonly span: Span;
}

/** An environment variable that tools expand when they run. */
export interface Variable {
  readonly kind: 'variable';
  readonly name: string;
  /** What stands for it while it is not set. */
  readonly fallback?: string;
  readonly span: Span;
}

/** `[ … ]` */
export interface ArrayValue {
  readonly kind: 'array';
  readonly items: readonly Value[];
  readonly span: Span;
}

/** `{ … }` as a value. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly fields: readonly Field[];
  /** As in a body. */
  readonly errors?: readonly ErrorNode[];
  readonly span: Span;
}
