import type {
  Body,
  BodyItem,
  Declaration,
  Document,
  Field,
  Path,
  Reference,
  StringValue,
  TypeExpression,
  UseDeclaration,
  Value,
} from './ast.ts';
import { writeString, writeText } from './literals.ts';
import { splitReference } from './reference.ts';

/** Comments to stand above a declaration or an item of a body, without their `#`; several lines are several comments. */
export type Comments = ReadonlyMap<Declaration | BodyItem, string>;

const none: Comments = new Map();

/** Longest line that an array or object of plain values may fill. */
const width = 80;

/**
 * Writes a document in the canonical layout: two spaces a level, a blank line between declarations. Reading the result
 * gives the same document, but for spans, the kind of quotes, and text that `"""` cannot hold (see `writeText`).
 * Comments of the text that the document was read from are not in the AST and so not in the result.
 */
export function printDocument(document: Document, comments: Comments = none): string {
  return document.declarations
    .map((declaration, index) => {
      const before = document.declarations[index - 1];
      // Imports stand together like the lines of a list.
      const close = before && isImport(before) && isImport(declaration) && !comments.has(declaration);
      const gap = index === 0 ? '' : close ? '' : '\n';
      return `${gap}${commentLines(comments.get(declaration), '')}${printDeclaration(declaration, comments)}\n`;
    })
    .join('');
}

const isImport = ({ kind }: Declaration) => kind === 'use' || kind === 'inherit';

/** One declaration in the canonical layout, without a line end behind it. */
function printDeclaration(declaration: Declaration, comments: Comments = none): string {
  switch (declaration.kind) {
    case 'block':
      return `@${declaration.name} ${printBody(declaration.body, comments)}`;
    case 'inherit':
      return `@inherit ${printReference(declaration.reference)}`;
    case 'use':
      return printUse(declaration);
    case 'extend':
      return `@extend ${printPath(declaration.path)} ${printBody(declaration.body, comments)}`;
    case 'override': {
      const head = `@override ${printPath(declaration.path)}`;
      if (declaration.value) return `${head} {\n  ${printValue(declaration.value, '  ', 2)}\n}`;
      return `${head} ${printBody(declaration.body ?? emptyBody(declaration), comments)}`;
    }
  }
}

const emptyBody = ({ span }: Declaration): Body => ({ items: [], span });

function printBody({ items }: Body, comments: Comments): string {
  if (items.length === 0) return '{ }';
  const lines: string[] = [];
  let apart = false;
  for (const [index, item] of items.entries()) {
    const printed = printItem(item);
    const long = printed.includes('\n') || comments.has(item);
    // What takes several lines stands apart from its neighbours.
    if (index > 0 && (long || apart)) lines.push('');
    lines.push(`${commentLines(comments.get(item), '  ')}  ${printed}`);
    apart = long;
  }
  return `{\n${lines.join('\n')}\n}`;
}

function printItem(item: BodyItem): string {
  switch (item.kind) {
    case 'field':
      return printField(item, '  ');
    case 'text':
      return item.value.quote === 'text' ? printText(item.value, '  ', '  ') : writeString(item.value.value);
    case 'item':
      return `- ${printValue(item.value, '  ', 4)}`;
    case 'header': {
      const section = item.section ? `${item.section.name} ` : '';
      return `@header ${section}${writeString(item.title.value)}`;
    }
    case 'use':
      return printUse(item);
  }
}

