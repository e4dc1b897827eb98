/**
 * Builds AST nodes from plain values, for code that generates `.prs` files: importers, migrations, `init`.
 * The nodes have empty spans in an unnamed source. Comments are not part of the AST; pass them to the
 * printer.
 */
import type { Source, Span } from '../text/source.ts';
import { hasReference, splitReferences } from '../text/variables.ts';
import type {
  ArrayValue,
  BlockDeclaration,
  Body,
  BodyItem,
  Declaration,
  Document,
  EnvValue,
  ExtendDeclaration,
  Field,
  HeaderItem,
  Identifier,
  InheritDeclaration,
  ListItem,
  ObjectValue,
  Reference,
  StringValue,
  TextItem,
  UseDeclaration,
  Value,
} from './ast.ts';
import { splitReference } from './reference.ts';

const source: Source = { name: '', text: '' };

/** The span of nodes that were built rather than parsed. */
export const emptySpan: Span = { source, start: 0, end: 0 };

/** Builds a document from declarations. */
export const documentOf = (declarations: readonly Declaration[]): Document => ({ source, declarations });

const bodyOf = (items: readonly BodyItem[]): Body => ({ items, span: emptySpan });

const identifier = (name: string): Identifier => ({ name, span: emptySpan });

/** `@name { … }` */
export const block = (name: string, items: readonly BodyItem[]): BlockDeclaration => ({
  kind: 'block',
  name,
  nameSpan: emptySpan,
  body: bodyOf(items),
  span: emptySpan,
});

/** `@extend a.b { … }` */
export const extend = (path: readonly string[], items: readonly BodyItem[]): ExtendDeclaration => ({
  kind: 'extend',
  path: { segments: path.map(identifier), span: emptySpan },
  body: bodyOf(items),
  span: emptySpan,
});

/**
 * Splits a reference such as `./file` or `@alias/path@1.0.0` as the parser does. The printer adds quotes
 * where they are needed.
 */
function reference(written: string): Reference {
  const { path, version } = splitReference(written);
  return { path, ...(version !== undefined && { version }), arguments: [], quoted: false, span: emptySpan };
}

/** `@use reference [as alias] [into "…"] [for id, …]` */
export const use = (
  written: string,
  clauses: { alias?: string; into?: string; targets?: readonly string[] } = {},
): UseDeclaration => ({
  kind: 'use',
  reference: reference(written),
  ...(clauses.alias !== undefined && { alias: identifier(clauses.alias) }),
  ...(clauses.into !== undefined && { into: str(clauses.into) }),
  ...(clauses.targets?.length && { targets: clauses.targets.map(identifier) }),
  span: emptySpan,
});

/** `@inherit reference` */
export const inherit = (written: string): InheritDeclaration => ({
  kind: 'inherit',
  reference: reference(written),
  span: emptySpan,
});

/** `key: value` */
export const field = (key: string, value: Value): Field => ({
  kind: 'field',
  key,
  keySpan: emptySpan,
  replace: false,
  optional: false,
  value,
  span: emptySpan,
});

/** Free text in a body. */
export const textItem = (value: string): TextItem => ({ kind: 'text', value: text(value), span: emptySpan });

/** `- value` */
export const item = (value: Value): ListItem => ({ kind: 'item', value, span: emptySpan });

/** `@header "Title"`, or `@header section "Title"` */
export const header = (title: string, section?: string): HeaderItem => ({
  kind: 'header',
  ...(section !== undefined && { section: identifier(section) }),
  title: str(title),
  span: emptySpan,
});

/** A string that is printed as `"…"`. */
export const str = (value: string): StringValue => ({
  kind: 'string',
  value,
  quote: 'double',
  span: emptySpan,
});

/** A string that is printed as `"""…"""` when that preserves its value. */
export const text = (value: string): StringValue => ({
  kind: 'string',
  value,
  quote: 'text',
  span: emptySpan,
});

/** `[…]` */
export const list = (items: readonly Value[]): ArrayValue => ({ kind: 'array', items, span: emptySpan });

/** A string with references to variables: `"Bearer " + env("TOKEN")`. */
export const withReferences = (marked: string): EnvValue => ({
  kind: 'env',
  parts: splitReferences(marked).map(part =>
    typeof part === 'string' ? str(part) : { kind: 'variable', ...part, span: emptySpan },
  ),
  span: emptySpan,
});

/** `{ … }`; the last of duplicate keys wins, as in the parser. */
export const object = (entries: Iterable<readonly [string, Value]>): ObjectValue => ({
  kind: 'object',
  fields: [...new Map(entries)].map(([key, value]) => field(key, value)),
  span: emptySpan,
});

/**
 * Converts JSON-like data to a node. Strings with line breaks become text; so do strings with `${`, because variables
 * are expanded in `"…"`. Numbers that JSON cannot express become strings, and `undefined` members are omitted.
 */
export function value(data: unknown): Value {
  if (data === null || data === undefined) return { kind: 'null', span: emptySpan };
  if (typeof data === 'boolean') return { kind: 'boolean', value: data, span: emptySpan };
  if (typeof data === 'number' && Number.isFinite(data)) {
    return { kind: 'number', value: data, raw: String(data), span: emptySpan };
  }
  if (Array.isArray(data)) return list(data.map(value));
  if (data instanceof Date) return str(data.toISOString());
  if (data instanceof Map)
    return object([...data].map(([key, entry]) => [String(key), value(entry)] as const));
  if (typeof data === 'object') {
    const entries = Object.entries(data).filter(([, entry]) => entry !== undefined);
    return object(entries.map(([key, entry]) => [key, value(entry)] as const));
  }
  const written = String(data);
  if (hasReference(written)) return withReferences(written);
  return written.includes('\n') || written.includes('${') ? text(written) : str(written);
}
