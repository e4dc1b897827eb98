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
 * TOML. Tables and owned keys are removed and inserted as lines, so that the rest stays byte for byte. Values
 * in inline tables and arrays are changed by the patching library, which keeps other lines. The library
 * cannot be used for tables: it turns a new `[servers.docs]` into `servers.docs = { … }` before the first
 * header, and removes a table together with the comment above it but leaves its blank lines.
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

/** Changes only the lines of a value; the result may be wrong for some layouts. */
const changeLines = (
  text: string,
  path: readonly PathSegment[],
  value: Json | undefined,
  before: Json,
): string =>
  value === undefined
    ? removeLines(text, path)
    : setLines(text, path, value, valueAt(before, path) !== undefined);

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

interface TomlRange {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface TomlNode {
  readonly type: string;
  readonly loc: TomlRange;
  readonly key: { readonly value: readonly string[]; readonly item: { readonly value: readonly string[] } };
  readonly items: readonly TomlNode[];
}

/** The headers and fields of a file, in order. The block of a header ends with its last field. */
export function blocksOf(text: string): Block[] {
  const starts = lineStarts(text);
  const at = ({ line, column }: TomlRange['start']) => starts[line - 1]! + column;
  const blocks: Block[] = [];
  const field = (node: TomlNode, table: readonly string[]) => {
    if (node.type !== 'KeyValue') return;
    const path = [...table, ...node.key.value];
    blocks.push({
      kind: 'field',
      path,
      table,
      start: at(node.loc.start),
      end: at(node.loc.end),
      bare: false,
    });
  };
  for (const node of parseDocument(text).cst as unknown as TomlNode[]) {
    if (node.type === 'KeyValue') field(node, []);
    else if (node.type === 'Table' || node.type === 'TableArray') {
      const path = node.key.item.value;
      const last = node.items.findLast(item => item.type === 'KeyValue');
      const header = (node.key as unknown as { loc: TomlRange }).loc;
      blocks.push({
        kind: node.type === 'Table' ? 'table' : 'element',
        path,
        table: path,
        start: at(node.loc.start),
        end: at((last?.loc ?? header).end),
        bare: node.items.length === 0,
      });
      for (const item of node.items) field(item, path);
    }
  }
  return blocks;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const offsetAt = (text: string, line: number, column: number) =>
  (lineStarts(text)[line - 1] ?? 0) + Math.max(column, 0);

/** Prints a value as lines, with the line ends of the text. */
function print(path: readonly PathSegment[], value: Json, eol: string): string {
  return stringify(nestValue(path, value) as Fields)
    .trimEnd()
    .replace(/\n/g, eol);
}

function setLines(text: string, path: readonly PathSegment[], value: Json, exists: boolean): string {
  const eol = eolOf(text);
  const blocks = blocksOf(text);
  if (exists) {
    const same = blocks.find(
      ({ kind, path: own }) => kind === 'field' && own.length === path.length && startsWith(own, path),
    );
    if (same && !isFields(value)) {
      const key = String(path.at(-1));
      const printed = stringify({ [key]: value } as Fields).trimEnd();
      const equals = text.slice(same.start, same.end);
      const line = printed.slice(printed.indexOf('=') + 1).trim();
      const head = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^="'])*=[ \t]*/.exec(equals)![0];
      return replaceRange(text, same.start + head.length, same.end, line.replace(/\n/g, eol));
    }
    const first = blocks.find(({ path: own }) => startsWith(own, path));
    const removed = removeLines(text, path);
    if (first && first.kind !== 'field' && isFields(value)) {
      // The new table takes the position of the old one.
      const at = Math.min(text.slice(0, first.start).replace(/(?:\r?\n){1,2}$/, '').length, removed.length);
      return placeSection(removed, at, print(path, value, eol), eol);
    }
    return setLines(removed, path, value, false);
  }
  const parent = path.slice(0, -1);
  const last = path.at(-1)!;
  if (typeof last === 'number') {
    // A table in a list is a section of its own; other elements are in an inline array.
    if (!isFields(value)) return last === 0 ? setLines(text, parent, [value], false) : text;
    const siblings = blocks.filter(({ kind, path: own }) => kind !== 'field' && startsWith(own, parent));
    const at = siblings.at(-1)?.end ?? text.length;
    return placeSection(text, endOfLine(text, at), print(parent, [value], eol), eol);
  }
  if (isFields(value) || isTableList(value)) {
    const near = blocks.filter(
      ({ kind, path: own }) => kind !== 'field' && parent.length > 0 && startsWith(own, parent),
    );
    const at = near.at(-1)?.end;
    return placeSection(
      text,
      at === undefined ? text.length : endOfLine(text, at),
      print(path, value, eol),
      eol,
    );
  }
  const line = print([last], value, eol);
  if (parent.length > 0) {
    const table = blocks.find(
      ({ kind, path: own }) => kind === 'table' && own.length === parent.length && startsWith(own, parent),
    );
    if (!table) return placeSection(text, text.length, print(path, value, eol), eol);
    return replaceRange(text, endOfLine(text, table.end), endOfLine(text, table.end), `${eol}${line}`);
  }
  const root = blocks.findLast(({ kind, table }) => kind === 'field' && table.length === 0);
  if (root) return replaceRange(text, endOfLine(text, root.end), endOfLine(text, root.end), `${eol}${line}`);
  const comments = /^(?:#[^\n]*\n)+(?=\r?\n)/.exec(text)?.[0].length;
  return comments === undefined
    ? `${line}${eol}${text === '' ? '' : eol}${text}`
    : replaceRange(text, comments, comments, `${eol}${line}${eol}`);
}

const isTableList = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isFields);

/** Inserts a section after the line that ends at `at`, preceded by one blank line that is removed with it. */
function placeSection(text: string, at: number, section: string, eol: string): string {
  if (text.slice(0, at).trim() === '' && at === text.length) return `${text}${section}${eol}`;
  if (at === text.length) {
    const end = text.endsWith('\n') ? '' : eol;
    return `${text}${end}${eol}${section}${eol}`;
  }
  if (at === 0) return `${section}${eol}${text}`;
  return replaceRange(text, at, at, `${eol}${eol}${section}`);
}

function removeLines(text: string, path: readonly PathSegment[]): string {
  const index = path.at(-1);
  const blocks = blocksOf(text);
  if (typeof index === 'number') {
    const list = path.slice(0, -1);
    const elements = blocks.filter(
      ({ kind, path: own }) => kind === 'element' && own.length === list.length && startsWith(own, list),
    );
    const own = elements[index];
    if (!own) return text;
    const next = elements[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const parts = blocks.filter(
      block => block.start >= own.start && block.start < next && startsWith(block.path, list),
    );
    return cut(
      text,
      parts.filter(({ kind }) => kind !== 'field'),
    );
  }
  const below = blocks.filter(block => startsWith(block.path, path));
  const sections = below.filter(({ kind }) => kind !== 'field');
  const fields = below.filter(({ kind, table }) => kind === 'field' && !startsWith(table, path));
  return cut(text, [...sections, ...fields]);
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
