import { stringify } from 'yaml';
import type { Row } from '../../generated/types/target.ts';
import { isBlank } from '../../model/data.ts';
import {
  type Data,
  type Fields,
  type Item,
  isComputed,
  type Model,
  type Text,
  type ValueSource,
} from '../../model/model.ts';
import { leavesOf, nameOrigin, originsOf } from '../../model/origin.ts';
import { inOrder } from '../../text/in-order.ts';
import { plainMark } from '../../text/plain-mark.ts';
import { plainText as charactersOf, joinTexts, locateTexts } from '../../text/traced.ts';
import { isPlainScalar, quoted } from '../../text/yaml-scalar.ts';
import { distinctOrigins, type FieldSource, slotValue } from '../native/shapes.ts';
import type { Literal } from './convention.ts';

/** Fields that are made of one field of the source, which counts as written when they are. */
const sources: ReadonlyMap<string, string> = new Map([
  ['timeout', 'timeoutMs'],
  ['shell', 'line'],
  ['wrapped', 'line'],
  ['reference', 'marketplace'],
  ['shown', 'title'],
  ['about', 'description'],
]);

/** Fields of an item with a record of which were read. */
export class ItemFields implements FieldSource {
  /** Values of fields that the tool does not take. */
  readonly refused = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly covered = new Set<string>();

  constructor(
    readonly item: Item,
    private readonly options: Fields,
    /** Gives values the form that the file has for references to variables. */
    private readonly written: (field: string, value: Data) => Data = (_, value) => value,
    private readonly program?: Pick<Model, 'meta' | 'metaOrigins'>,
  ) {}

  get(name: string): Data | undefined {
    this.used.add(name);
    this.covered.add(sources.get(name) ?? name);
    if (name.startsWith('meta.')) return this.program?.meta.get(name.slice('meta.'.length));
    const value = this.item.fields.get(name);
    return isBlank(value) ? undefined : this.written(name, value!);
  }

  isUsed(name: string): boolean {
    return this.used.has(name);
  }

  /** Whether a field, or one that is made of it, was read. */
  isCovered(name: string): boolean {
    return this.used.has(name) || this.covered.has(name);
  }

  origins(name: string): readonly ValueSource[] {
    return name.startsWith('meta.')
      ? (this.program?.metaOrigins?.get(name.slice('meta.'.length)) ?? [])
      : originsOf(this.item, name);
  }

  option(name: string): Data | undefined {
    return this.options.get(name);
  }

  refuse(name: string, value: string): void {
    this.refused.set(name, value);
  }
}

/** What the value of a row was made of, given what its field was made of. */
function originsFor({ as, map }: Row, made: readonly ValueSource[]): readonly ValueSource[] {
  if (made.length === 0) return made;
  // What a list leaves out comes from the list as a whole.
  if (as === 'denied')
    return made.map(one =>
      'node' in one ? nameOrigin(one.path, one.path.replace(/^.*\./, ''), one.node) : one,
    );
  return map ? distinctOrigins(made, map) : made;
}

export function holds(
  when: { readonly option: string; readonly is?: readonly (string | boolean | number)[] } | undefined,
  options: Fields,
): boolean {
  if (!when) return true;
  const value = options.get(when.option);
  if (value === undefined || value === null) return false;
  return when.is === undefined || (when.is as readonly Data[]).includes(value);
}

/** Whether a row is written for an item: some are only for guards that are read in a certain way. */
const concerns = ({ activation }: Row, { fields }: Item): boolean =>
  activation === undefined || (activation as readonly Data[]).includes(fields.get('activation') ?? 'scoped');

/** A row of front matter with its value. */
export interface RowValue {
  readonly key: string;
  readonly value: Data;
  /** Written without quotes even where YAML would want them. */
  readonly bare?: boolean;
  /** Said by the spec alone: a constant, or what stands for an absent field. */
  readonly implied?: boolean;
  /** The field that it was filled from. */
  readonly from?: string | undefined;
  /** What the value was made of; empty where texts are not traced. */
  readonly origins?: readonly ValueSource[];
}

/** Rows in order as key and value; rows whose condition fails or whose field is absent are left out. */
export const rowValues = (rows: readonly Row[], source: ItemFields, options: Fields): RowValue[] =>
  rows.flatMap((row): RowValue[] => {
    const { key, from, as } = row;
    const isWanted = holds(row.when, options) && concerns(row, source.item);
    const value = isWanted ? slotValue(row, source) : undefined;
    if (value === undefined) return [];
    const origins = from === undefined ? [] : originsFor(row, source.origins(from));
    const implied = from === undefined || (row.default !== undefined && source.get(from) === undefined);
    return [{ key, value, bare: as === 'bare', from, implied, origins }];
  });

