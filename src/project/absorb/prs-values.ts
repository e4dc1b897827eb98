import { canonicalBlock } from '../../resolve/catalogue.ts';
import type { Document, Field, StringValue, Value } from '../../syntax/ast.ts';
import { field as fieldOf, value as nodeOf } from '../../syntax/build.ts';
import { writeString } from '../../syntax/literals.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printField } from '../../syntax/print-values.ts';
import { readTrivia } from '../../syntax/trivia.ts';
import type { Source } from '../../text/source.ts';
import type { Change, Key } from './fields.ts';
import { isBlank } from './hunks.ts';
import {
  hasLine,
  indentAt,
  insertAdjacent,
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

const parse = (text: string, { file }: Entry): Document => parseDocument({ name: file, text }, () => {});

function findEntry({ declarations, source }: Document, { block, name, line }: Entry): Field | undefined {
  const fields = declarations.flatMap(one =>
    one.kind === 'block' && canonicalBlock(one.name) === canonicalBlock(block)
      ? one.body.items.filter(item => item.kind === 'field')
      : [],
  );
  const isAround = ({ span }: Field) => line !== undefined && hasLine(source, span, line);
  return fields.find(({ key }) => key === name) ?? fields.find(isAround);
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
  const written = values.map(writeString);
  for (const node of nodesOf(source)) {
    if (node.kind === 'item' && 'value' in node && node.value === member)
      return insertAdjacent(
        text,
        node.span,
        isBefore,
        written.map(value => `${indent}- ${value}`),
      );
    const items = node.kind === 'array' && 'items' in node ? (node.items as readonly Value[]) : [];
    const at = items.indexOf(member);
    if (at === -1) continue;
    const spans = items.map(({ span }) => span);
    const gap = gapOf(text, spans, indent);
    const [own, next] = [spans[at]!, spans[at + 1]];
    const insertAt = (start: number, parts: readonly string[]) =>
      replaced(text, { start, end: start }, parts.join(''));
    const isCommented = /^\s*,?\s*#/.test(text.slice(own.end, lineRange(text, own.end).end));
    if (!isBefore && !isCommented)
      return insertAt(
        own.end,
        written.map(value => gap + value),
      );
    // A comment behind a member stays with it.
    const place = isBefore ? own : next;
    return place
      ? insertAt(
          place.start,
          written.map(value => value + gap),
        )
      : insertAt(
          lineRange(text, own.end).end,
          written.map(value => `\n${indent}${value}`),
        );
  }
  return undefined;
}

/** What is between the members of a list, without comments. */
function gapOf(text: string, [one, other]: readonly Range[], indent: string): string {
  const isAlone = isBlank(text.slice(lineRange(text, one!.start).start, one!.start));
  if (!other) return isAlone ? `\n${indent}` : ', ';
  return text.slice(one!.end, other.start).replace(/[^\S\n]*#.*/g, '');
}
