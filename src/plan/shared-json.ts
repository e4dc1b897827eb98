import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../kinds/output.ts';
import { findTooDeepNesting, tooDeepProblem } from '../text/nesting.ts';
import { equalJson } from './canonical.ts';
import {
  eolOf,
  type Fields,
  isFields,
  lineStart,
  nestValue,
  type PathSegment,
  replaceRange,
  type SharedFormat,
} from './shared-format.ts';

/** Token numbers of the scanner; the library declares them in a form that cannot be imported. */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blanks: 15, end: 17 };

/**
 * JSON as in settings files: comments and trailing commas are accepted for any extension.
 * The library parses. Its own `modify` would change more than the owned keys: with formatting it reformats
 * neighbours (a one-line text becomes many lines, `[1,2,]` a list over lines) with an indentation that it
 * must be given; without formatting, new values are minified. It inserts a new field between the last one and
 * the comment on that line, and puts the value of a file with only comments before them. The cases in
 * test/plan/cases cover each of these.
 */
export const jsonFormat: SharedFormat = {
  parse(text) {
    const { root, problem } = read(text);
    if (problem) return problem;
    return { value: root ? dataOf(root) : Object.create(null) };
  },

  change(text, path, value) {
    const { root } = read(text);
    if (value === undefined) return remove(text, path, root!);
    if (!root) return prepend(text, jsonFormat.create(nestValue(path, value)));
    let node = root;
    for (const [at, step] of path.entries()) {
      const child = childOf(node, step);
      if (child) {
        node = child;
        continue;
      }
      const rest = nestValue(path.slice(at + 1), value);
      const fits = typeof step === 'number' ? node.type === 'array' : node.type === 'object';
      return fits ? insert(text, node, step, rest) : replace(text, node, nestValue([step], rest));
    }
    return revise(text, path, node, value);
  },

  isBare(text, path) {
    const { root } = read(text);
    if (!root) return text.trim() === '';
    let node: Node | undefined = root;
    for (const step of path) node = node && childOf(node, step);
    if (node?.children?.length !== 0) return false;
    const around =
      path.length === 0 ? text.slice(0, node.offset) + text.slice(node.offset + node.length) : '';
    return (text.slice(node.offset + 1, node.offset + node.length - 1) + around).trim() === '';
  },

  create: value => `${JSON.stringify(value, null, 2)}\n`,
};

function read(text: string): { root?: Node; problem?: { problem: string; offset: number } } {
  const deep = findTooDeepNesting(text);
  if (deep !== undefined) return { problem: { problem: tooDeepProblem, offset: deep } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (!root && isBlank(text)) return {};
  const [error] = errors;
  if (error) {
    const words = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    return { problem: { problem: words, offset: error.offset } };
  }
  if (root?.type !== 'object')
    return { problem: { problem: 'it holds no object', offset: root?.offset ?? 0 } };
  return { root };
}

function isBlank(text: string): boolean {
  const scanner = createScanner(text, true);
  const first: number = scanner.scan();
  return first === token.end;
}

/** Comments of a file without a value stay at the top. */
const prepend = (text: string, created: string) =>
  text.trim() === '' ? created : `${text.trimEnd()}\n${created}`;

function dataOf(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(dataOf);
  if (node.type !== 'object') return node.value as Json;
  const fields: Fields = Object.create(null);
  for (const { children } of node.children ?? [])
    fields[children![0]!.value as string] = dataOf(children![1]!);
  return fields;
}

/** The value of a field or element. The last of duplicate keys wins, as in every JSON parser. */
function childOf(node: Node, step: PathSegment): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined;
  if (node.type !== 'object') return undefined;
  return node.children?.findLast(property => property.children![0]!.value === step)?.children?.[1];
}

interface Style {
  readonly unit: string;
  readonly eol: string;
  readonly flat: boolean;
  /** The separator of values on one line: a blank, or nothing in a minified text. */
  readonly gap: string;
}

