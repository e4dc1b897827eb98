import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { perObject } from './memo.ts';
import type { Source, Span } from './source.ts';

/** Keys and indexes from the root of a YAML file to a value. */
export type DataPath = readonly (string | number)[];

/** Why a text is no good YAML. `title` names the problem, `advice` the way out. */
export interface YamlProblem {
  readonly kind: 'syntax' | 'expansion';
  readonly title: string;
  readonly advice: string;
  readonly span: Span;
  /** For a duplicate key: the first one. */
  readonly first?: Span;
}

/** A YAML file as plain data, with the place of every value in it. */
export interface YamlFile {
  readonly source: Source;
  /** Objects have no prototype, so that any key is a key. `undefined` when there are problems. */
  readonly data: unknown;
  readonly problems: readonly YamlProblem[];
  /** The value at a path, or its key; `undefined` when the file has nothing there. */
  spanOf(path: DataPath, part?: 'key' | 'value'): Span | undefined;
}

/** A file of ten thousand values is beyond anything written by hand; aliases reach it in a few lines. */
const maxValues = 100_000;
const maxDepth = 100;
/** So many problems of one kind are told. */
const maxProblems = 50;

/** Part of a text, by offsets. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Parses YAML 1.2 with merge keys, of the whole text or a part of it. Never throws; what is wrong is in `problems`, with its place. */
export function readYaml(source: Source, part: Part = { start: 0, end: source.text.length }): YamlFile {
  const problems: YamlProblem[] = [];
  const span = (start: number, end: number): Span => ({
    source,
    start: part.start + start,
    end: part.start + Math.max(start, end),
  });
  const text = source.text.slice(part.start, part.end);
  const document = parse(text, span, problems);
  if (!document) return { source, data: undefined, problems, spanOf: () => undefined };
  const targets = resolveAliases(document);
  const converter = new Converter(targets);
  const data = problems.length === 0 ? converter.convert(document.contents, 0) : undefined;
  const place = (node: Node) => span(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  if (converter.overflow) {
    problems.push({
      kind: 'expansion',
      title: `it grows beyond ${maxValues} values or ${maxDepth} levels when its aliases are filled in`,
      advice: 'Write the values out instead of nesting aliases.',
      span: place(converter.overflow),
    });
  }
  for (const { key, first } of converter.duplicates.slice(0, maxProblems)) {
    problems.push({
      kind: 'syntax',
      title: `the key \`${text.slice(key.range![0], key.range![1])}\` stands twice in the same object`,
      advice: 'Keep one of the two.',
      span: place(key),
      first: place(first),
    });
  }
  for (const half of converter.halves.slice(0, maxProblems)) {
    problems.push({
      kind: 'syntax',
      title: 'it has half of a character, which no file can hold',
      advice: 'Write the character itself, or both halves: `"\\ud83d\\ude00"`.',
      span: place(half),
    });
  }
  for (const alias of converter.unresolved.slice(0, maxProblems)) {
    problems.push({
      kind: 'syntax',
      title: `\`${alias.source}\` is no anchor of this file`,
      advice: `A value that begins with \`*\` must stand in quotes: "*${alias.source}".`,
      span: place(alias),
    });
  }
  return {
    source,
    data: problems.length === 0 ? data : undefined,
    problems,
    spanOf: (path, part = 'value') => locate(document, targets, path, part, span),
  };
}

type SpanAt = (start: number, end: number) => Span;

function parse(text: string, span: SpanAt, problems: YamlProblem[]): Document.Parsed | undefined {
  const deep = tooDeep(text);
  if (deep !== undefined) {
    problems.push({
      kind: 'expansion',
      title: 'it is nested too deeply',
      advice: `Keep it to ${maxDepth} levels.`,
      span: span(deep, deep + 1),
    });
    return undefined;
  }
  const document = parseDocument(text, {
    merge: true,
    prettyErrors: false,
    logLevel: 'error',
    // Its check compares every key with every other; the conversion below finds them in one pass.
    uniqueKeys: false,
  });
  for (const error of document.errors.slice(0, maxProblems)) {
    const { title, advice } = describe(error.code, error.message);
    const start = openPlace(document, error) ?? error.pos[0];
    const end = start < error.pos[0] ? start + 1 : Math.max(error.pos[1], start + 1);
    problems.push({ kind: 'syntax', title, advice, span: span(start, Math.min(end, text.length)) });
  }
  return document;
}

/**
 * Where brackets or indentation go deeper than the parser's recursion may be taken, if they do.
 * The count takes no notice of strings: far below the limit nothing real is cut off by that.
 */
function tooDeep(text: string): number | undefined {
  const limit = 1000;
  let open = 0;
  let lead = 0;
  let leading = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\n') {
      leading = true;
      lead = 0;
    } else if (leading && (char === ' ' || char === '-' || char === '?' || char === ':')) lead += 1;
    else leading = false;
    if (char === '[' || char === '{') open += 1;
    else if ((char === ']' || char === '}') && open > 0) open -= 1;
    if (open > limit || lead > 2 * limit) return at;
  }
  return undefined;
}

