import { stringify } from 'yaml';
import type { Row } from '../../generated/types/target.ts';
import {
  type Data,
  type Fields,
  type Item,
  isComputed,
  type Text,
  type ValueSource,
} from '../../model/model.ts';
import { leavesOf, originsOf } from '../../model/origin.ts';
import { equalData, isObject } from '../../text/data.ts';
import { sortByNames } from '../../text/in-order.ts';
import { noFrontMatterMark } from '../../text/plain-mark.ts';
import { plainText as charactersOf, joinTexts, locateTexts } from '../../text/traced.ts';
import { doubleQuoted, isPlainScalar } from '../../text/yaml-scalar.ts';
import { type ItemFields, slotOrigins, slotValue } from '../native/shapes.ts';
import type { ImpliedKey, Json } from '../output.ts';
import type { Literal } from './convention.ts';

export function isConditionMet(
  when: { readonly option: string; readonly is?: readonly (string | boolean | number)[] } | undefined,
  options: Fields,
): boolean {
  if (!when) return true;
  const value = options.get(when.option);
  if (value === undefined || value === null) return false;
  return when.is === undefined || (when.is as readonly Data[]).includes(value);
}

/** Whether a row applies to an item: some rows are only for guards with certain activations. */
const appliesTo = ({ activation }: Row, { fields }: Item): boolean =>
  activation === undefined || (activation as readonly Data[]).includes(fields.get('activation') ?? 'scoped');

export interface RowValue {
  readonly key: string;
  readonly value: Data;
  /** Whether it is written without quotes even where YAML would need them. */
  readonly bare?: boolean;
  /** Whether the tool loses nothing without it: a constant, the default of an absent field, or a key that it does not read. */
  readonly implied?: boolean;
  /** The field that it was filled from. */
  readonly from?: string | undefined;
  /** What the value was made from; empty when texts are not traced. */
  readonly origins?: readonly ValueSource[];
}

/** Rows in order as key and value; rows whose condition is not met or whose field is absent are left out. */
export const rowValues = (rows: readonly Row[], source: ItemFields): RowValue[] =>
  rows.flatMap((row): RowValue[] => {
    const { key, from, as } = row;
    const applies = isConditionMet(row.when, source.options) && appliesTo(row, source.item);
    const value = applies ? slotValue(row, source) : undefined;
    if (value === undefined) return [];
    const origins = slotOrigins(row, source.item);
    const isDefault = from === undefined || (row.default !== undefined && source.get(from) === undefined);
    const implied = isDefault || (row.implied !== undefined && equalData(value, row.implied));
    return [{ key, value, bare: as === 'bare', from, implied, origins }];
  });

/**
 * Takes the overlay fields of an item that were not written otherwise, including those `shown` in the body.
 * They count as written afterwards.
 */
export function takeOwnFields(fields: ItemFields, shown: readonly string[] = []): Map<string, Data> {
  const { item } = fields;
  const taken = new Map<string, Data>();
  for (const name of item.own?.keys() ?? []) {
    if (isComputed(item, name) || fields.isCovered(name) || shown.includes(name)) continue;
    const value = fields.get(name);
    if (value !== undefined) taken.set(name, value);
  }
  return taken;
}

/** Merges the overlay keys of an entry into the rows of the spec; `null` removes a row. */
export function withNative(rows: readonly RowValue[], native: Fields = new Map()): RowValue[] {
  const byKey = new Map(rows.map(row => [row.key, row]));
  for (const [key, value] of native) {
    if (value === null) byKey.delete(key);
    else byKey.set(key, { key, value });
  }
  return [...byKey.values()];
}

/**
 * Adds fields that only the tool knows. A value of the source takes precedence over a constant of the spec,
 * and a front matter key of a Markdown source without a row keeps its name. `shown` are the fields in the
 * body.
 */
export function appendExtraFields(
  values: readonly RowValue[],
  fields: ItemFields,
  shown: readonly string[],
): readonly RowValue[] {
  const { item } = fields;
  const rows = new Map(values.map(value => [value.key, value]));
  const pass = (field: string, key: string, value: Data, implied: boolean) => {
    const known = rows.get(key)?.from;
    if (known !== undefined && !item.computed.has(known)) return;
    rows.set(key, { key, value, from: field, implied, origins: originsOf(item, field) });
  };
  const passAsItIs = (value: Data, key: string) => pass(key, key, value, false);
  item.extra?.forEach(passAsItIs);
  takeOwnFields(fields, shown).forEach(passAsItIs);
  item.written?.keys.forEach((key, field) => {
    if (fields.isUsed(field) || (item.computed.has(field) && field !== 'name') || item.extra?.has(field))
      return;
    const value = fields.get(field);
    // The spec has no row for a field of every tool: this one does not read it.
    if (value !== undefined) pass(field, key, value, true);
  });
  return [...rows.values()];
}

export const inSourceOrder = (values: readonly RowValue[], { order }: Item): readonly RowValue[] =>
  order ? sortByNames(values, ({ from }) => from, order) : values;

/** Keys that are not written and may be in an existing file: their value means the same as their absence. */
export const impliedKeys = (rows: readonly Row[], written: readonly RowValue[]): ImpliedKey[] =>
  rows.flatMap(({ key, implied }) =>
    implied === undefined || written.some(one => one.key === key) ? [] : [{ key, value: implied as Json }],
  );

