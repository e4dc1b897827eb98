import { canonicalBlock } from '../../resolve/catalogue.ts';
import type { ArrayValue, Field, ObjectValue, Value } from '../../syntax/ast.ts';
import { field as fieldOf, value as nodeOf } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import type { Notes } from '../../syntax/print-notes.ts';
import { printField, printValue } from '../../syntax/print-values.ts';
import { readTrivia } from '../../syntax/trivia.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { positionAt } from '../../text/source.ts';
import type { Change, Key } from './changes.ts';
import { withFrontMatter } from './front-values.ts';
import { withNamedOwn } from './own-rule.ts';

/** An entry of a block, in the source that declares it. */
export interface Entry {
  readonly block: string;
  readonly name: string;
  readonly file: string;
  /** Counted from 0, where a source says the name otherwise. */
  readonly line?: number;
  /** It is what stands in the block itself; its name is that of the block. */
  readonly isOwn?: boolean;
}

/** A source in which an entry says something else; nothing but that is laid out anew. `undefined`: it cannot be said. */
export async function withValues(
  text: string,
  changes: readonly Change[],
  entry: Entry,
): Promise<string | undefined> {
  if (isMarkdownPath(entry.file)) return withFrontMatter(text, changes);
  if (entry.file.endsWith('.json')) return withJson(text, changes, entry);
  return entry.file.endsWith('.prs') ? withMembers(text, changes, entry) : undefined;
}

async function withJson(
  text: string,
  changes: readonly Change[],
  { name }: Entry,
): Promise<string | undefined> {
  const { applyEdits, modify, parseTree, findNodeAtLocation } = await import('jsonc-parser');
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  let said = text;
  for (const { path, value, isNew = false } of changes) {
    const place = ['mcpServers', name];
    const tree = parseTree(said);
    if (!tree || !findNodeAtLocation(tree, place)) return undefined;
    const options = { formattingOptions, isArrayInsertion: isNew };
    said = applyEdits(said, modify(said, [...place, ...path], value, options));
  }
  return said;
}

function withMembers(text: string, changes: readonly Change[], entry: Entry): string | undefined {
  let said = asNamed(text, entry);
  if (said === undefined) return undefined;
  for (const change of changes) {
    const own = findEntry(said, entry);
    said = own?.value && withField(said, own, change);
    if (said === undefined) return undefined;
  }
  return said;
}

/** A source in which an entry has a name of its own. */
const asNamed = (text: string, { block, file, isOwn }: Entry): string | undefined =>
  isOwn ? withNamedOwn(text, file, block) : text;

/** Whether an entry is nothing but a text, which stands for its fields. */
export const isShorthand = (text: string, entry: Entry): boolean =>
  entry.file.endsWith('.prs') && !entry.isOwn && findEntry(text, entry)?.value?.kind === 'string';

/** A `.prs` source without an entry. */
export function withoutEntry(text: string, entry: Entry): string | undefined {
  const named = asNamed(text, entry);
  const own = named === undefined ? undefined : findEntry(named, entry);
  return own && withoutSpan(named!, own.span);
}

/** Indexes of the first and the last line of an entry in a `.prs` source. */
export function linesOfEntry(text: string, entry: Entry): readonly [number, number] | undefined {
  const own = entry.file.endsWith('.prs') ? findEntry(text, entry) : undefined;
  const lineOf = (offset: number) => positionAt({ name: entry.file, text }, offset).line - 1;
  return own && [lineOf(own.span.start), lineOf(own.span.end)];
}

function findEntry(text: string, { block, name, file, line }: Entry): Field | undefined {
  const source = { name: file, text };
  let near: Field | undefined;
  for (const declaration of parseDocument(source, () => {}).declarations) {
    if (declaration.kind !== 'block' || canonicalBlock(declaration.name) !== canonicalBlock(block)) continue;
    for (const item of declaration.body.items) {
      if (item.kind !== 'field') continue;
      if (item.key === name) return item;
      const [from, to] = [positionAt(source, item.span.start).line, positionAt(source, item.span.end).line];
      if (line !== undefined && from <= line + 1 && to >= line + 1) near ??= item;
    }
  }
  return near;
}

function withField(text: string, own: Field, change: Change): string | undefined {
  const { value } = own;
  if (value?.kind === 'object') return inObject(text, value, change);
  // A command that is only a text has that as its description, too.
  if (value?.kind !== 'string') return undefined;
  const whole = { prompt: true, description: value.value, content: value.value };
  const { start, end } = value.span;
  const said = print(nodeOf(whole), indentAt(text, own.span.start));
  const next = text.slice(0, start) + said + text.slice(end);
  const object = reparse(next, start);
  return object && inObject(next, object, change);
}

function reparse(text: string, start: number): ObjectValue | undefined {
  for (const declaration of parseDocument({ name: '', text }, () => {}).declarations) {
    if (declaration.kind !== 'block') continue;
    for (const item of declaration.body.items)
      if (item.kind === 'field' && item.value?.kind === 'object' && item.value.span.start === start)
        return item.value;
  }
  return undefined;
}