/** A quote or bracket that is never closed is reported where it opens, not where the parser noticed. */
function openPlace(document: Document.Parsed, error: YAMLError): number | undefined {
  const quote = error.code === 'MISSING_CHAR' && /quote/.test(error.message);
  const bracket = /^Flow /.test(error.message) && /end with a/.test(error.message);
  if (!quote && !bracket) return undefined;
  const at = error.pos[0];
  let found: number | undefined;
  visit(document, (_key, node) => {
    if (!isNode(node) || !node.range || node.range[0] >= at) return;
    const opens = isScalar(node)
      ? quote && node.type?.startsWith('QUOTE')
      : bracket && isCollection(node) && node.flow;
    if (opens && node.range[2] >= at - 1) found = node.range[0];
  });
  return found;
}

/** Words for the errors that people really make; the parser's own words, made a clause, for the others. */
function describe(code: string, message: string): { title: string; advice: string } {
  const own = `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/[.:\s]+$/, '');
  switch (code) {
    case 'TAB_AS_INDENT':
      return {
        title: 'a tab is used for indentation',
        advice: 'Indent with spaces: YAML takes no tabs there.',
      };
    case 'BAD_INDENT':
      if (/^flow/.test(own)) {
        return {
          title: 'this bracket is never closed',
          advice: 'Close every `[` with `]` and every `{` with `}`.',
        };
      }
      return {
        title: 'the indentation does not fit the lines above',
        advice: 'Give all keys of one object, and all items of one list, the same number of spaces.',
      };
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        title: 'a key ends without a colon, or a value goes on where a key is expected',
        advice: 'Write `key: value` with a colon and a space, and put values of several lines in quotes.',
      };
    case 'BAD_ALIAS':
      return {
        title: own,
        advice: 'A value that begins with `*` or `&` must stand in quotes, such as "**/*.prs".',
      };
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
      return {
        title: own,
        advice: 'Put keys and values that begin with `@`, `` ` ``, `!` or `%` in quotes, such as "@company".',
      };
    case 'MISSING_CHAR':
      if (/quote/.test(own))
        return { title: 'this quote is never closed', advice: 'Close it on the same line.' };
      return { title: own, advice: 'Close every quote and bracket, and write a space after each colon.' };
    case 'MULTIPLE_DOCS':
      return {
        title: 'it holds several documents',
        advice: 'Remove the `---` line and what does not belong here.',
      };
    default:
      return { title: own, advice: 'Check quotes, brackets, colons and indentation at this place.' };
  }
}

const keyText = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : String(pair.key));

/** The node of each alias. Asked of the library, each alias searches the whole document. */
function resolveAliases(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
    } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
  });
  return targets;
}

/** Turns nodes into data with a budget, so that aliases cannot blow it up. */
class Converter {
  overflow: Node | undefined;
  readonly unresolved: Alias[] = [];
  /** Keys that stand twice in one object, with the first of the two. */
  readonly duplicates: { readonly key: Node; readonly first: Node }[] = [];
  /** Texts with half of a surrogate pair, which only an escape can write. */
  readonly halves: Node[] = [];
  private count = 0;