function styleOf(text: string, root: Node): Style {
  const flat = !text.slice(root.offset, root.offset + root.length).includes('\n');
  return {
    unit: unitOf(text, root) ?? '  ',
    eol: eolOf(text),
    flat,
    gap: flat && /[{,:]["{[\d]/.test(text) && !/[:,] /.test(text) ? '' : ' ',
  };
}

/** The indentation of the first value on its own line, relative to its container. */
function unitOf(text: string, node: Node): string | undefined {
  const outer = indentAt(text, node.offset);
  for (const child of node.children ?? []) {
    const indent = indentAt(text, child.offset);
    if (lineStart(text, child.offset) + indent.length === child.offset && indent.length > outer.length) {
      return indent.slice(outer.length);
    }
    const inner = unitOf(text, child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const indentAt = (text: string, offset: number) =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))![0];

function print(value: Json, style: Style, indent: string, inline: boolean): string {
  if (!inline) return JSON.stringify(value, null, style.unit).replace(/\n/g, style.eol + indent);
  const { gap } = style;
  if (Array.isArray(value)) return `[${value.map(item => print(item, style, '', true)).join(`,${gap}`)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value as Fields);
  if (fields.length === 0) return '{}';
  const inner = fields.map(([key, item]) => `${JSON.stringify(key)}:${gap}${print(item, style, '', true)}`);
  return `{${gap}${inner.join(`,${gap}`)}${gap}}`;
}

/** A value on one line among other values stays on one line. */
function replace(text: string, node: Node, value: Json): string {
  const style = styleOf(text, rootOf(node));
  const end = node.offset + node.length;
  const holder = node.parent?.type === 'property' ? node.parent.parent : node.parent;
  const inline =
    style.flat || (!!holder && !text.slice(holder.offset, holder.offset + holder.length).includes('\n'));
  return replaceRange(text, node.offset, end, print(value, style, indentAt(text, node.offset), inline));
}

/** Changes only the fields of an object that differ; the others keep their positions and comments. */
function revise(text: string, path: readonly PathSegment[], node: Node, value: Json): string {
  if (node.type !== 'object' || !isFields(value)) return replace(text, node, value);
  const keys = node.children!.map(({ children }) => String(children![0]!.value));
  const isSingle = new Set(keys).size === keys.length;
  if (!isSingle || !keys.some(key => Object.hasOwn(value, key))) return replace(text, node, value);
  let changed = text;
  for (const key of keys)
    if (!Object.hasOwn(value, key)) changed = jsonFormat.change(changed, [...path, key], undefined);
  for (const [key, next] of Object.entries(value)) {
    const child = childOf(node, key);
    if (!child || !equalJson(dataOf(child), next)) changed = jsonFormat.change(changed, [...path, key], next);
  }
  return changed;
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

interface Tail {
  /** The end of the comma after a value, if there is one. */
  readonly comma?: number;
  /** The end of the last comment on the line of the value; the end of the value without one. */
  readonly line: number;
}

function tailOf(text: string, end: number): Tail {
  const scanner = createScanner(text, false);
  scanner.setPosition(end);
  let line = end;
  let comma: number | undefined;
  let sameLine = true;
  for (let kind: number = scanner.scan(); ; kind = scanner.scan()) {
    const after = scanner.getTokenOffset() + scanner.getTokenLength();
    if (kind === token.blanks) continue;
    if (kind === token.lineBreak) sameLine = false;
    else if (kind === token.comma) {
      if (comma !== undefined) break;
      comma = after;
      if (sameLine) line = after;
    } else if (kind === token.lineComment || kind === token.blockComment) {
      if (sameLine) line = after;
    } else break;
  }
  return { line, ...(comma !== undefined && { comma }) };
}

/** Inserts a new field or element after the last one, formatted like its siblings. */
function insert(text: string, container: Node, step: PathSegment, value: Json): string {
  const style = styleOf(text, rootOf(container));
  const { eol, unit, gap } = style;
  const open = container.offset;
  const close = open + container.length - 1;
  const item = (indent: string, inline: boolean) =>
    (typeof step === 'string' ? `${JSON.stringify(step)}:${style.flat ? gap : ' '}` : '') +
    print(value, style, indent, inline);
  const last = container.children?.at(-1);
  const outer = indentAt(text, open);
  if (!last) {
    const comments = text.slice(open + 1, close).trimEnd();
    if (comments === '') return replace(text, container, nestValue([step], value));
    const added = `${comments}${eol}${outer}${unit}${item(outer + unit, false)}${eol}${outer}`;
    return replaceRange(text, open + 1, close, added);
  }
  const end = last.offset + last.length;
  const tail = tailOf(text, end);
  const first = container.children![0]!;
  const overLines = text.slice(open, first.offset).includes('\n') || text.slice(end, close).includes('\n');
  if (!overLines) {
    const added = tail.comma === undefined ? `,${gap}${item('', true)}` : `${gap}${item('', true)},`;
    const at = tail.comma ?? end;
    return replaceRange(text, at, at, added);
  }
  const alone = text.slice(lineStart(text, last.offset), last.offset).trim() === '';
  const indent = alone ? indentAt(text, last.offset) : outer + unit;
  const at = Math.max(tail.line, tail.comma ?? 0);
  const added = `${eol}${indent}${item(indent, false)}${tail.comma === undefined ? '' : ','}`;
  const comma = tail.comma === undefined ? ',' : '';
  return text.slice(0, end) + comma + text.slice(end, at) + added + text.slice(at);
}

function remove(text: string, path: readonly PathSegment[], root: Node): string {
  let node = root;
  for (const step of path) node = childOf(node, step)!;
  return cut(text, node.parent?.type === 'property' ? node.parent : node);
}

/** Removes a field or element with its comma, and its line if nothing else is on it. */
function cut(text: string, node: Node): string {
  const container = node.parent!;
  const siblings = container.children!;
  const at = siblings.indexOf(node);
  const open = container.offset;
  const close = open + container.length - 1;
  const start = node.offset;
  const end = start + node.length;
  const { comma } = tailOf(text, end);
  if (siblings.length === 1) {
    const rest = text.slice(open + 1, start) + text.slice(end, close).replace(',', '');
    if (rest.trim() === '') return replaceRange(text, open + 1, close, '');
  }
  if (comma !== undefined) {
    const between = text.slice(end, comma - 1);
    if (between.trim() === '') return cutLine(text, start, comma);
    return cutLine(replaceRange(text, comma - 1, comma, ''), start, end);
  }
  const previous = siblings[at - 1];
  if (!previous) return cutLine(text, start, end);
  const before = tailOf(text, previous.offset + previous.length).comma!;
  if (text.slice(before, start).trim() === '') return replaceRange(text, before - 1, end, '');
  return replaceRange(cutLine(text, start, end), before - 1, before, '');
}

/** Removes a range, with its line when nothing else is on it, else with the blanks after it. */
function cutLine(text: string, start: number, end: number): string {
  const from = lineStart(text, start);
  const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(end))!;
  const alone = text.slice(from, start).trim() === '';
  if (alone && rest[1] !== undefined) return replaceRange(text, from, end + rest[0].length, '');
  return replaceRange(text, start, end + rest[0].length - (rest[1]?.length ?? 0), '');
}
