import type { Span } from '../text/source.ts';
import type {
  ArrayValue,
  Body,
  BodyItem,
  Declaration,
  Document,
  ErrorNode,
  Field,
  Path,
  Reference,
  StringValue,
  TypeExpression,
  UseDeclaration,
  Value,
  Variable,
} from './ast.ts';
import { textMark, writeString, writeText } from './literals.ts';
import { splitReference } from './reference.ts';
import { type Anchor, type Container, readTrivia, type Trivia } from './trivia.ts';

/** Comments to print above a declaration or body item, without `#`. Each line becomes one comment. */
type Comments = ReadonlyMap<Declaration | BodyItem, string>;

/** What the printer needs in addition to the nodes. */
interface PrintContext {
  readonly trivia: Trivia;
  readonly comments: Comments;
}

const none: Comments = new Map();

/**
 * Prints a document in the canonical layout: two spaces per level, and a blank line between declarations.
 * Parsing the result gives the same document except for spans, the kind of quotes, and text that `"""` cannot
 * express (see `writeText`). Comments of the source are kept, and so are blank lines, at most one in a row.
 * Error nodes are printed as their source.
 */
export function printDocument(document: Document, comments: Comments = none): string {
  const notes: PrintContext = { trivia: readTrivia(document), comments };
  const lines: string[] = [];
  let before: Declaration | ErrorNode | undefined;
  for (const node of inSourceOrder(document.declarations, document.errors)) {
    const above = leadingLines(node, notes, '');
    const given = notes.comments.has(node as Declaration);
    const together = before !== undefined && isImport(before) && isImport(node) && !given;
    // Consecutive imports have no blank lines between them.
    if (before && !together && above[0] !== '') lines.push('');
    const printed = isError(node) ? sourceTextOf(node) : printDeclaration(node, notes);
    lines.push(...above, printed + trailingOf(node, notes));
    before = node;
  }
  const rest = notes.trivia.closing.get(document) ?? [];
  if (rest.length > 0 && before && rest[0] !== '') lines.push('');
  lines.push(...rest);
  return lines.map(line => `${line}\n`).join('');
}

const isImport = ({ kind }: Declaration | ErrorNode) => kind === 'use' || kind === 'inherit';

/** Prints one declaration in the canonical layout, without a final line end. */
function printDeclaration(declaration: Declaration, notes: PrintContext): string {
  switch (declaration.kind) {
    case 'block':
      return `@${declaration.name} ${printBody(declaration.body, notes)}`;
    case 'inherit':
      return `@inherit ${printReference(declaration.reference, notes)}`;
    case 'use':
      return printUse(declaration, notes);
    case 'extend':
      return `@extend ${printPath(declaration.path)} ${printBody(declaration.body, notes)}`;
    case 'override': {
      const head = `@override ${printPath(declaration.path)}`;
      const { value } = declaration;
      if (!value) return `${head} ${printBody(declaration.body ?? emptyBody(declaration), notes)}`;
      const lines = [
        ...leadingLines(value, notes, '  '),
        `  ${printValue(value, '  ', 2, notes)}${trailingOf(value, notes)}`,
      ];
      return `${head} ${inBraces('{', declaration, lines, '', '}', notes)}`;
    }
  }
}

const emptyBody = ({ span }: Declaration): Body => ({ items: [], span });

function printBody(body: Body, notes: PrintContext): string {
  const lines: string[] = [];
  let before: BodyItem | ErrorNode | undefined;
  let apart = false;
  for (const item of inSourceOrder(body.items, body.errors)) {
    const printed = isError(item) ? sourceTextOf(item) : printItem(item, notes);
    const above = leadingLines(item, notes, '  ');
    const long = printed.includes('\n') || notes.comments.has(item as BodyItem);
    // Items of several lines are separated by blank lines, unless the source decides otherwise.
    const decided = before !== undefined && notes.trivia.isRead(before) && notes.trivia.isRead(item);
    if (before && !decided && (long || apart) && above[0] !== '') lines.push('');
    lines.push(...above, `  ${printed}${trailingOf(item, notes)}`);
    apart = long;
    before = item;
  }
  return inBraces('{', body, lines, '', '}', notes);
}

