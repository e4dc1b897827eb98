import { canonicalBlock } from '../../resolve/catalogue.ts';
import type { Declaration, Document, Field, StringValue, Value } from '../../syntax/ast.ts';
import { block as blockOf, documentOf, field as fieldOf, value as nodeOf } from '../../syntax/build.ts';
import { writeString } from '../../syntax/literals.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument, printField } from '../../syntax/print.ts';
import { readTrivia } from '../../syntax/trivia.ts';
import { memoizeByObject } from '../../text/memo.ts';
import { positionAt, type Source, type Span } from '../../text/source.ts';
import type { Change, Entry, Key } from './fields.ts';
import { isBlank } from './hunks.ts';
import type { Candidate, EditContext } from './workspace.ts';

/** Offsets of a part of a text. */
export type Range = Pick<Span, 'start' | 'end'>;

/** A node of the syntax tree of a `.prs` source. */
interface PrsNode {
  readonly kind: string;
  readonly span: Span;
}

export const isPrs = ({ name }: Source): boolean => name.endsWith('.prs');

export const declarationsOf = memoizeByObject(
  (source: Source): readonly Declaration[] => parseDocument(source, () => {}).declarations,
);

/** All nodes of a source, each before those in it. */
export const nodesOf = memoizeByObject((source: Source): readonly PrsNode[] => {
  const visited = new Set<unknown>();
  const found: PrsNode[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || visited.has(value)) return;
    visited.add(value);
    if ('span' in value && 'kind' in value && value.span) found.push(value as PrsNode);
    for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) visit(part);
  };
  visit(declarationsOf(source));
  return found;
});

export const isString = (node: PrsNode): node is StringValue => node.kind === 'string';

/** Index of the line of an offset. */
export const lineAt = (source: Source, offset: number): number => positionAt(source, offset).line - 1;

/** Whether a part of a source has a line, from 0. */
export const hasLine = (source: Source, { start, end }: Range, line: number): boolean =>
  lineAt(source, start) <= line && lineAt(source, end) >= line;

/** Where the line of an offset begins and ends. */
export function lineRange(text: string, offset: number): Range {
  const end = text.indexOf('\n', offset);
  return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end };
}

/** The indentation of the line of an offset. */
export const indentAt = (text: string, offset: number): string =>
  /^\s*/.exec(text.slice(lineRange(text, offset).start))![0];