  constructor(private readonly targets: ReadonlyMap<Alias, Node>) {}

  convert(node: unknown, depth: number): unknown {
    if (node === null || node === undefined || this.overflow) return null;
    this.count += 1;
    if (this.count > maxValues || depth > maxDepth) {
      this.overflow = node as Node;
      return null;
    }
    if (isAlias(node)) {
      const target = this.targets.get(node);
      if (!target) this.unresolved.push(node);
      return this.convert(target, depth + 1);
    }
    if (isScalar(node)) {
      if (isHalf(node.value)) this.halves.push(node);
      return node.value;
    }
    if (isSeq(node)) return node.items.map(item => this.convert(item, depth + 1));
    if (isMap(node)) {
      const result: Record<string, unknown> = Object.create(null);
      const keys = new Map<string, Node>();
      for (const pair of node.items as Pair[]) {
        if (isMergeKey(pair)) continue;
        const key = pair.key as Node;
        const first = keys.get(keyText(pair));
        if (first) this.duplicates.push({ key, first });
        keys.set(keyText(pair), key);
        if (isHalf(keyText(pair))) this.halves.push(key);
        result[keyText(pair)] = this.convert(pair.value, depth + 1);
      }
      for (const pair of node.items as Pair[]) {
        if (isMergeKey(pair)) this.merge(result, pair.value, depth);
      }
      return result;
    }
    return null;
  }

  /** `<<: *base` and `<<: [*a, *b]`: what is there already wins, and the earlier of several. */
  private merge(into: Record<string, unknown>, node: unknown, depth: number): void {
    const value = this.convert(node, depth + 1);
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part === null || typeof part !== 'object') continue;
      for (const [key, inner] of Object.entries(part)) if (!(key in into)) into[key] = inner;
    }
  }
}

const isHalf = (value: unknown): boolean => typeof value === 'string' && /\p{Surrogate}/u.test(value);

const isMergeKey = (pair: Pair): boolean =>
  isScalar(pair.key) && (pair.key.value === '<<' || typeof pair.key.value === 'symbol');

/** Walks a path through aliases and merge keys. */
function locate(
  document: Document.Parsed,
  targets: ReadonlyMap<Alias, Node>,
  path: DataPath,
  part: 'key' | 'value',
  span: SpanAt,
): Span | undefined {
  let node: unknown = document.contents;
  let key: Node | undefined;
  for (const step of path) {
    const found = child(targets, node, step, 0);
    if (!found) return undefined;
    node = found.value;
    key = found.key;
  }
  const range = (node as Node | null | undefined)?.range;
  if (part === 'value' && range && range[1] > range[0]) return span(range[0], range[1]);
  if (key?.range) return span(key.range[0], key.range[1]);
  return range ? span(range[0], range[1]) : undefined;
}

function child(
  targets: ReadonlyMap<Alias, Node>,
  parent: unknown,
  step: string | number,
  depth: number,
): { key: Node | undefined; value: unknown } | undefined {
  if (depth > maxDepth) return undefined;
  if (isAlias(parent)) return child(targets, targets.get(parent), step, depth + 1);
  if (isSeq(parent)) {
    return typeof step === 'number' && step < parent.items.length
      ? { key: undefined, value: parent.items[step] }
      : undefined;
  }
  if (!isMap(parent)) return undefined;
  const { own, merged } = pairsOf(parent);
  const pair = own.get(String(step));
  if (pair) return { key: pair.key as Node, value: pair.value };
  for (const pair of merged) {
    const sources = isSeq(pair.value) ? pair.value.items : [pair.value];
    for (const source of sources) {
      const found = child(targets, source, step, depth + 1);
      if (found) return found;
    }
  }
  return undefined;
}

/** The pairs of a map by their keys, the first of equal ones, and those that merge other maps into it. */
const pairsOf = perObject((map: YAMLMap) => {
  const own = new Map<string, Pair>();
  const merged: Pair[] = [];
  for (const pair of map.items as Pair[]) {
    if (isMergeKey(pair)) merged.push(pair);
    else if (!own.has(keyText(pair))) own.set(keyText(pair), pair);
  }
  return { own, merged };
});
