import type { Source, Span } from '../text/source.ts';

/** One `.prs` file: its declarations in source order. */
export interface Document {
  readonly source: Source;
  /** The valid declarations; what could not be parsed is left out. */
  readonly declarations: readonly Declaration[];
  /** Whether a part of it could not be parsed. */
  readonly isBroken?: true;
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

/** A `@use`, at the top level or in the body of `@skills`. */
export interface UseDeclaration {
  readonly kind: 'use';
  readonly reference: Reference;
  readonly alias?: Identifier;
  readonly into?: StringValue;
  /** Ids, labels or names of the targets that it applies to; absent means all. */
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

/**
 * Has either a body or one value (`["a"]`, `"text"`, `3`) between its braces; exactly one of the two is set.
 */
export interface OverrideDeclaration {
  readonly kind: 'override';
  readonly path: Path;
  readonly body?: Body;
  readonly value?: Value;
  readonly span: Span;
}

/** A name with its span. */
export interface Identifier {
  readonly name: string;
  readonly span: Span;
}

/** A dotted path. A segment that is not an identifier was quoted in the source. */
export interface Path {
  readonly segments: readonly Identifier[];
  readonly span: Span;
}

/** `./file`, `@alias/path`, `host/org/repo/path`, `git@host:org/repo/path` or a quoted string. */
export interface Reference {
  /** The path as written, without quotes, version and arguments. */
  readonly path: string;
  /** The text after the last `@` that follows the path: tag, branch, commit or semver range. */
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

/** The content between braces, in source order. Of fields with the same key only the last one is in it. */
export interface Body {
  readonly items: readonly BodyItem[];
  readonly span: Span;
}

/** An item between the braces of a block. */
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

/** Free text in a body: `"""…"""` or `"…"`. */
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

/** The type of a parameter; both ends of a range are included. */
export type TypeExpression = { readonly span: Span } & (
  | { readonly name: 'string' | 'number' | 'boolean' }
  | { readonly name: 'range'; readonly low: number; readonly high: number }
  | { readonly name: 'enum'; readonly options: readonly string[] }
);

/** A value with its span. */
export type Value =
  | StringValue
  | NumberValue
  | BooleanValue
  | NullValue
  | EnvValue
  | ArrayValue
  | ObjectValue;

/** A string in any quotes, or an unquoted one. */
export interface StringValue {
  readonly kind: 'string';
  /** The unescaped value; `text` is also dedented. */
  readonly value: string;
  /** `text` is `"""…"""`; `bare` is an identifier, a path or `${VAR}` without quotes. */
  readonly quote: 'double' | 'single' | 'text' | 'bare';
  /** For `text`: the offset of the line that became the first line of `value`. */
  readonly contentStart?: number;
  readonly span: Span;
}

/** A number. */
export interface NumberValue {
  readonly kind: 'number';
  readonly value: number;
  /** As written, so that `1.10` is not printed as `1.1`. */
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

/** `env("NAME")`, alone or concatenated with strings by `+`. */
export interface EnvValue {
  readonly kind: 'env';
  readonly parts: readonly (StringValue | Variable)[];
  readonly span: Span;
}

/** An environment variable that tools expand at run time. */
export interface Variable {
  readonly kind: 'variable';
  readonly name: string;
  /** The default value of an unset variable. */
  readonly fallback?: string;
  readonly span: Span;
}

/** `[ … ]` */
export interface ArrayValue {
  readonly kind: 'array';
  readonly items: readonly Value[];
  readonly span: Span;
}

/** `{ … }` as a value; fields as in `Body`. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly fields: readonly Field[];
  readonly span: Span;
}
