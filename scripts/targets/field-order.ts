/** Checks that the fields of a spec follow the order of the schema, except where keys are free, so that all specs read alike. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { sharedParts } from '../../src/generated/shared-parts.ts';
import { expandSpec } from '../../src/spec/expand.ts';
import { factsOf } from '../../src/spec/expand-entry.ts';
import { asDataObject } from '../../src/spec/shared-parts.ts';
import type { DataPath } from '../../src/text/yaml.ts';
import { root } from '../generate.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(`${root}/schema/target.schema.json`, 'utf8')) as Schema;

/** An object of a spec whose fields are out of order. */
export interface Misplaced {
  /** The object. */
  readonly at: DataPath;
  /** The first field that is too early, and the field that belongs in its place (`wanted`). */
  readonly field: string;
  readonly wanted: string;
  /** All fields of the object in the expected order. */
  readonly sorted: readonly string[];
}

/** The objects of a spec, before expansion, whose fields are out of order; outer ones first. */
export function misplacedFields(written: unknown): Misplaced[] {
  const found: Misplaced[] = [];
  const kinds = asDataObject(asDataObject(expandSpec(written, sharedParts, () => {}))?.files) ?? {};
  walk(written, schema, [], kinds, found);
  return found;
}

function walk(
  value: unknown,
  part: Schema | undefined,
  at: DataPath,
  files: Readonly<Record<string, unknown>>,
  found: Misplaced[],
): void {
  const inFiles = at.length === 2 && at[0] === 'files';
  const own = inFiles ? entrySchema(files[String(at[1])]) : schemaFor(part, value);
  if (!own || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, own.items, [...at, index], files, found);
    return;
  }
  const keys = Object.keys(value);
  if (own.properties) {
    const order = Object.keys(own.properties);
    const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
    const sorted = [...keys].sort((a, b) => place(a) - place(b));
    const first = keys.findIndex((key, index) => key !== sorted[index]);
    if (first !== -1) found.push({ at, field: keys[first]!, wanted: sorted[first]!, sorted });
  }
  const free = typeof own.additionalProperties === 'object' ? own.additionalProperties : undefined;
  for (const key of keys)
    walk(
      (value as Record<string, unknown>)[key],
      own.properties?.[key] ?? free ?? {},
      [...at, key],
      files,
      found,
    );
}

