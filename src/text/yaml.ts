import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { hasLoneSurrogate } from './bytes.ts';
import { findTooDeepNesting } from './nesting.ts';
import type { Source, Span } from './source.ts';
import { maxProblems, syntaxProblems } from './yaml-problems.ts';

/** Keys and indexes from the root of a YAML file to a value. */
export type DataPath = readonly (string | number)[];

/** Why a text is not valid YAML. `title` names the problem, `advice` says how to fix it. */
export interface YamlProblem {
  readonly kind: 'syntax' | 'expansion';
  readonly title: string;
  readonly advice: string;
  readonly span: Span;
  /** For a duplicate key: the span of the first one. */
  readonly first?: Span;
}

/** A YAML file as plain data, with the span of every value. */
export interface YamlFile {
  readonly source: Source;
  /**
   * Objects have no prototype, so that keys such as `constructor` are safe. `undefined` when there are
   * problems.
   */
  readonly data: unknown;
  readonly problems: readonly YamlProblem[];
  /** The span of the value at a path, or of its key; `undefined` when the path does not exist. */
  spanOf(path: DataPath, part?: 'key' | 'value'): Span | undefined;
}

/** No hand-written file has so many values, but a few lines of aliases can expand to more. */
const maxValues = 100_000;
const maxDepth = 100;

interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses YAML 1.2 with merge keys, from the whole text or a part of it. Never throws: errors are in
 * `problems`, with spans.
 */