function inValue(text: string, value: Value | undefined, change: Change): string | undefined {
  if (value?.kind === 'object') return inObject(text, value, change);
  return value?.kind === 'array' ? inArray(text, value, change) : undefined;
}

function inObject(text: string, object: ObjectValue, { path, value, isNew }: Change): string | undefined {
  const [key, ...rest] = path as [Key, ...Key[]];
  const own = object.fields.find(one => one.key === String(key));
  if (own && rest.length > 0) return inValue(text, own.value, { path: rest, value, ...(isNew && { isNew }) });
  if (value === undefined) return own && withoutSpan(text, own.span);
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  if (own?.value) {
    const { start, end } = own.value.span;
    return text.slice(0, start) + print(nodeOf(nested), indentAt(text, own.span.start)) + text.slice(end);
  }
  return withNext(text, object.fields, undefined, object.span, indent =>
    inLine(printField(fieldOf(String(key), nodeOf(nested)), indent, noNotes())),
  );
}

/** A source with another member of a list, which is new at its place or takes the place of one. */
export function inArray(text: string, array: ArrayValue, { path, value, isNew }: Change): string | undefined {
  const [at, ...rest] = path as [Key, ...Key[]];
  const own = array.items[Number(at)];
  if (rest.length > 0) return inValue(text, own, { path: rest, value, ...(isNew && { isNew }) });
  if (value === undefined) return own && withoutSpan(text, own.span);
  if (own && !isNew) {
    const { start, end } = own.span;
    return text.slice(0, start) + print(nodeOf(value), indentAt(text, start)) + text.slice(end);
  }
  const last = array.items[Number(at) - 1];
  if (last || !own)
    return withNext(text, array.items, last, array.span, indent => print(nodeOf(value), indent));
  const { start } = own.span;
  const isAlone = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
  const said = print(nodeOf(value), indentAt(text, start));
  return `${text.slice(0, start)}${said}${isAlone ? `\n${indentAt(text, start)}` : ', '}${text.slice(start)}`;
}

const noNotes = (): Notes => ({
  trivia: readTrivia({ source: { name: '', text: '' }, declarations: [] }),
  comments: new Map(),
});

const print = (value: Value, indent: string): string =>
  inLine(printValue(value, indent, indent.length, noNotes()));

/** What the printer spreads over lines, in one where it is short. */
function inLine(printed: string): string {
  const line = printed
    .split('\n')
    .map(part => part.trim())
    .join(' ');
  return printed.includes('"""') || line.length > mostInLine ? printed : line;
}

const mostInLine = 80;

const indentAt = (text: string, at: number): string =>
  /^\s*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];

interface Place {
  readonly start: number;
  readonly end: number;
}

/** What is put behind one of the parts between two brackets, else behind the last, laid out as they are. */
function withNext(
  text: string,
  parts: readonly { readonly span: Place }[],
  behind: { readonly span: Place } | undefined,
  around: Place,
  say: (indent: string) => string,
): string {
  const last = (behind ?? parts.at(-1))?.span;
  const [one, other] = parts.map(({ span }) => span);
  const isList = text[around.start] === '[';
  const close = around.end - 1;
  const end = last?.end ?? around.start + 1;
  const hasCommas = one && other ? text.slice(one.end, other.start).includes(',') : isList;
  if (!/\n[^\S\n]*$/.test(text.slice(0, close))) {
    const gap = last ? `${hasCommas ? ',' : ''} ` : isList ? '' : ' ';
    const rest = text.slice(end, close);
    const tail = rest.trim() === '' ? (isList ? '' : ' ') : rest;
    return text.slice(0, end) + gap + say(indentAt(text, around.start)) + tail + text.slice(close);
  }
  const indent = last ? indentAt(text, last.start) : `${indentAt(text, around.start)}  `;
  const rest = text.slice(end).split('\n', 1)[0]!;
  const comma = last && one && other && hasCommas && !rest.trimStart().startsWith(',') ? ',' : '';
  const isBetween = behind !== undefined && behind !== parts.at(-1);
  const next = end + rest.length;
  const said = say(indent) + (isBetween && hasCommas && one && other ? ',' : '');
  return `${text.slice(0, end)}${comma}${text.slice(end, next)}\n${indent}${said}${text.slice(next)}`;
}

/** Without a part, and without the line that it had to itself or the comma beside it. */
function withoutSpan(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const [before, rest] = [text.slice(lineStart, start), text.slice(end).split('\n', 1)[0]!];
  if (before.trim() === '' && /^\s*,?\s*(?:#.*)?$/.test(rest))
    return text.slice(0, lineStart) + text.slice(end + rest.length + 1);
  const comma = /^\s*,\s*/.exec(text.slice(end))?.[0].length;
  if (comma !== undefined) return text.slice(0, start) + text.slice(end + comma);
  const head = text.slice(0, start).replace(/\s*,\s*$/, '');
  return head.length < start && text[head.length] === ','
    ? head + text.slice(end)
    : text.slice(0, start) + text.slice(end).trimStart();
}
