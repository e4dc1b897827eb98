import type {
  ArrayValue,
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
  Variable,
} from './ast.ts';
import { textMark, writeString, writeText } from './literals.ts';
import { splitReference } from './reference.ts';
import { type Anchor, type Container, readTrivia, type Trivia } from './trivia.ts';

/** Comments to print above a declaration or body item, without `#`. Each line becomes one comment. */
type Comments = ReadonlyMap<Anchor, string>;

/** What the printer needs in addition to the nodes. */
interface PrintContext {
  readonly trivia: Trivia;
  readonly comments: Comments;
}

/**
 * Prints a document in the canonical layout: two spaces per level, and a blank line between declarations.
 * Parsing the result gives the same document except for spans, the kind of quotes, and text that `"""` cannot
 * express (see `writeText`). Comments of the source are kept, and so are blank lines, at most one in a row.
 */
export function printDocument(document: Document, comments: Comments = new Map()): string {
  const notes: PrintContext = { trivia: readTrivia(document), comments };
  const { declarations } = document;
  const printed = declarations.map(declaration => printDeclaration(declaration, notes));
  // Consecutive imports have no blank lines between them.
  const isApart = (index: number): boolean => {
    const [before, declaration] = [declarations[index - 1]!, declarations[index]!];
    return !isImport(before) || !isImport(declaration) || comments.has(declaration);
  };
  const lines = linesOf(declarations, printed, '', notes, isApart);
  const { closing = [] } = notes.trivia.of(document);
  if (closing.length > 0 && lines.length > 0 && closing[0] !== '') lines.push('');
  return [...lines, ...closing].map(line => `${line}\n`).join('');
}

const isImport = ({ kind }: Declaration) => kind === 'use' || kind === 'inherit';

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
      const { body, value } = declaration;
      if (!value) return `${head} ${printBody(body!, notes)}`;
      const lines = linesOf([value], [printValue(value, '  ', 2, notes)], '  ', notes);
      return `${head} ${inBrackets('{}', declaration, lines, '', notes)}`;
    }
  }
}

function printBody(body: Body, notes: PrintContext): string {
  const { items } = body;
  const printed = items.map(item => printItem(item, notes));
  const isLong = (index: number) => printed[index]!.includes('\n') || notes.comments.has(items[index]!);
  // Items of several lines are separated by blank lines, unless the source decides otherwise.
  const isDecided = (index: number) =>
    notes.trivia.isRead(items[index - 1]!) && notes.trivia.isRead(items[index]!);
  const isApart = (index: number) => !isDecided(index) && (isLong(index) || isLong(index - 1));
  return inBrackets('{}', body, linesOf(items, printed, '  ', notes, isApart), '', notes);
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

function printType(type: TypeExpression): string {
  if (type.name === 'range') return `range(${type.low}..${type.high})`;
  return type.name === 'enum' ? `enum(${type.options.map(writeString).join(', ')})` : type.name;
}

/** `column` is where the value starts, which decides how much fits on the line. */
function printValue(value: Value, indent: string, column: number, notes: PrintContext): string {
  switch (value.kind) {
    case 'string':
      return value.quote === 'text' ? printText(value, `${indent}  `, indent) : printString(value);
    case 'number':
      return value.raw;
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
      const separated = items.map((item, index) => (index < items.length - 1 ? `${item},` : item));
      return inBrackets('[]', value, linesOf(value.items, separated, inner, notes), indent, notes);
    }
    case 'object': {
      const inner = `${indent}  `;
      const fields = value.fields.map(field => printField(field, inner, notes));
      return inBrackets('{}', value, linesOf(value.fields, fields, inner, notes), indent, notes);
    }
  }
}

const printVariable = ({ name, fallback }: Variable): string =>
  `env(${writeString(name)}${fallback === undefined ? '' : `, ${writeString(fallback)}`})`;

function hasTrivia(value: ArrayValue, { trivia }: PrintContext): boolean {
  const { opening, closing } = trivia.of(value);
  const isNoted = (item: Value): boolean => {
    const { above = [], behind } = trivia.of(item);
    return above.length > 0 || behind !== undefined;
  };
  return opening !== undefined || closing !== undefined || value.items.some(isNoted);
}

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

/**
 * The lines of the nodes of a container, with their comments and blank lines: those of the source, then those
 * of the caller. `isApart` says where a built node has a blank line above it.
 */
function linesOf(
  nodes: readonly Anchor[],
  printed: readonly string[],
  indent: string,
  { trivia, comments }: PrintContext,
  isApart: (index: number) => boolean = () => false,
): string[] {
  return nodes.flatMap((node, index) => {
    const { above: read = [], behind } = trivia.of(node);
    const given = comments.get(node)?.split(/\r?\n|\r/) ?? [];
    const above = [...read, ...given.map(line => `# ${line}`.trimEnd())];
    const needsBlank = index > 0 && above[0] !== '' && isApart(index);
    return [
      ...(needsBlank ? [''] : []),
      ...above.map(line => line && indent + line),
      `${indent}${printed[index]}${behind === undefined ? '' : ` ${behind}`}`,
    ];
  });
}

/** Lines between brackets, with the comments at both ends. */
function inBrackets(
  brackets: '{}' | '[]',
  container: Container,
  lines: readonly string[],
  indent: string,
  { trivia }: PrintContext,
): string {
  const [open, close] = brackets;
  const { opening, closing = [] } = trivia.of(container);
  if (lines.length === 0 && closing.length === 0 && opening === undefined)
    return brackets === '{}' ? '{ }' : '[]';
  return [
    opening === undefined ? open : `${open} ${opening}`,
    ...lines,
    ...closing.map(line => line && `${indent}  ${line}`),
    indent + close,
  ].join('\n');
}