export function readYaml(source: Source, part: Part = { start: 0, end: source.text.length }): YamlFile {
  const span = (start: number, end: number): Span => ({
    source,
    start: part.start + start,
    end: part.start + Math.max(start, end),
  });
  const text = source.text.slice(part.start, part.end);
  const deep = tooDeep(text);
  if (deep !== undefined) {
    const advice = `Keep it to ${maxDepth} levels.`;
    const problem = { title: 'it is nested too deeply', advice, span: span(deep, deep + 1) };
    return {
      source,
      data: undefined,
      problems: [{ kind: 'expansion', ...problem }],
      spanOf: () => undefined,
    };
  }
  const document = parseDocument(text, {
    merge: true,
    prettyErrors: false,
    logLevel: 'error',
    // The check of the library compares every key with every other; the conversion below finds duplicates in
    // one pass.
    uniqueKeys: false,
  });
  const converter = new Converter(document, text);
  const data = converter.convert(document.contents, 0);
  const place = (node: Node) => span(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  const problems: YamlProblem[] = syntaxProblems(document, text).map(({ start, end, ...problem }) => ({
    kind: 'syntax',
    ...problem,
    span: span(start, end),
  }));
  if (problems.length === 0)
    for (const { node, first, ...problem } of converter.problems.slice(0, maxProblems))
      problems.push({ ...problem, span: place(node), ...(first && { first: place(first) }) });
  return {
    source,
    data: problems.length === 0 ? data : undefined,
    problems,
    spanOf: (path, part = 'value') => {
      const { key, value } = converter.placeOf(data, path) ?? {};
      const [start, end] = value?.range ?? [0, 0];
      if (part === 'value' && end > start) return span(start, end);
      const found = key ?? value;
      return found?.range ? place(found) : undefined;
    },
  };
}

/** The offset where brackets or indentation are nested too deep for the recursive parser, if they are. */
function tooDeep(text: string): number | undefined {
  const indent = text.search(/^[ ?:-]{2000}/m);
  return findTooDeepNesting(text) ?? (indent === -1 ? undefined : indent);
}

/** The nodes of a value and, in an object, of its key. */
interface Place {
  readonly key?: Node;
  readonly value: Node | null;
}

type NodeProblem = Omit<YamlProblem, 'span' | 'first'> & { readonly node: Node; readonly first?: Node };

/**
 * Converts nodes to data and records their places. A limit on the number of values stops aliases that expand
 * exponentially.
 */
class Converter {
  readonly problems: NodeProblem[] = [];
  private readonly targets: ReadonlyMap<Alias, Node>;
  private readonly whole: Place;
  private readonly places = new WeakMap<object, Map<string | number, Place>>();
  private count = 0;
  private isOver = false;

  constructor(
    document: Document.Parsed,
    private readonly text: string,
  ) {
    this.targets = resolveAliases(document);
    this.whole = { value: document.contents };
  }

  convert(node: unknown, depth: number): unknown {
    if (!isNode(node) || this.isOver) return null;
    this.count += 1;
    if (this.count > maxValues || depth > maxDepth) {
      this.isOver = true;
      this.problems.unshift({
        kind: 'expansion',
        title: `it grows beyond ${maxValues} values or ${maxDepth} levels when its aliases are filled in`,
        advice: 'Write the values out instead of nesting aliases.',
        node,
      });
      return null;
    }
    if (isAlias(node)) return this.convert(this.targetOf(node), depth + 1);
    if (isScalar(node)) {
      this.checkText(node.value, node);
      return node.value;
    }
    if (isSeq(node)) {
      const list = node.items.map(item => this.convert(item, depth + 1));
      this.places.set(list, new Map(node.items.map((value, index) => [index, { value: value as Node }])));
      return list;
    }
    return isMap(node) ? this.convertMap(node, depth) : null;
  }

  /** The place of the value at a path of converted data; `undefined` when the path does not exist. */
  placeOf(root: unknown, path: DataPath): Place | undefined {
    let data = root;
    let place: Place | undefined = this.whole;
    for (const step of path) {
      const places = typeof data === 'object' && data !== null ? this.places.get(data) : undefined;
      place = places?.get(Array.isArray(data) ? step : String(step));
      if (!place) return undefined;
      data = (data as Record<string | number, unknown>)[step];
    }
    return place;
  }

  private convertMap({ items }: YAMLMap, depth: number): unknown {
    const result: Record<string, unknown> = Object.create(null);
    const places = new Map<string, Place>();
    for (const pair of items as Pair<Node, Node>[]) {
      if (isMergeKey(pair)) continue;
      const { key, value } = pair;
      const name = isScalar(key) ? String(key.value) : String(key);
      const first = places.get(name)?.key;
      if (first)
        this.syntax(
          key,
          `the key \`${this.text.slice(key.range![0], key.range![1])}\` occurs twice in the same object`,
          'Keep one of the two.',
          first,
        );
      else places.set(name, { key, value });
      this.checkText(name, key);
      result[name] = this.convert(value, depth + 1);
    }
    for (const pair of items as Pair<Node, Node>[])
      if (isMergeKey(pair)) this.merge(result, places, this.convert(pair.value, depth + 1));
    this.places.set(result, places);
    return result;
  }

  /** `<<: *base` and `<<: [*a, *b]`: existing keys win, and of several maps the earlier one wins. */
  private merge(into: Record<string, unknown>, places: Map<string, Place>, value: unknown): void {
    for (const part of Array.isArray(value) ? value : [value])
      for (const [key, inner] of Object.entries(typeof part === 'object' && part !== null ? part : {})) {
        if (key in into) continue;
        into[key] = inner;
        const place = this.places.get(part)?.get(key);
        if (place) places.set(key, place);
      }
  }

  private targetOf(alias: Alias): Node | undefined {
    const target = this.targets.get(alias);
    if (!target)
      this.syntax(
        alias,
        `\`${alias.source}\` is no anchor of this file`,
        `A value that begins with \`*\` must be in quotes: "*${alias.source}".`,
      );
    return target;
  }

  /** A lone surrogate can only come from an escape sequence. */
  private checkText(value: unknown, node: Node): void {
    if (typeof value === 'string' && hasLoneSurrogate(value))
      this.syntax(
        node,
        'it has half of a character, which no file can hold',
        'Write the character itself, or both halves: `"\\ud83d\\ude00"`.',
      );
  }

  private syntax(node: Node, title: string, advice: string, first?: Node): void {
    this.problems.push({ kind: 'syntax', title, advice, node, ...(first && { first }) });
  }
}

/** Resolves all aliases at once: the library searches the whole document for each alias. */
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

const isMergeKey = ({ key }: Pair): boolean =>
  isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol');