/** A comment of `text`, one `#` a line, each with its line end. */
function commentLines(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  return text
    .split(/\r?\n|\r/)
    .map(line => `${indent}${`# ${line}`.trimEnd()}\n`)
    .join('');
}

/** `indent` is that of the line on which the field starts. */
function printField(field: Field, indent: string): string {
  const mark = field.replace ? '!' : field.optional ? '?' : '';
  const head = `${isIdentifier(field.key) ? field.key : writeString(field.key)}${mark}: `;
  if (!field.type)
    return head + (field.value ? printValue(field.value, indent, indent.length + head.length) : 'null');
  const type = printType(field.type);
  if (!field.value) return head + type;
  return `${head}${type} = ${printValue(field.value, indent, indent.length + head.length + type.length + 3)}`;
}

function printType({ name, options, low, high }: TypeExpression): string {
  if (name === 'range') return `range(${decimal(low ?? 0)}..${decimal(high ?? 0)})`;
  if (name === 'enum') return `enum(${(options ?? []).map(writeString).join(', ')})`;
  return name;
}

/** Bounds have no exponent in the language. */
const decimal = (bound: number): string => {
  const plain = String(bound);
  return plain.includes('e') ? bound.toFixed(20).replace(/\.?0+$/, '') : plain;
};

/** `column` is where the value starts, to know how much of it fits on the line. */
function printValue(value: Value, indent: string, column: number): string {
  switch (value.kind) {
    case 'string':
      return value.quote === 'text' ? printText(value, `${indent}  `, indent) : printString(value);
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.raw) ? value.raw : String(value.value);
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'array': {
      if (value.items.length === 0) return '[]';
      const inner = `${indent}  `;
      const items = value.items.map(item => printValue(item, inner, inner.length));
      const line = `[${items.join(', ')}]`;
      if (fits(items, line, column) && value.items.every(isScalar)) return line;
      return `[\n${items.map(item => inner + item).join(',\n')}\n${indent}]`;
    }
    case 'object': {
      if (value.fields.length === 0) return '{ }';
      const inner = `${indent}  `;
      const fields = value.fields.map(field => printField(field, inner));
      return `{\n${fields.map(field => inner + field).join('\n')}\n${indent}}`;
    }
  }
}

const isScalar = ({ kind }: Value) => kind !== 'array' && kind !== 'object';

const fits = (parts: readonly string[], line: string, column: number) =>
  column + line.length <= width && parts.every(part => !part.includes('\n'));

/** `"""` where it keeps the value, `"…"` where it does not. */
function printText({ value }: StringValue, indent: string, closeIndent: string): string {
  return writeText(value, indent, closeIndent) ?? writeString(value);
}

/** A letter or `_`, then letters, digits, `_`, `-`. */
const isIdentifier = (text: string) => /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);

/** Texts that can be written bare and mean a text there. */
const bare = /^(?:[\p{L}_][\p{L}\p{M}\p{N}_.-]*|\.{1,2}\/[\p{L}\p{M}\p{N}_./-]+|\$\{[^{}\r\n]*\})$/u;
const reserved = new Set(['true', 'false', 'null', 'string', 'number', 'boolean', 'range', 'enum']);

function printString({ value, quote }: StringValue): string {
  return quote === 'bare' && bare.test(value) && !reserved.has(value) ? value : writeString(value);
}

function printPath({ segments }: Path): string {
  return segments.map(({ name }) => (isIdentifier(name) ? name : writeString(name))).join('.');
}

function printUse({ reference, alias, into }: UseDeclaration): string {
  const parts = [`@use ${printReference(reference)}`];
  if (alias) parts.push(`as ${alias.name}`);
  if (into) parts.push(`into ${writeString(into.value)}`);
  return parts.join(' ');
}

function printReference({ path, version, quoted, arguments: args }: Reference): string {
  const written = version === undefined ? path : `${path}@${version}`;
  const split = splitReference(written);
  const safe =
    /^[^\s(){}[\]"'#,“”„«»‘’`]+$/u.test(written) && split.path === path && split.version === version;
  const head =
    quoted || !safe ? `${writeString(path)}${version === undefined ? '' : `@${version}`}` : written;
  if (args.length === 0) return head;
  const list = args.map(({ name, value }) => `${name.name}: ${printValue(value, '', head.length)}`);
  return `${head}(${list.join(', ')})`;
}
