import type { ItemFiles, Row, TargetSpec } from '../../generated/types/target.ts';
import { blockOf, keyOfItem, sourceField } from '../../model/collections.ts';
import type { Data } from '../../model/model.ts';
import { directlyPrecedes, parseRendered, templateTree } from '../../spec/template-read.ts';
import { fieldsIn, type Program } from '../../spec/template-tree.ts';
import { isObject } from '../../text/data.ts';
import { titleOf } from '../../text/title.ts';
import { type ReadBack, readRows } from '../native/shapes.ts';
import { bodyName, filesOfKind } from '../places.ts';

/** An entry of a block, read from a file of a tool. */
export interface ImportedItem {
  /** Name of the block: `skills`, `guards`, … */
  readonly block: string;
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  /** Keys of the file that no spec explains; they are kept in the entry. */
  readonly unknown: ReadonlyMap<string, Data>;
}

/**
 * Reads an item file: its keys by the rows that would write them, its body as `content`. `native` is the name
 * in the path; a different name in the file stays a field. The rows of all `specs` say what a key means in
 * other tools.
 */
export function itemFromKeys(
  collection: ItemFiles['of'],
  native: string,
  keys: ReadonlyMap<string, Data>,
  body: string | undefined,
  file: ItemFiles | undefined,
  specs: readonly TargetSpec[],
): ImportedItem {
  const places = specs.flatMap(spec => filesOfKind(spec, 'items')).filter(({ of }) => of === collection);
  const synonyms = places.flatMap(rowsOf);
  const { fields, unknown } = readRows(keys, file ? rowsOf(file) : [], synonyms);
  if (body !== undefined) {
    const read = readBody(body, file, collection, fields);
    for (const [name, value] of read.fields) fields.set(name, value);
    if (read.content.trim() !== '') fields.set('content', read.content);
  }
  const stated = fields.get('name');
  // Commands are called by `/name`, so folders become part of the name.
  const name = collection === 'skills' ? native.split('/').at(-1)! : native.replaceAll('/', '-');
  const isStated =
    collection === 'skills' && typeof stated === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(stated);
  const key = isStated ? stated : keyOfItem(collection, name);
  return { block: blockOf(collection), key, fields: inSourceWords(collection, fields, key), unknown };
}

const rowsOf = ({ frontmatter = [] }: ItemFiles): readonly Row[] => frontmatter;

/** Name and description come first, the content last. */
const order = ['name', 'title', 'applyTo', 'description'];

/** Fields with the names of sources, in the usual order, without a name that equals the key. */
function inSourceWords(collection: string, fields: Map<string, Data>, key: string): Map<string, Data> {
  if (fields.get('name') === key) fields.delete('name');
  titleFrom(fields, key);
  // Block scalars of YAML and TOML end with insignificant line ends.
  for (const name of ['description', 'content']) {
    const text = fields.get(name);
    if (typeof text === 'string') fields.set(name, text.trimEnd());
  }
  const rankOf = (name: string) => (order.includes(name) ? order.indexOf(name) : name === 'content' ? 9 : 8);
  const named = [...fields].map(([name, value]) => [sourceField(collection, name), value] as const);
  return new Map(named.sort(([a], [b]) => rankOf(a) - rankOf(b)));
}

/** The fields of an object; empty for other data. */
export const asMap = (data: Data): ReadonlyMap<string, Data> =>
  isObject(data) ? new Map(Object.entries(data)) : new Map();

/** Removes a name that equals the key. */
export function itemFields({ fields, unknown }: ReadBack, name: string): ReadBack {
  fields.delete('id');
  if (fields.get('name') === name) fields.delete('name');
  titleFrom(fields, name);
  return { fields, unknown };
}

/** The same for an item with a text, with the field names of sources. */
export function entryFields(collection: string, { fields, unknown }: ReadBack, name: string): ReadBack {
  fields.delete('id');
  return { fields: inSourceWords(collection, fields, name), unknown };
}

/** Converts display name and description to source fields, unless the name implies them. */
function titleFrom(fields: Map<string, Data>, key: string): void {
  const [shown, about] = ['shown', 'about'].map(field => fields.get(field));
  if (typeof shown === 'string' && shown !== key && shown !== titleOf(key)) fields.set('title', shown);
  if (about !== undefined && about !== titleOf(key) && about !== shown && !fields.has('description'))
    fields.set('description', about);
  fields.delete('shown');
  fields.delete('about');
}

/** Fields that a body shows around the content, and the remaining content. */
interface BodyRead {
  readonly content: string;
  readonly fields: ReadonlyMap<string, Data>;
}

/** Parses the body of an item file. Text that contradicts the fields in `has` is content. */
function readBody(
  body: string,
  file: ItemFiles | undefined,
  of: string,
  has: ReadonlyMap<string, Data>,
): BodyRead {
  const template = templateTree(`body:${bodyName(of, file?.body)}`);
  const whole: BodyRead = { content: body, fields: new Map() };
  if (!template) return whole;
  // A single line is both the description and the content of a command.
  const line = of === 'commands' ? /^([^\n]+)\n*$/.exec(body)?.[1] : undefined;
  if (line !== undefined && fieldsIn(template).includes('description') && !has.has('description'))
    return { content: '', fields: new Map([['description', line]]) };
  const read = readText(template, body);
  const repeats = ([field, value]: [string, Data]) =>
    !has.has(field) || JSON.stringify(has.get(field)) === JSON.stringify(value);
  return [...read.fields].every(repeats) ? read : whole;
}

/** Parses a text by a template with fields around a content; other texts are all content. */
export function readText(template: Program, text: string): BodyRead {
  const labels = directlyPrecedes(template, 'description', 'content');
  const read = parseRendered(template, text, {
    accept: (field, value) =>
      field === 'content' || (labels && field === 'description' ? isLabel(value) : isOneLine(value)),
    fields: lines => readList(lines.split('\n'), 0),
  });
  if (read === undefined || Object.keys(read).length < 2) return { content: text, fields: new Map() };
  const { content, ...fields } = read;
  return { content: typeof content === 'string' ? content : '', fields: new Map(Object.entries(fields)) };
}

const isOneLine = (value: string): boolean => !value.includes('\n');

/**
 * A line above the text that is not a sentence is a description. Anything else is part of the text: its
 * author meant it to be followed, and tools do not always show descriptions.
 */
const isLabel = (value: string): boolean =>
  /^[^\n#>|`*\-\d\s][^\n]{0,250}[^\n.!?:;,\s]$/.test(value) && !/<|@|\$/.test(value);

/** Parses a list of `key: value` items, or `key:` items with a nested list. */
function readList(all: readonly string[], depth: number): Data | undefined {
  const data: Record<string, Data> = Object.create(null);
  for (let at = 0; at < all.length; ) {
    const match = /^( *)- ([A-Za-z_][\w.-]*):(?: (.+))?$/.exec(all[at]!);
    if (!match || match[1]!.length !== depth || Object.hasOwn(data, match[2]!)) return undefined;
    let next = at + 1;
    while (next < all.length && /^ */.exec(all[next]!)![0].length > depth) next++;
    if (match[3] !== undefined) {
      if (next > at + 1) return undefined;
      data[match[2]!] = match[3];
    } else {
      const below = readList(all.slice(at + 1, next), depth + 2);
      if (below === undefined || next === at + 1) return undefined;
      data[match[2]!] = below;
    }
    at = next;
  }
  return data;
}
