import type { Declaration, Field, Reference, StringValue, Value } from '../syntax/ast.ts';
import { memoizeByObject } from '../text/memo.ts';
import { lineSpan, positionAt, type Span } from '../text/source.ts';
import { portableName } from './catalogue.ts';
import { fieldsOf } from './draft.ts';
import { findNode, type NodePath, parseNodePath } from './path.ts';
import type { LineOf, Literal, Node, Program, ProvenanceStep, ResolvedBlock, ScalarNode } from './program.ts';

interface WrittenAt {
  readonly span: Span;
  readonly step: ProvenanceStep;
}

interface WrittenLine {
  /** The line without its indentation in the source, before parameters are filled in. */
  readonly text: string;
  readonly span: Span;
  /** Whether the span contains exactly this text, so that columns in one are columns in the other. */
  readonly exact: boolean;
  readonly step: ProvenanceStep;
}

/**
 * Finds where characters `from` to `to` of a value were written: a span for each source line that they cover.
 * Text that was filled in or unescaped gets the span of its whole line. A value that is not a string gets the
 * span of its declaration.
 */
export function writtenAt(node: ScalarNode, from: number, to: number): WrittenAt[] {
  const lines = String(node.value).split('\n');
  const origins = writtenOf(node);
  const found: WrittenAt[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    if ((start < to && end > from) || (from === to && start <= from && from <= end)) {
      const origin = origins[index];
      if (origin)
        found.push(pieceOf(origin, line, Math.max(0, from - start), Math.min(line.length, to - start)));
    }
    start = end + 1;
  }
  return found.length > 0 ? found : [{ span: declared(node).span, step: declared(node) }];
}

function pieceOf(
  { text, span, exact, step }: WrittenLine,
  line: string,
  from: number,
  to: number,
): WrittenAt {
  let same = 0;
  while (same < line.length && line[same] === text[same]) same++;
  if (!exact || to > same) return { span, step };
  return { span: { source: span.source, start: span.start + from, end: span.start + to }, step };
}

/** Arguments and parameters fill in text; the text around it was declared before. */
const declared = ({ steps }: Pick<Node, 'steps'>): ProvenanceStep =>
  steps.findLast(({ operation }) => operation !== 'parameter') ?? steps.at(-1)!;

/** For each line of a value, the source line that it was written on. Both are in the same order. */
function originsOfLines(node: ScalarNode, lines: readonly string[]): (WrittenLine | undefined)[] {
  if (node.lines?.length === lines.length) return node.lines.map(writtenLineOf);
  const written = writtenLines(node);
  if (written.length === 0) return [];
  if (written.length === lines.length) return written;
  let next = 0;
  return lines.map(line => {
    const words = wordsOf(line);
    if (words === '') return undefined;
    const at = written.findIndex(
      (one, index) => index >= next && one !== undefined && wordsOf(one.text) === words,
    );
    // A line that parameters changed is expected directly after the previous match.
    const own = at === -1 && isTemplate(written[next]?.text ?? '') ? next : at;
    if (own === -1) return undefined;
    next = own + 1;
    return written[own];
  });
}

function writtenLineOf(line: LineOf | undefined): WrittenLine | undefined {
  return line && writtenOf(line.node)[line.line];
}

const writtenOf = memoizeByObject((node: ScalarNode) => originsOfLines(node, String(node.value).split('\n')));

