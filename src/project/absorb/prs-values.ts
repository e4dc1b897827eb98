import { canonicalBlock } from '../../resolve/catalogue.ts';
import type { ArrayValue, Field, ObjectValue, StringValue, Value } from '../../syntax/ast.ts';
import { field as fieldOf, value as nodeOf } from '../../syntax/build.ts';
import type { Notes } from '../../syntax/print-notes.ts';
import { printField, printValue } from '../../syntax/print-values.ts';
import { readTrivia } from '../../syntax/trivia.ts';
import type { Source } from '../../text/source.ts';
import type { Change, Key } from './fields.ts';
import { isBlank } from './hunks.ts';
import {
  declarationsOf,
  hasLine,
  indentAt,
  insertBeside,
  lineRange,
  nodesOf,
  type Range,
  replaced,
  withoutSpan,
} from './prs-source.ts';

/** An entry of a block, and the source that declares it. */
export interface Entry {
  readonly block: string;
  readonly name: string;
  readonly file: string;
  /** From 0; finds the entry where the source spells its name in another way. */
  readonly line?: number;
}

/** The text of a `.prs` source with changed fields of an entry; `undefined` where they cannot be written. */
export function changeEntry(text: string, changes: readonly Change[], entry: Entry): string | undefined {
  let next: string | undefined = text;
  for (const change of changes) {
    const own: Field | undefined = next === undefined ? undefined : findEntry(next, entry);
    next = own?.value && changeField(next!, own, change);
  }
  return next;
}

/** Whether an entry is a plain text, which stands for its fields. */
export const isShorthand = (text: string, entry: Entry): boolean =>
  entry.file.endsWith('.prs') && findEntry(text, entry)?.value?.kind === 'string';

/** The text of a `.prs` source without an entry. */
export function removeEntry(text: string, entry: Entry): string | undefined {
  const own = findEntry(text, entry);
  return own && withoutSpan(text, own.span);
}

function findEntry(text: string, { block, name, file, line }: Entry): Field | undefined {
  const source = { name: file, text };
  const fields = declarationsOf(source).flatMap(one =>
    one.kind === 'block' && canonicalBlock(one.name) === canonicalBlock(block)
      ? one.body.items.filter(item => item.kind === 'field')
      : [],
  );
  const isAround = ({ span }: Field) => line !== undefined && hasLine(source, span, line);
  return fields.find(({ key }) => key === name) ?? fields.find(isAround);
}

function changeField(text: string, { value, span }: Field, change: Change): string | undefined {
  if (value?.kind === 'object') return inObject(text, value, change);
  if (value?.kind !== 'string') return undefined;
  // A command that is only a text has that as its description, too.
  const whole = { prompt: true, description: value.value, content: value.value };
  const next = replaced(text, value.span, print(whole, indentAt(text, span.start)));
  const object = nodesOf({ name: '', text: next }).find(
    one => one.kind === 'object' && one.span.start === value.span.start,
  );
  return object && inObject(next, object as ObjectValue, change);
}

function inValue(text: string, value: Value | undefined, change: Change): string | undefined {
  if (value?.kind === 'object') return inObject(text, value, change);
  return value?.kind === 'array' ? inArray(text, value, change) : undefined;
}

function inObject(text: string, object: ObjectValue, change: Change): string | undefined {
  const { path, value } = change;
  const [key, ...rest] = path as [Key, ...Key[]];
  const own = object.fields.find(one => one.key === String(key));
  if (own && rest.length > 0) return inValue(text, own.value, { ...change, path: rest });
  if (value === undefined) return own && withoutSpan(text, own.span);
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  if (own?.value) return replaced(text, own.value.span, print(nested, indentAt(text, own.span.start)));
  return insertAfter(text, object.fields, undefined, object.span, indent =>
    inLine(printField(fieldOf(String(key), nodeOf(nested)), indent, noNotes())),
  );
}

function inArray(text: string, array: ArrayValue, change: Change): string | undefined {
  const { path, value, isNew } = change;
  const [at, ...rest] = path as [Key, ...Key[]];
  const own = array.items[Number(at)];
  if (rest.length > 0) return inValue(text, own, { ...change, path: rest });
  if (value === undefined) return own && withoutSpan(text, own.span);
  if (own && !isNew) return replaced(text, own.span, print(value, indentAt(text, own.span.start)));
  const last = array.items[Number(at) - 1];
  if (last || !own) return insertAfter(text, array.items, last, array.span, indent => print(value, indent));
  const { start } = own.span;
  const isAlone = isBlank(text.slice(lineRange(text, start).start, start));
  const indent = indentAt(text, start);
  return replaced(text, { start, end: start }, print(value, indent) + (isAlone ? `\n${indent}` : ', '));
}

/** The text of a source with values before or after a member of a list; `undefined` where the text is none. */
export function insertMembers(
  source: Source,
  member: StringValue,
  values: readonly string[],
  isBefore: boolean,
): string | undefined {
  const { start } = member.span;
  const item = nodesOf(source).find(one => 'value' in one && one.kind === 'item' && one.value === member);
  if (item) {
    const indent = indentAt(source.text, start);
    const lines = values.map(value => `${indent}- ${print(value, indent)}`);
    return insertBeside(source.text, item.span, isBefore, lines);
  }
  let next: string | undefined = source.text;
  for (const value of values.toReversed()) {
    const isMember = ({ span }: Value) => span.start <= start && start < span.end;
    const array: ArrayValue | undefined = nodesOf({ name: '', text: next })
      .filter((one): one is ArrayValue => one.kind === 'array')
      .findLast(({ items }) => items.some(isMember));
    if (!array) return undefined;
    const at = array.items.findIndex(isMember) + (isBefore ? 0 : 1);
    next = inArray(next, array, { path: [at], value, isNew: true });
    if (next === undefined) return undefined;
  }
  return next;
}

const noNotes = (): Notes => ({
  trivia: readTrivia({ source: { name: '', text: '' }, declarations: [] }),
  comments: new Map(),
});

const print = (value: unknown, indent: string): string =>
  inLine(printValue(nodeOf(value), indent, indent.length, noNotes()));

const maxInLine = 80;

/** A short value on one line, whatever the printer makes of it. */
function inLine(printed: string): string {
  const line = printed
    .split('\n')
    .map(part => part.trim())
    .join(' ');
  return printed.includes('"""') || line.length > maxInLine ? printed : line;
}

/** A source with a part after one of those between two brackets, else after the last, laid out as they are. */
function insertAfter(
  text: string,
  parts: readonly { readonly span: Range }[],
  after: { readonly span: Range } | undefined,
  around: Range,
  say: (indent: string) => string,
): string {
  const last = (after ?? parts.at(-1))?.span;
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
  const rest = text.slice(end, lineRange(text, end).end);
  const isSeparated = hasCommas && one && other;
  const comma = last && isSeparated && !rest.trimStart().startsWith(',') ? ',' : '';
  const isBetween = after !== undefined && after !== parts.at(-1);
  const next = end + rest.length;
  const said = say(indent) + (isBetween && isSeparated ? ',' : '');
  return `${text.slice(0, end)}${comma}${text.slice(end, next)}\n${indent}${said}${text.slice(next)}`;
}