/** The schema for a value. References are resolved, and of `anyOf` the alternative with the type of the value is chosen. */
function schemaFor(part: Schema | undefined, value: unknown): Schema | undefined {
  if (part?.$ref !== undefined) return schemaFor(schema.definitions![part.$ref.replace(/^.*\//, '')], value);
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (part?.anyOf)
    return part.anyOf.map(one => schemaFor(one, value)).find(one => one?.type === type) ?? part;
  return part;
}

/** The schema of an entry: `use`, the name of its stanza, then the fields of its kind. */
function entrySchema(entry: unknown): Schema | undefined {
  const kind = asDataObject(entry)?.kind;
  const known = Object.values(schema.definitions!).find(
    one => (one.properties?.kind as { const?: unknown } | undefined)?.const === kind,
  );
  if (!known) return undefined;
  // A field that stands for another one in a stanza has the place of that field.
  const fields = Object.entries(known.properties ?? {}).flatMap(
    ([name, field]) =>
      [[name, field], ...Object.keys(factsOf[name]?.names ?? {}).map(one => [one, {}])] as const,
  );
  return { ...known, properties: { use: {}, ...Object.fromEntries(fields) } };
}

/**
 * The text of a spec with all fields in order. Lines move with the comments directly above and in them; values, quotes
 * and layout are preserved. A flow mapping with comments between its fields is not sorted, and a text that cannot be
 * parsed is returned unchanged.
 */
export function sortFields(text: string): string {
  let sorted = text;
  // Sorting an object moves the objects inside it, so the positions are computed again after each step.
  for (let left = 1000; left > 0; left--) {
    const document = parseDocument(sorted);
    if (document.errors.length > 0) return text;
    const data = document.toJS() as unknown;
    let next = sorted;
    for (const one of misplacedFields(data)) {
      const map = document.getIn(one.at, true);
      if (one.at.length === 0 ? isMap(document.contents) : isMap(map))
        next = sortMap(sorted, (one.at.length === 0 ? document.contents : map) as YAMLMap, one.sorted);
      if (next !== sorted) break;
    }
    if (next === sorted || !isDeepStrictEqual(parseDocument(next).toJS(), data)) return sorted;
    sorted = next;
  }
  return sorted;
}

const keyOf = (pair: Pair): string => String(isScalar(pair.key) ? pair.key.value : pair.key);

const startOf = (pair: Pair): number => (isNode(pair.key) ? pair.key.range![0] : 0);

function sortMap(text: string, map: YAMLMap, order: readonly string[]): string {
  const at = (pair: Pair) => order.indexOf(keyOf(pair));
  const pairs = map.items as Pair[];
  return map.flow ? sortFlow(text, pairs, at) : sortBlock(text, pairs, at, map.range![2]);
}

/** Reorders the fields of a flow mapping. The text between them stays in place. */
function sortFlow(text: string, pairs: readonly Pair[], at: (pair: Pair) => number): string {
  const spans = pairs.map(pair => {
    const start = startOf(pair);
    return { start, end: isNode(pair.value) ? pair.value.range![1] : start + keyOf(pair).length };
  });
  const gaps = spans.slice(1).map(({ start }, index) => text.slice(spans[index]!.end, start));
  if (gaps.some(gap => gap.includes('#'))) return text;
  const order = [...pairs.keys()].sort((a, b) => at(pairs[a]!) - at(pairs[b]!));
  const parts = order.map(index => text.slice(spans[index]!.start, spans[index]!.end));
  const inner = parts.map((part, index) => part + (gaps[index] ?? '')).join('');
  return text.slice(0, spans[0]!.start) + inner + text.slice(spans.at(-1)!.end);
}

/** Reorders the fields of a block mapping, each with the comments above it. */
function sortBlock(text: string, pairs: readonly Pair[], at: (pair: Pair) => number, mapEnd: number): string {
  const lineStart = (offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
  const column = startOf(pairs[0]!) - lineStart(startOf(pairs[0]!));
  const begins = pairs.map((pair, index) => {
    const line = lineStart(startOf(pair));
    return index === 0 && text.slice(line, startOf(pair)).trim() !== ''
      ? startOf(pair)
      : leadStart(text, line, column);
  });
  const first = begins[0]!;
  const end = text[mapEnd - 1] === '\n' ? mapEnd : lineEnd(text, mapEnd);
  const chunks = pairs.map((pair, index) => {
    const chunk = text.slice(begins[index], begins[index + 1] ?? end);
    return { at: at(pair), text: chunk.endsWith('\n') ? chunk : `${chunk}\n` };
  });
  const indent = ' '.repeat(column);
  const inline = first === startOf(pairs[0]!) && column > 0;
  if (inline) chunks[0]!.text = indent + chunks[0]!.text;
  const sorted = chunks
    .sort((a, b) => a.at - b.at)
    .map(chunk => chunk.text)
    .join('');
  const dash = lineStart(first);
  const above = inline ? (/^(?: *#[^\n]*\n)*/.exec(sorted)?.[0] ?? '') : '';
  const marked = above.replace(/^ */gm, line =>
    line === '' ? '' : text.slice(dash, first).replace(/\S.*/, ''),
  );
  const body = inline ? sorted.slice(above.length + column) : sorted;
  return (
    text.slice(0, dash) +
    marked +
    text.slice(dash, first) +
    (text.slice(0, end).endsWith('\n') ? body : body.slice(0, -1)) +
    text.slice(end)
  );
}

const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
};

/** Start of the comments directly above a line. The schema comment stays at the head of the file. */
function leadStart(text: string, line: number, column: number): number {
  let start = line;
  for (;;) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    const previous = text.slice(above, start);
    if (
      start === 0 ||
      !previous.startsWith(`${' '.repeat(column)}#`) ||
      previous.startsWith('# yaml-language-server')
    )
      return start;
    start = above;
  }
}