/** The depth of headings may have changed. */
const wordsOf = (line: string): string => line.trim().replace(/^#{1,6}(?=\s)/, '#');

const isTemplate = (text: string): boolean => /\{\{|\$\{/.test(text);

function writtenLines(node: ScalarNode): (WrittenLine | undefined)[] {
  if (node.parts) {
    return node.parts.flatMap((part, index) => [...(index > 0 ? [undefined] : []), ...writtenLines(part)]);
  }
  const { literal } = node;
  if (!literal) return [];
  const { source, start, end } = literal.span;
  const step =
    node.steps.findLast(
      ({ span }) => span.source.name === source.name && span.start <= start && end <= span.end,
    ) ?? declared(node);
  return linesOfLiteral(literal).map(line => ({ ...line, step }));
}

function linesOfLiteral(literal: Literal): Omit<WrittenLine, 'step'>[] {
  const { source, start, end } = literal.span;
  const lines = literal.value.split('\n');
  switch (literal.quote) {
    case 'text':
      return below(literal, lines, literal.contentStart ?? start);
    case 'markdown':
      return below(literal, lines, start);
    case 'yaml':
      return lines.map(text => lineIn(literal.span, text));
    default: {
      const quotes = literal.quote === 'bare' ? 0 : 1;
      const inner = { source, start: start + quotes, end: end - quotes };
      const exact = source.text.slice(inner.start, inner.end) === literal.value;
      return lines.map(text => ({ text, span: exact ? inner : literal.span, exact }));
    }
  }
}

/** The lines of a text that is unchanged from its source: line i is i lines below the first one. */
function below({ span }: Literal, lines: readonly string[], first: number): Omit<WrittenLine, 'step'>[] {
  const { source } = span;
  const { line } = positionAt(source, first);
  return lines.map((text, index) => lineIn(lineSpan(source, line + index), text));
}

/** Finds a line of a text in the span that contains it. */
function lineIn(span: Span, text: string): Omit<WrittenLine, 'step'> {
  const words = text.trim();
  const at = words === '' ? -1 : span.source.text.slice(span.start, span.end).indexOf(words);
  if (at === -1) return { text, span, exact: false };
  const start = span.start + at - (text.length - text.trimStart().length);
  const exact = span.source.text.slice(start, start + text.length) === text;
  const [from, length] = exact ? [start, text.length] : [span.start + at, words.length];
  return { text, span: { source: span.source, start: from, end: from + length }, exact };
}

/** The span of the last declaration that contributed to a value. */
export interface DeclaredAt {
  readonly file: string;
  readonly line: number;
}

/**
 * Finds the declaration of a path used in emit, which may use names of the portable model and continue after
 * the value.
 */
export function findDeclaration(path: string, program: Program): DeclaredAt | undefined {
  const span = declarationSpan(path, program);
  return span && { file: span.source.name, line: positionAt(span.source, span.start).line };
}

/** The span of the declaration itself, for findings that show it. */
export function declarationSpan(path: string, program: Program): Span | undefined {
  const parsed = parseNodePath(nameIn(path));
  if (!parsed) return undefined;
  if (parsed[0] === 'params') return parameterSpan(parsed[1], program);
  for (let length = parsed.length; length > 0; length--) {
    const found =
      findNode(program, parsed.slice(0, length)) ?? findPortable(program, parsed.slice(0, length));
    if (found) return declared(found).span;
  }
  return undefined;
}

/**
 * The part of a path before an unquoted slash (followed by a file of the entry) or blank (followed by a
 * remark).
 */
const nameIn = (path: string): string => /^(?:"(?:[^"\\]|\\.)*"|[^\s/"])*/.exec(path)![0];

/** The span of a parameter; for all parameters, that of the first unused one, which is what outputs list. */
function parameterSpan(name: string | number | undefined, { parameters }: Program): Span | undefined {
  const found =
    name === undefined ? parameters.find(({ used }) => !used) : parameters.find(one => one.name === name);
  return (found ?? parameters[0])?.span;
}

/** Finds a field by its name in the portable model: `globs` is `applyTo` in sources. */
function findPortable(program: Program, path: NodePath): Node | ResolvedBlock | undefined {
  const [block, name] = [path[0], path.at(-1)];
  const parent = path.length > 1 ? findNode(program, path.slice(0, -1)) : undefined;
  if (!parent || typeof name !== 'string' || typeof block !== 'string') return undefined;
  const fields = 'entries' in parent ? fieldsOf(parent) : parent.kind === 'object' ? [...parent.fields] : [];
  return fields.find(([key]) => portableName(block, key) === name)?.[1];
}

/** The key of a reference in `SourceUnit.references`: its path and version as written. */
export const writtenForm = ({ path, version }: Pick<Reference, 'path' | 'version'>): string =>
  version === undefined ? path : `${path}@${version}`;

/** Every `@inherit` and `@use` of a declaration, including those inside a body. */
export function referencesOf(declaration: Declaration): readonly Reference[] {
  if (declaration.kind === 'inherit' || declaration.kind === 'use') return [declaration.reference];
  const uses = declaration.body?.items.filter(item => item.kind === 'use') ?? [];
  return uses.map(({ reference }) => reference);
}

/** Whether a declaration changes skills. */
export function declaresSkills(declaration: Declaration): boolean {
  if (declaration.kind === 'inherit' || declaration.kind === 'use') return false;
  if (declaration.kind === 'block') return declaration.name === 'skills';
  return declaration.path.segments.some(({ name }) => name === 'skills');
}

/** Every file that a `references` field in the skills of a declaration names, as written. */
export function skillReferencesOf(declaration: Declaration): readonly StringValue[] {
  if (declaration.kind === 'inherit' || declaration.kind === 'use' || !declaresSkills(declaration)) return [];
  const items = declaration.body?.items ?? [];
  const fieldsIn = (fields: readonly Field[]): Field[] =>
    fields.flatMap(field => [field, ...(field.value?.kind === 'object' ? fieldsIn(field.value.fields) : [])]);
  const values: (Value | undefined)[] = fieldsIn(items.filter(item => item.kind === 'field'))
    .filter(({ key }) => key === 'references')
    .map(({ value }) => value);
  if (declaration.kind !== 'block' && declaration.path.segments.at(-1)!.name === 'references') {
    if (declaration.kind === 'override') values.push(declaration.value);
    for (const item of items) if (item.kind === 'item') values.push(item.value);
  }
  return values
    .flatMap((value): readonly (Value | undefined)[] => (value?.kind === 'array' ? value.items : [value]))
    .filter(value => value?.kind === 'string');
}