function printItem(item: BodyItem, notes: PrintContext): string {
  switch (item.kind) {
    case 'field':
      return printField(item, '  ', notes);
    case 'text':
      return item.value.quote === 'text' ? printText(item.value, '  ', '  ') : writeString(item.value.value);
    case 'item':
      return `- ${printValue(item.value, '  ', 4, notes)}`;
    case 'header': {
      const section = item.section ? `${item.section.name} ` : '';
      return `@header ${section}${writeString(item.title.value)}`;
    }
    case 'use':
      return printUse(item, notes);
  }
}

function printPath({ segments }: Path): string {
  return segments.map(({ name }) => (isIdentifier(name) ? name : writeString(name))).join('.');
}

function printUse({ reference, alias, into, targets }: UseDeclaration, notes: PrintContext): string {
  const parts = [`@use ${printReference(reference, notes)}`];
  if (alias) parts.push(`as ${alias.name}`);
  if (into) parts.push(`into ${writeString(into.value)}`);
  if (targets) parts.push(`for ${targets.map(({ name }) => name).join(', ')}`);
  return parts.join(' ');
}

function printReference({ path, version, quoted, arguments: args }: Reference, notes: PrintContext): string {
  const written = version === undefined ? path : `${path}@${version}`;
  const split = splitReference(written);
  const safe =
    /^[^\s(){}[\]"'#,“”„«»‘’`]+$/u.test(written) && split.path === path && split.version === version;
  const head =
    quoted || !safe ? `${writeString(path)}${version === undefined ? '' : `@${version}`}` : written;
  if (args.length === 0) return head;
  const list = args.map(({ name, value }) => `${name.name}: ${printValue(value, '', head.length, notes)}`);
  return `${head}(${list.join(', ')})`;
}

/** The maximum length of a line with an array or object of scalars. */
const width = 80;

/** `indent` is the indentation of the line where the field starts. */
export function printField(field: Field, indent: string, notes: PrintContext): string {
  const mark = field.replace ? '!' : field.optional ? '?' : '';
  const head = `${isIdentifier(field.key) ? field.key : writeString(field.key)}${mark}: `;
  if (!field.type)
    return (
      head + (field.value ? printValue(field.value, indent, indent.length + head.length, notes) : 'null')
    );
  const type = printType(field.type);
  if (!field.value) return head + type;
  return `${head}${type} = ${printValue(field.value, indent, indent.length + head.length + type.length + 3, notes)}`;
}

function printType({ name, options, low, high }: TypeExpression): string {
  if (name === 'range') return `range(${decimal(low ?? 0)}..${decimal(high ?? 0)})`;
  if (name === 'enum') return `enum(${(options ?? []).map(writeString).join(', ')})`;
  return name;
}

/** Bounds of types cannot have an exponent. */
const decimal = (bound: number): string => {
  const plain = String(bound);
  return plain.includes('e') ? bound.toFixed(20).replace(/\.?0+$/, '') : plain;
};

/** `column` is where the value starts, which decides how much fits on the line. */
function printValue(value: Value, indent: string, column: number, notes: PrintContext): string {
  switch (value.kind) {
    case 'string':
      return value.quote === 'text' ? printText(value, `${indent}  `, indent) : printString(value);
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.raw) ? value.raw : String(value.value);
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'env':
      return value.parts
        .map(part => (part.kind === 'variable' ? printVariable(part) : writeString(part.value)))
        .join(' + ');
    case 'array': {
      const inner = `${indent}  `;
      const items = value.items.map(item => printValue(item, inner, inner.length, notes));
      const line = `[${items.join(', ')}]`;
      if (!hasTrivia(value, notes) && fits(items, line, column) && value.items.every(isScalar)) return line;
      const lines = value.items.flatMap((item, index) => {
        const comma = index < items.length - 1 ? ',' : '';
        return [
          ...leadingLines(item, notes, inner),
          `${inner}${items[index]}${comma}${trailingOf(item, notes)}`,
        ];
      });
      return inBraces('[', value, lines, indent, ']', notes);
    }
    case 'object': {
      const inner = `${indent}  `;
      const lines = inSourceOrder(value.fields, value.errors).flatMap(field => {
        const printed = isError(field) ? sourceTextOf(field) : printField(field, inner, notes);
        return [...leadingLines(field, notes, inner), `${inner}${printed}${trailingOf(field, notes)}`];
      });
      return inBraces('{', value, lines, indent, '}', notes);
    }
  }
}