/** A front matter row as YAML lines, with its key so that rows of several targets can be merged. */
export interface FrontMatterRow {
  readonly key: string;
  readonly text: Text;
  /** Whether the tool loses nothing without it. */
  readonly implied?: boolean;
}

/** Renders rows as YAML lines. `by` is the origin of keys, `bundled` of fields without a source. */
export function yamlRows(
  values: readonly RowValue[],
  by: string,
  literal: Literal,
  bundled?: string,
): FrontMatterRow[] {
  return values.map(value => ({
    key: value.key,
    text: traceRow(yamlRow(value), value, by, literal, bundled),
    ...(value.implied && { implied: true }),
  }));
}

/** A traced key and value: the key is attributed to the spec, the value to what it was made from. */
function traceRow(
  text: string,
  { key, from, implied, origins = [] }: RowValue,
  by: string,
  literal: Literal,
  bundled?: string,
): Text {
  const behind = /"?\]?\s*[:=]?\s*(?:"""\n)?/y;
  behind.lastIndex = text.indexOf(key) + key.length;
  behind.exec(text);
  const named = behind.lastIndex;
  const rest = text.slice(named);
  const made = bundled !== undefined && from !== undefined && !implied ? bundled : by;
  return joinTexts([
    literal(text.slice(0, named), by),
    origins.length > 0 ? locateTexts(rest, origins.flatMap(leavesOf)) : literal(rest, made),
  ]);
}

/** Rows between fences, or an empty text when there are none. */
export function frontMatter(rows: readonly Text[], by: string, literal: Literal): Text {
  if (rows.length === 0) return '';
  return joinTexts([literal('---\n', by), ...rows, literal('---\n\n', by)]);
}

/** Renders `output.header`: below the front matter, above everything else. */
export function headerText(header: string | undefined, literal: Literal): Text {
  if (header === undefined || header.trim() === '') return '';
  return literal(`${header.trim()}\n\n`, 'instr.yaml: output.header');
}

/**
 * Protects a text at the start of a file that would be read as front matter, with which its author could set
 * permissions of a tool. A comment above it makes it plain text; formatters keep both unchanged.
 */
export function plainStart(text: Text, literal: Literal): Text {
  if (!/^[\s\uFEFF]*(?:---|\+\+\+|;;;)/.test(charactersOf(text))) return text;
  return joinTexts([literal(`${noFrontMatterMark}\n\n`, 'the compiler'), text]);
}

function yamlRow({ key, value, bare }: RowValue): string {
  const name = yamlScalar(key);
  if (bare && !Array.isArray(value) && (typeof value !== 'object' || value === null)) {
    return `${name}: ${String(value).replace(/\s*\n\s*/g, ' ')}\n`;
  }
  if (typeof value !== 'object' || value === null) return `${name}: ${yamlScalar(value)}\n`;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)) {
    return value.length === 0
      ? `${name}: []\n`
      : `${name}:\n${value.map(item => `  - ${yamlScalar(item)}\n`).join('')}`;
  }
  return stringify({ [key]: value }, { lineWidth: 0 });
}

/**
 * A scalar on one line, quoted only where YAML needs it. Quoted scalars are JSON strings, which YAML reads
 * alike. The yaml package would take ten times as long, and a project can have thousands of scalars.
 */
function yamlScalar(value: Data): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlainScalar(value) ? value : doubleQuoted(value);
}

/** Renders a whole structured file. `by` is the place of its keys in the spec. */
export function structured(
  format: 'toml' | 'yaml' | 'json',
  values: readonly RowValue[],
  by: string,
  literal: Literal,
): Text {
  if (format === 'toml') return tomlRows(values, by, literal);
  const object: Record<string, Data> = Object.create(null);
  for (const { key, value } of values) object[key] = value;
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : stringify(object, { lineWidth: 0 });
}

/** Renders flat rows as TOML: multi-line texts as multi-line strings, tables after plain keys. */
export function tomlRows(values: readonly RowValue[], by: string, literal: Literal): Text {
  const lines = values.map(row => {
    const { key, value } = row;
    const text = isObject(value) ? table([key], value) : `${tomlKey(key)} = ${tomlValue(value)}\n`;
    return { isTable: isObject(value), text: traceRow(text, row, by, literal) };
  });
  const sorted = [...lines.filter(({ isTable }) => !isTable), ...lines.filter(({ isTable }) => isTable)];
  return joinTexts(sorted.map(({ text }) => text));
}

function table(path: readonly string[], value: { readonly [key: string]: Data }): string {
  const keys: string[] = [];
  const tables: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (isObject(item)) tables.push(table([...path, key], item));
    else keys.push(`${tomlKey(key)} = ${tomlValue(item)}\n`);
  }
  return [`\n[${path.map(tomlKey).join('.')}]\n`, ...keys, ...tables].join('');
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

function tomlValue(value: Data): string {
  if (typeof value === 'string') return value.includes('\n') ? tomlText(value) : tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return value === null ? '""' : String(value);
  const members = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);
  return `{ ${members.join(', ')} }`;
}

/** JSON escapes are a subset of those of TOML basic strings, except for control character 127. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');

/** A multi-line basic string. The line end after the opening quotes is not part of the text. */
function tomlText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(/"{3,}/g, quotes => quotes.replaceAll('"', '\\"'))
    .replace(/"$/, '\\"')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f]/g,
      char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    );
  return `"""\n${escaped}"""`;
}