export const replaced = (text: string, { start, end }: Range, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** The `.prs` sources that may be changed. */
export const prsSources = ({ sources, sourceOf }: EditContext): Source[] =>
  sources.flatMap(file => (file.endsWith('.prs') ? (sourceOf(file) ?? []) : []));

/** The candidate that gives a source another text. */
export const withText = ({ name }: Source, text: string): Candidate => new Map([[name, text]]);

/** The printed lines of the items of a block, or with `name` of the block. */
export function printBlock(items: Parameters<typeof blockOf>[1], name?: string): string[] {
  const lines = printDocument(documentOf([blockOf(name ?? 'a', items)]))
    .trimEnd()
    .split('\n');
  return name === undefined ? lines.slice(1, -1) : lines;
}

/** Adds lines at the end of a source, after a blank line. */
export const appendTo = (source: Source, lines: readonly string[]): Candidate =>
  withText(source, `${source.text.trimEnd()}\n\n${lines.join('\n')}\n`);

/** A text with lines before or after a part of it, which may share its lines with others. */
export function insertAdjacent(
  text: string,
  { start, end }: Range,
  isBefore: boolean,
  lines: readonly string[],
): string {
  const at = isBefore ? start : end;
  const line = lineRange(text, at);
  const [head, tail] = [text.slice(line.start, at), text.slice(at, line.end)];
  const added = lines.join('\n');
  if (isBefore && isBlank(head)) return replaced(text, { start: line.start, end: line.start }, `${added}\n`);
  if (!isBefore && /^\s*(?:#.*)?$/.test(tail))
    return replaced(text, { start: line.end, end: line.end }, `\n${added}`);
  return replaced(text, line, `${head.trimEnd()}\n${added}\n${tail.trimStart()}`);
}

/** A text with a line of a body after its opening brace. */
export function insertAfterBrace(text: string, brace: number, line: string): string {
  const { end } = lineRange(text, brace);
  const tail = text.slice(brace + 1, end);
  return /^\s*(?:#.*)?$/.test(tail)
    ? replaced(text, { start: end, end }, `\n${line}`)
    : replaced(text, { start: brace + 1, end: brace + 1 }, ` ${line.trim()}`);
}

/** A text without a part, without the lines that are the part's alone, and without a comma that is left over. */
export function withoutSpan(text: string, { start, end }: Range): string {
  const lineStart = lineRange(text, start).start;
  const lineEnd = lineRange(text, end).end;
  const [before, rest] = [text.slice(lineStart, start), text.slice(end, lineEnd)];
  if (isBlank(before) && /^\s*,?\s*(?:#.*)?$/.test(rest))
    return text.slice(0, lineStart) + text.slice(lineEnd + 1);
  const [head, tail] = [before.trimEnd(), rest.trimStart()];
  const isClosing = /^[\]}]/.test(tail);
  let line = isClosing && !/[[{]$/.test(head) ? `${head} ${tail}` : before + tail;
  if (tail.startsWith(',')) line = before + tail.slice(1).trimStart();
  else if (head.endsWith(',')) line = head.slice(0, -1) + (isClosing ? rest : ` ${tail}`);
  return text.slice(0, lineStart) + line.trimEnd() + text.slice(lineEnd);
}

const maxParts = 16;

/**
 * Ways to delete the syntax nodes around a line of a `.prs` source, from the innermost outwards. `offset` tells which of
 * the nodes on one line are meant.
 */
export function removedParts(source: Source, line: number, offset: number): Candidate[] {
  if (!isPrs(source)) return [];
  const { text } = source;
  const lines = text.split('\n');
  const found = new Set<string>();
  const size = ({ span }: PrsNode) => span.end - span.start;
  for (const { span } of [...nodesOf(source)].sort((a, b) => size(a) - size(b))) {
    const [from, to] = [lineAt(source, span.start), lineAt(source, span.end)];
    const isMeant = from < to || (span.start <= offset && offset < span.end);
    if (from > line || to < line || !isMeant) continue;
    const next = withoutSpan(text, span);
    const rest = next.split('\n');
    if (rest.length === lines.length - (to - from + 1)) {
      found.add(next);
      if (from > 0 && isBlank(lines[from - 1]!)) found.add(rest.toSpliced(from - 1, 1).join('\n'));
    } else if (!/[:=+-]\s*$/.test(text.slice(lineRange(text, span.start).start, span.start))) found.add(next);
  }
  return [...found].slice(0, maxParts).map(next => withText(source, next));
}

const parse = (text: string, { file }: Entry): Document => parseDocument({ name: file, text }, () => {});

function findEntry({ declarations, source }: Document, { block, name, line }: Entry): Field | undefined {
  const fields = declarations.flatMap(one =>
    one.kind === 'block' && canonicalBlock(one.name) === canonicalBlock(block)
      ? one.body.items.filter(item => item.kind === 'field')
      : [],
  );
  return fields.find(({ key }) => key === name) ?? fields.find(({ span }) => hasLine(source, span, line));
}

/** Whether an entry is a plain text, which stands for its fields. */
export const isShorthand = (text: string, entry: Entry): boolean =>
  entry.file.endsWith('.prs') && findEntry(parse(text, entry), entry)?.value?.kind === 'string';

/** The text of a `.prs` source without an entry. */
export function removeEntry(text: string, entry: Entry): string | undefined {
  const own = findEntry(parse(text, entry), entry);
  return own && withoutSpan(text, own.span);
}

/** A node that belongs to a document that is parsed to be changed. */
type Editable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

/**
 * The text of a `.prs` source with changed fields of an entry, which is printed with its comments; `undefined` where they
 * cannot be written.
 */
export function changeEntry(text: string, changes: readonly Change[], entry: Entry): string | undefined {
  const document = parse(text, entry);
  const notes = { trivia: readTrivia(document), comments: new Map() };
  const own: Editable<Field> | undefined = findEntry(document, entry);
  if (!own?.value) return undefined;
  if (own.value.kind === 'string') {
    const { value } = own.value;
    // A command that is only a text has that as its description, too.
    own.value = nodeOf({ prompt: true, description: value, content: value });
  }
  if (!changes.every(change => changeValue(own.value, change.path, change))) return undefined;
  return replaced(text, own.span, printField(own, indentAt(text, own.span.start), notes));
}

/** Changes a value in place; says whether that is possible. */
function changeValue(node: Value | undefined, path: readonly Key[], change: Change): boolean {
  const [key, ...rest] = path as [Key, ...Key[]];
  const { value, isNew } = change;
  const nested = nodeOf(rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));
  if (node?.kind === 'object') {
    const { fields }: Editable<typeof node> = node as Editable<typeof node>;
    const at = fields.findIndex(one => one.key === String(key));
    const own: Editable<Field> | undefined = fields[at];
    if (own && rest.length > 0) return changeValue(own.value, rest, change);
    if (value === undefined) return own !== undefined && fields.splice(at, 1).length > 0;
    if (own) own.value = nested;
    else fields.push(fieldOf(String(key), nested));
    return true;
  }
  if (node?.kind !== 'array') return false;
  const { items }: Editable<typeof node> = node as Editable<typeof node>;
  const at = Number(key);
  const own = items[at];
  if (rest.length > 0) return changeValue(own, rest, change);
  if (value === undefined) return own !== undefined && items.splice(at, 1).length > 0;
  // The node stays, because its comments belong to it.
  if (own && !isNew) Object.assign(own, nested, { span: own.span });
  else items.splice(at, 0, nested);
  return true;
}

/** The text of a source with values before or after a member of a list; `undefined` where the text is none. */
export function insertMembers(
  source: Source,
  member: StringValue,
  values: readonly string[],
  isBefore: boolean,
): string | undefined {
  const { text } = source;
  const indent = indentAt(text, member.span.start);
  const inserted = (start: number, form: (value: string) => string) =>
    replaced(text, { start, end: start }, values.map(value => form(writeString(value))).join(''));
  for (const node of nodesOf(source)) {
    if (node.kind === 'item' && 'value' in node && node.value === member) {
      const lines = values.map(value => `${indent}- ${writeString(value)}`);
      return insertAdjacent(text, node.span, isBefore, lines);
    }
    const items = node.kind === 'array' && 'items' in node ? (node.items as readonly Value[]) : [];
    const at = items.indexOf(member);
    if (at === -1) continue;
    const spans = items.map(({ span }) => span);
    const gap = gapOf(text, spans, indent);
    const [own, next] = [spans[at]!, spans[at + 1]];
    const lineEnd = lineRange(text, own.end).end;
    if (isBefore) return inserted(own.start, value => value + gap);
    // A comment behind a member stays with it.
    const isCommented = /^\s*,?\s*#/.test(text.slice(own.end, lineEnd));
    if (!isCommented) return inserted(own.end, value => gap + value);
    return next
      ? inserted(next.start, value => value + gap)
      : inserted(lineEnd, value => `\n${indent}${value}`);
  }
  return undefined;
}

/** What is between the members of a list, without comments. */
function gapOf(text: string, [one, other]: readonly Range[], indent: string): string {
  const isAlone = isBlank(text.slice(lineRange(text, one!.start).start, one!.start));
  if (!other) return isAlone ? `\n${indent}` : ', ';
  return text.slice(one!.end, other.start).replace(/[^\S\n]*#.*/g, '');
}
