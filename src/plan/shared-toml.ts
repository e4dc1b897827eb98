import { parseDocument, patch } from '@decimalturn/toml-patch';
import { parse, stringify, TomlError } from 'smol-toml';
import type { Json } from '../kinds/output.ts';
import {
  changeChecked,
  changeValue,
  endOfLine,
  eolOf,
  type Fields,
  isFields,
  lineStart,
  nestValue,
  type PathSegment,
  replaceRange,
  type SharedFormat,
  startsWith,
  toJson,
  valueAt,
} from './shared-format.ts';

/**
 * TOML. Tables are inserted and all values removed as lines, so that the rest stays byte for byte. The patching
 * library sets other values, and keeps other lines. It cannot be used for the rest: it turns a new
 * `[servers.docs]` into `servers.docs = { … }` before the first header, and removes a value together with the
 * comment above it.
 */
export const tomlFormat: SharedFormat = {
  parse(text) {
    try {
      return { value: toJson(parse(text, { integersAsBigInt: 'asNeeded' })) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const problem = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
      return { problem, offset: offsetAt(text, error.line, error.column - 1) };
    }
  },

  change: (...change) => changeChecked(tomlFormat, [changeLines, patched], ...change),

  isBare(text, path) {
    if (path.length === 0) return text.trim() === '';
    return blocksOf(text).every(
      block => block.kind !== 'table' || !startsWith(block.path, path) || block.bare,
    );
  },

  comparable: value => prune(value) ?? Object.create(null),

  create: value => stringify(withoutNulls(value) as Fields),
};

/** TOML has no null. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.filter(item => item !== null).map(withoutNulls);
  if (!isFields(value)) return value;
  const fields: Fields = Object.create(null);
  for (const [key, item] of Object.entries(value)) if (item !== null) fields[key] = withoutNulls(item);
  return fields;
}

/** Removes empty tables: they exist only by their headers, which go with their last field. */
function prune(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(item => prune(item) ?? Object.create(null));
  if (!isFields(value)) return value;
  const fields: Fields = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    const inner = prune(item);
    if (inner !== undefined && !(Array.isArray(inner) && inner.length === 0)) fields[key] = inner;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function patched(text: string, path: readonly PathSegment[], value: Json | undefined): string {
  const data = parseDocument(text).toJsObject as Json;
  try {
    return patch(text, changeValue(data, path, value));
  } catch {
    return text;
  }
}

/** Changes the lines of a table, or removes those of a value; the result may be wrong for some layouts. */
function changeLines(text: string, path: readonly PathSegment[], value: Json | undefined, before: Json) {
  if (value === undefined) return removeLines(text, path);
  if (!isFields(value) && !isTableList(value)) return text;
  if (valueAt(before, path) === undefined) return addSection(text, path, value);
  const removed = removeLines(text, path);
  const old = blocksOf(text).find(block => startsWith(block.path, path));
  if (old?.kind !== 'table') return addSection(removed, path, value);
  // The new table takes the position of the old one.
  const at = text.slice(0, old.start).replace(/(?:\r?\n){1,2}$/, '').length;
  return placeSection(removed, Math.min(at, removed.length), path, value);
}

/** Offsets of a header or field with what belongs to it, without the line end. */
interface Block {
  readonly kind: 'field' | 'table' | 'element';
  /** Path from the root of the file, including the table of a field. */
  readonly path: readonly string[];
  /** The header or table that contains it; the empty path is the root. */
  readonly table: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Whether it is a table without fields and comments. */
  readonly bare: boolean;
}

interface TomlPosition {
  readonly line: number;
  readonly column: number;
}

interface TomlNode {
  readonly type: string;
  readonly loc: { readonly start: TomlPosition; readonly end: TomlPosition };
  readonly key: Pick<TomlNode, 'loc'> & {
    readonly value: readonly string[];
    readonly item: { readonly value: readonly string[] };
  };
  readonly items: readonly TomlNode[];
}

/** The headers and fields of a file, in order. The block of a header ends with its last field. */
export function blocksOf(text: string): Block[] {
  const starts = lineStarts(text);
  const at = ({ line, column }: TomlPosition) => starts[line - 1]! + column;
  const fieldsIn = (nodes: readonly TomlNode[], table: readonly string[]) =>
    nodes
      .filter(({ type }) => type === 'KeyValue')
      .map(({ key, loc }): Block => {
        const path = [...table, ...key.value];
        return { kind: 'field', path, table, start: at(loc.start), end: at(loc.end), bare: false };
      });
  return (parseDocument(text).cst as unknown as TomlNode[]).flatMap((node): Block[] => {
    if (node.type !== 'Table' && node.type !== 'TableArray') return fieldsIn([node], []);
    const kind = node.type === 'Table' ? 'table' : 'element';
    const path = node.key.item.value;
    const fields = fieldsIn(node.items, path);
    const end = fields.at(-1)?.end ?? at(node.key.loc.end);
    const bare = node.items.length === 0;
    return [{ kind, path, table: path, start: at(node.loc.start), end, bare }, ...fields];
  });
}

/** Whether a block is at a path, not below it. */
const isAt = ({ path }: Block, place: readonly PathSegment[]): boolean =>
  path.length === place.length && startsWith(path, place);

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const offsetAt = (text: string, line: number, column: number) =>
  (lineStarts(text)[line - 1] ?? 0) + Math.max(column, 0);

const isTableList = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isFields);

/** Adds a table after the last one at or below its parent. */
function addSection(text: string, path: readonly PathSegment[], value: Json): string {
  const parent = path.slice(0, -1);
  const isBelow = (block: Block) => block.kind !== 'field' && startsWith(block.path, parent);
  const last = parent.length > 0 ? blocksOf(text).findLast(isBelow) : undefined;
  const at = last ? endOfLine(text, last.end) : text.length;
  return typeof path.at(-1) === 'number'
    ? placeSection(text, at, parent, [value])
    : placeSection(text, at, path, value);
}

/** Inserts a section after the line that ends at `at`, preceded by one blank line that is removed with it. */
function placeSection(text: string, at: number, path: readonly PathSegment[], value: Json): string {
  const eol = eolOf(text);
  const lines = stringify(nestValue(path, value) as Fields).trimEnd();
  const section = lines.replace(/\n/g, eol);
  if (text.slice(0, at).trim() === '' && at === text.length) return `${text}${section}${eol}`;
  if (at === text.length) return `${text}${text.endsWith('\n') ? '' : eol}${eol}${section}${eol}`;
  if (at === 0) return `${section}${eol}${text}`;
  return replaceRange(text, at, at, `${eol}${eol}${section}`);
}

function removeLines(text: string, path: readonly PathSegment[]): string {
  const blocks = blocksOf(text);
  const index = path.at(-1);
  if (typeof index !== 'number') {
    const isRemoved = ({ kind, path: own, table }: Block) =>
      startsWith(own, path) && (kind !== 'field' || !startsWith(table, path));
    return cut(text, blocks.filter(isRemoved));
  }
  const list = path.slice(0, -1);
  const elements = blocks.filter(block => block.kind === 'element' && isAt(block, list));
  const element = elements[index];
  if (!element) return text;
  const end = elements[index + 1]?.start ?? text.length;
  const isRemoved = ({ kind, path: own, start }: Block) =>
    kind !== 'field' && start >= element.start && start < end && startsWith(own, list);
  return cut(text, blocks.filter(isRemoved));
}

function cut(text: string, blocks: readonly Block[]): string {
  let result = text;
  for (const { kind, start, end } of [...blocks].sort((a, b) => b.start - a.start)) {
    const from = lineStart(result, start);
    const rest = /^[ \t]*(\r?\n|$)/.exec(result.slice(end));
    if (!rest) {
      result = replaceRange(result, start, end, '');
      continue;
    }
    const blank = kind === 'field' ? undefined : /(?:^|\n)(\r?\n)$/.exec(result.slice(0, from))?.[1];
    result = replaceRange(result, from - (blank?.length ?? 0), end + rest[0].length, '');
  }
  return result;
}