const printVariable = ({ name, fallback }: Variable): string =>
  `env(${writeString(name)}${fallback === undefined ? '' : `, ${writeString(fallback)}`})`;

const hasTrivia = (value: ArrayValue, { trivia }: PrintContext): boolean =>
  trivia.opening.has(value) ||
  trivia.closing.has(value) ||
  value.items.some(item => trivia.leading.has(item) || trivia.trailing.has(item));

const isScalar = ({ kind }: Value) => kind !== 'array' && kind !== 'object';

const fits = (parts: readonly string[], line: string, column: number) =>
  column + line.length <= width && parts.every(part => !part.includes('\n'));

/**
 * Prints `"""…"""` when that preserves the value. Otherwise a parsed text is printed as its source, and a
 * built one as `"…"`.
 */
function printText({ value, span }: StringValue, indent: string, closeIndent: string): string {
  const written = span.source.text.slice(span.start, span.end);
  return (
    writeText(value, indent, closeIndent) ?? (written.startsWith(textMark) ? written : writeString(value))
  );
}

/** A letter or `_`, then letters, digits, `_`, `-`. */
export const isIdentifier = (text: string) => /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);

/** Strings that are still strings without quotes. */
const bare = /^(?:[\p{L}_][\p{L}\p{M}\p{N}_.-]*|\.{1,2}\/[\p{L}\p{M}\p{N}_./-]+|\$\{[^{}\r\n]*\})$/u;
const reserved = new Set(['true', 'false', 'null', 'string', 'number', 'boolean', 'range', 'enum']);

function printString({ value, quote }: StringValue): string {
  return quote === 'bare' && bare.test(value) && !reserved.has(value) ? value : writeString(value);
}

/** Whether a node is text that could not be parsed. */
const isError = (node: Anchor): node is ErrorNode => node.kind === 'error' || node.kind === 'overwritten';

/** The source text of an error node. */
const sourceTextOf = ({ span }: ErrorNode): string => span.source.text.slice(span.start, span.end);

/** Merges nodes and error nodes in source order. */
function inSourceOrder<T extends { readonly span: Span }>(
  nodes: readonly T[],
  errors: readonly ErrorNode[] = [],
): readonly (T | ErrorNode)[] {
  if (errors.length === 0) return nodes;
  const left = [...errors];
  const ordered: (T | ErrorNode)[] = [];
  for (const node of nodes) {
    while (left[0] && left[0].span.source === node.span.source && left[0].span.start < node.span.start)
      ordered.push(left.shift()!);
    ordered.push(node);
  }
  return [...ordered, ...left];
}

/** Comments and blank lines above a node: those of its source, then those of the caller. */
function leadingLines(node: Anchor, { trivia, comments }: PrintContext, indent: string): readonly string[] {
  const read = trivia.leading.get(node) ?? [];
  const given = comments.get(node as Declaration | BodyItem);
  if (read.length === 0 && given === undefined) return [];
  return [...read, ...(given === undefined ? [] : commentLines(given))].map(line => line && indent + line);
}

/** The trailing comment on the last line of a node, with a blank before it. */
function trailingOf(node: Anchor, { trivia }: PrintContext): string {
  const comment = trivia.trailing.get(node);
  return comment === undefined ? '' : ` ${comment}`;
}

/** Lines between brackets, with the comments at both ends. */
function inBraces(
  open: '{' | '[',
  container: Container,
  lines: readonly string[],
  indent: string,
  close: '}' | ']',
  { trivia }: PrintContext,
): string {
  const opening = trivia.opening.get(container);
  const closing = (trivia.closing.get(container) ?? []).map(line => line && `${indent}  ${line}`);
  if (lines.length === 0 && closing.length === 0 && opening === undefined) return open === '{' ? '{ }' : '[]';
  return [`${open}${opening === undefined ? '' : ` ${opening}`}`, ...lines, ...closing, indent + close].join(
    '\n',
  );
}

/** Comments from `text`, one `#` per line. */
const commentLines = (text: string): readonly string[] =>
  text.split(/\r?\n|\r/).map(line => `# ${line}`.trimEnd());
