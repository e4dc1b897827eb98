import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import type { Json } from '../kinds/output.ts';
import {
  changeChecked,
  endOfLine,
  eolOf,
  lineStart,
  nestValue,
  type PathSegment,
  replaceRange,
  type SharedFormat,
  toJson,
} from './shared-format.ts';

/** No settings file needs more aliases than this. */
const limits = { maxAliasCount: 100 };

/** Long lines are not wrapped, and equal objects are written twice. */
const layout = { lineWidth: 0, aliasDuplicateObjects: false };

/**
 * YAML. Fields of block mappings are removed and inserted as lines. For other layouts (flow mappings,
 * anchors) the library rewrites the document: it keeps comments and order, but reformats every line
 * (indentation, blanks in flow collections and before comments).
 */
export const yamlFormat: SharedFormat = {
  parse(text) {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error)
      return { problem: error.message.split('\n')[0]!.replace(/ at line .*$/, ''), offset: error.pos[0] };
    let value: unknown;
    try {
      value = document.toJS({ ...limits, mapAsMap: true });
    } catch (error) {
      return { problem: (error as Error).message, offset: 0 };
    }
    if (value === null) return { value: Object.create(null) };
    return value instanceof Map ? { value: toJson(value) } : { problem: 'it holds no mapping', offset: 0 };
  },

  change: (...change) => changeChecked(yamlFormat, [changeLines, rewrite], ...change),

  isBare(text, path) {
    if (path.length === 0) return !/^[^\S\n]*#/m.test(text);
    const node = parseDocument(text).getIn(path, true) as (Node & { items?: unknown[] }) | undefined;
    return !!node?.range && !text.slice(node.range[0], node.range[1]).includes('#');
  },

  create: value => stringify(value, layout),
};