/**
 * Takes the fields that an item has for one tool alone and that nothing wrote, a body with what it has `shown` included:
 * they count as written from now on.
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

/** Keys that an entry has for this tool alone, as far as they are in one part of the file. */
export const nativeOf = ({ native = new Map() }: Item, isThere: (key: string) => boolean): Fields =>
  new Map([...native].filter(([key]) => isThere(key)));

/** The rows with keys that an entry has for this tool alone, in the place of those of the spec; `null` takes one away. */
export function withNative(rows: RowValue[], native: Fields | undefined): RowValue[] {
  if (!native || native.size === 0) return rows;
  const rowOf = ([key, value]: readonly [string, Data]): RowValue[] =>
    value === null ? [] : [{ key, value }];
  const known = new Set(rows.map(({ key }) => key));
  return [
    ...rows.flatMap(row => (native.has(row.key) ? rowOf([row.key, native.get(row.key)!]) : [row])),
    ...[...native].filter(([key]) => !known.has(key)).flatMap(rowOf),
  ];
}

/**
 * The rows with the fields that only the tool knows: what the source says of a key that the spec has a constant for
 * counts, and what a Markdown source says under a key that no row has stays under that key. `shown` is in the body.
 */
export function appendExtraFields(
  values: readonly RowValue[],
  fields: ItemFields,
  shown: readonly string[],
): readonly RowValue[] {
  const { item } = fields;
  const rows = new Map(values.map(value => [value.key, value]));
  const pass = (field: string, key: string, value: Data) => {
    const known = rows.get(key)?.from;
    if (known !== undefined && !item.computed.has(known)) return;
    rows.set(key, { key, value, from: field, origins: originsOf(item, field) });
  };
  const passAsItIs = (value: Data, key: string) => pass(key, key, value);
  item.extra?.forEach(passAsItIs);
  takeOwnFields(fields, shown).forEach(passAsItIs);
  item.written?.keys.forEach((key, field) => {
    if (fields.isUsed(field) || (item.computed.has(field) && field !== 'name') || item.extra?.has(field))
      return;
    const value = fields.get(field);
    if (value !== undefined) pass(field, key, value);
  });
  return [...rows.values()];
}

/** Rows in the order in which the source has their fields. */
export const inSourceOrder = (values: readonly RowValue[], { order }: Item): readonly RowValue[] =>
  order ? inOrder(values, ({ from }) => from, order) : values;

/** A row of front matter as YAML lines, with its key so that rows of several targets can be united. */
export interface FrontMatterRow {
  readonly key: string;
  readonly text: Text;
  /** Said by the spec alone. */
  readonly implied?: boolean;
}

/** Front matter rows as YAML lines; `by` is where the spec has them, `bundled` what their fields come from when no source has them. */
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

/** A key and what follows it, traced: the key with its mark is the spec's, the rest what the value was made of. */
export function traceRow(
  text: string,
  { key, from, implied, origins = [] }: RowValue,
  by: string,
  literal: Literal,
  bundled?: string,
): Text {
  if (!literal) return text;
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

/** Rows between their fences, or an empty string when there are none. */
export function frontMatter(rows: readonly Text[], by: string, literal: Literal): Text {
  if (rows.length === 0) return '';
  const fence = (text: string) => literal?.(text, by) ?? text;
  return joinTexts([fence('---\n'), joinTexts(rows), fence('---\n\n')]);
}

/** `output.header`: below the front matter, above everything else. */
export function headerText(header: string | undefined, literal: Literal): Text {
  if (header === undefined || header.trim() === '') return '';
  const text = `${header.trim()}\n\n`;
  return literal?.(text, 'instr.yaml: output.header') ?? text;
}

/**
 * A text at the very top of a file that would be read as front matter of ours: whoever wrote it could set what a tool
 * may do. A comment above it makes it the text that it is; a formatter leaves both as they are.
 */
export function plainStart(text: Text, literal: Literal): Text {
  if (!/^[\s\uFEFF]*(?:---|\+\+\+|;;;)/.test(charactersOf(text))) return text;
  const mark = `${plainMark}\n\n`;
  return joinTexts([literal?.(mark, 'the compiler') ?? mark, text]);
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
 * A scalar on one line, in quotes only where YAML needs them. Those are JSON strings, which YAML reads alike; the yaml
 * package would do the same ten times slower, and a project can have thousands of these.
 */
function yamlScalar(value: Data): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlainScalar(value) ? value : quoted(value);
}