/** Changes a value by rewriting the document. */
function rewrite(text: string, path: readonly PathSegment[], value: Json | undefined): string {
  const document = parseDocument(text);
  try {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  } catch {
    return text;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Changes only the lines of a value; the result may be wrong for some layouts. */
const changeLines = (text: string, path: readonly PathSegment[], value: Json | undefined): string =>
  value === undefined ? removeLines(text, path) : setLines(text, path, value);

type YamlEntry = Pair<Node, Node | null>;

function entryOf(map: YAMLMap, key: PathSegment): YamlEntry | undefined {
  return (map.items as YamlEntry[]).find(item => isScalar(item.key) && item.key.value === key);
}

/** The end of the last value at or below a node, without its line end and comments. */
function endOf(node: Node, text: string): number {
  const last = isMap(node) || isSeq(node) ? node.items.at(-1) : undefined;
  if (last && !(node as YAMLMap).flow) {
    const pair = last as YamlEntry;
    const inner = isMap(node) ? (pair.value?.range ? pair.value : pair.key) : (last as Node);
    if (inner.range) return endOf(inner, text);
  }
  return text.slice(0, node.range![1]).trimEnd().length;
}

function lines(value: Json, indent: string, eol: string): string {
  return stringify(value, layout)
    .trimEnd()
    .split('\n')
    .map(line => (line === '' ? line : indent + line))
    .join(eol);
}

function setLines(text: string, path: readonly PathSegment[], value: Json): string {
  const eol = eolOf(text);
  let node: unknown = parseDocument(text).contents;
  for (const [at, step] of path.entries()) {
    if (!isMap(node) && !isSeq(node)) return text;
    const rest = nestValue(path.slice(at + 1), value);
    if (node.flow) return insertFlow(text, node as Flow, step, rest);
    const entry = isMap(node) ? entryOf(node as YAMLMap, step) : undefined;
    if (entry?.value && at < path.length - 1) {
      node = entry.value;
      continue;
    }
    const [first] = node.items as (Node | YamlEntry)[];
    const isNewItem = typeof step === 'number' && step >= node.items.length;
    if (!first || isSeq(node) !== isNewItem) return text;
    const start = 'key' in first ? first.key.range![0] : text.lastIndexOf('-', first.range![0]);
    const indent = text.slice(lineStart(text, start), start);
    if (indent.trim() !== '') return text;
    const added = lines(nestValue([step], rest), indent, eol);
    if (!entry) {
      const end = endOfLine(text, endOf(node as unknown as Node, text));
      return replaceRange(text, end, end, `${eol}${added}`);
    }
    const end = entry.value?.range ? endOf(entry.value, text) : endOfLine(text, entry.key.range![1]);
    return replaceRange(text, lineStart(text, entry.key.range![0]), end, added);
  }
  return text;
}

type Flow = Node & { readonly items: readonly (Node | YamlEntry)[] };

/** The range of an item between two commas. */
function flowRange(item: Node | YamlEntry): [number, number] {
  if (!('key' in item)) return [item.range![0], item.range![1]];
  return [item.key.range![0], (item.value?.range ?? item.key.range)![1]];
}

function insertFlow(text: string, node: Flow, step: PathSegment, value: Json): string {
  if (isMap(node) && entryOf(node as YAMLMap, step)) return text;
  const inline = (data: Json) =>
    stringify(data, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
  const added = typeof step === 'number' ? inline(value) : inline(nestValue([step], value)).slice(1, -1);
  const items: readonly (Node | YamlEntry)[] = node.items;
  const last = items.at(-1);
  if (!last) return replaceRange(text, node.range![0] + 1, node.range![1] - 1, added);
  const end = flowRange(last)[1];
  return replaceRange(text, end, end, `, ${added}`);
}

function cutFlow(text: string, node: Flow, step: PathSegment): string {
  const at =
    typeof step === 'number'
      ? step
      : node.items.findIndex(item => 'key' in item && isScalar(item.key) && item.key.value === step);
  const items: readonly (Node | YamlEntry)[] = node.items;
  const item = items[at];
  if (!item) return text;
  const [start, end] = flowRange(item);
  const before = items[at - 1];
  const after = items[at + 1];
  if (before) return replaceRange(text, flowRange(before)[1], end, '');
  return replaceRange(text, start, after ? flowRange(after)[0] : end, '');
}

function removeLines(text: string, path: readonly PathSegment[]): string {
  let node: unknown = parseDocument(text).contents;
  let mark: number | undefined;
  for (const [at, step] of path.entries()) {
    if (!(isMap(node) || isSeq(node))) return text;
    if (node.flow) return at === path.length - 1 ? cutFlow(text, node as Flow, step) : text;
    const emptied = node.items.length === 1 ? (isMap(node) ? ' {}' : ' []') : '';
    const item = typeof step === 'number' ? (node.items[step] as Node | undefined) : undefined;
    const entry = typeof step === 'string' && isMap(node) ? entryOf(node as YAMLMap, step) : undefined;
    const start = item?.range ? text.lastIndexOf('-', item.range[0]) : entry?.key.range?.[0];
    if (start === undefined) return text;
    node = item ?? entry?.value;
    if (at < path.length - 1) {
      mark = item ? start + 1 : text.indexOf(':', entry!.key.range![1]) + 1;
      continue;
    }
    const value = item ?? entry?.value;
    const rest = cut(text, start, value?.range ? endOf(value, text) : entry!.key.range![1]);
    return mark !== undefined && emptied !== '' ? replaceRange(rest, mark, mark, emptied) : rest;
  }
  return text;
}

/** Removes whole lines; a comment after the value stays on a line of its own. */
function cut(text: string, from: number, end: number): string {
  const start = lineStart(text, from);
  if (text.slice(start, from).trim() !== '') return text;
  const rest = /^:?[ \t]*(\r?\n|$)/.exec(text.slice(end));
  return rest ? replaceRange(text, start, end + rest[0].length, '') : replaceRange(text, from, end, '');
}
