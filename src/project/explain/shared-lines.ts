import type { EditOrigins, Json, KeyEdit, SharedFile } from '../../kinds/output.ts';
import { scalarText } from '../../model/data.ts';
import type { LayoutOrigin, Origin, ValueOrigin } from '../../model/model.ts';
import { leavesOf } from '../../model/origin.ts';
import { canonical } from '../../plan/canonical.ts';
import { lineEntries } from '../../plan/shared-lines.ts';
import type { Ingredient, Run } from '../../text/traced.ts';
import { readYaml } from '../../text/yaml.ts';

/**
 * Returns the origins of the lines of a structured file: by the value that starts on the line, its entry, and the slot
 * of the spec. Lines of the user have none.
 */
export async function readStructure(
  text: string,
  { format, edits }: Pick<SharedFile, 'format' | 'edits'>,
): Promise<(at: number) => (Origin | Run<Origin>)[]> {
  const lines = text.split('\n');
  const { ranges, data } = await readRanges(text, format);
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  return at => {
    const words = lines[at]!;
    const range = rangeOf(ranges, starts[at]!, starts[at]! + words.length);
    if (!range) return [];
    const value = range.path.reduce(valueIn, data);
    const origins = originsOfKey(range.path, { words, key: range.path.at(-1)!, value }, edits, data);
    return origins.map(origin => (origin.kind === 'value' ? lineOf(origin, words.trim()) : origin));
  };
}

/** The line of a multi-line text that a line of the file contains, ignoring marks around it. */
function lineOf(origin: ValueOrigin, words: string): Origin | Run<Origin> {
  const text = scalarText(origin.node);
  if (!text.includes('\n') || isWritten(text, words)) return origin;
  let at = 0;
  let best: Run<Origin> = { start: 0, end: 0, origin, at, exact: false };
  for (const line of text.split('\n')) {
    const { length } = line.trim();
    if (length > best.end && isWritten(line.trim(), words))
      best = { start: 0, end: length, origin, at: at + line.indexOf(line.trim()), exact: true };
    if (line.trim() === words) return best;
    at += line.length + 1;
  }
  return best.end > 0 ? best : origin;
}

function originsOfKey(
  path: readonly (string | number)[],
  written: ValueLine,
  edits: readonly KeyEdit[],
  data: unknown,
): Origin[] {
  for (const edit of edits) {
    const inside = placeIn(edit, path, data);
    if (inside && edit.origins) return originsIn(edit.origins, inside, written);
  }
  const elements = elementsOf(edits, path, written);
  if (elements.length > 0) return elements;
  const around = edits.find(edit => path.every((part, at) => String(part) === edit.path[at]));
  if (!around?.origins) return [];
  const { name } = around.origins;
  return name?.kind === 'name' && written.words.includes(name.text) ? [name] : [layout(around.origins)];
}

/** The origins of a line that contains a whole list with owned elements. */
function elementsOf(
  edits: readonly KeyEdit[],
  path: readonly (string | number)[],
  { words }: ValueLine,
): Origin[] {
  return edits.flatMap(edit => {
    const isHere = edit.kind === 'element' && edit.path.length === path.length && isPrefix(edit.path, path);
    if (!isHere || !edit.origins) return [];
    const leaves = edit.origins.slots.flatMap(({ origins }) => origins.flatMap(leavesOf));
    if (!scalarsIn([edit.value]).some(value => isWritten(value, words))) return [];
    const said = originsOfWords(leaves, { words, key: '', value: edit.value });
    return said.length > 0 ? said : leaves.map(({ origin }) => origin);
  });
}

/** A line with the value that starts on it. */
interface ValueLine {
  readonly words: string;
  readonly key: string | number;
  readonly value: unknown;
}

const layout = ({ by }: EditOrigins): LayoutOrigin => ({ kind: 'layout', by });

/** The outermost value that is entirely on the line, else the innermost that starts on it or contains it. */
function rangeOf(ranges: readonly KeyRange[], start: number, end: number): KeyRange | undefined {
  const begins = ranges.filter(one => one.start >= start && one.start < end);
  const whole = begins.filter(one => one.end <= end).sort((a, b) => a.path.length - b.path.length)[0];
  if (whole) return whole;
  const deepest = (all: readonly KeyRange[]) => [...all].sort((a, b) => b.path.length - a.path.length)[0];
  return deepest(begins) ?? deepest(ranges.filter(one => one.start < start && one.end > start));
}

/** The path relative to the place that an edit owns; `undefined` outside it. */
function placeIn(
  edit: KeyEdit,
  path: readonly (string | number)[],
  data: unknown,
): readonly (string | number)[] | undefined {
  const { length } = edit.path;
  if (!edit.path.every((part, at) => String(path[at]) === part)) return undefined;
  if (edit.kind === 'set') return path.slice(length);
  if (path.length === length) return undefined;
  const element = path.slice(0, length + 1).reduce(valueIn, data);
  // Formats may reorder keys, so the order is ignored.
  return canonical((element ?? null) as Json) === canonical(edit.value) ? path.slice(length + 1) : undefined;
}

const valueIn = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

function originsIn(origins: EditOrigins, inside: readonly (string | number)[], written: ValueLine): Origin[] {
  const { words } = written;
  const slot = origins.slots.find(({ path }) => isPrefix(path, inside));
  const leaves = slot?.origins.flatMap(leavesOf) ?? [];
  const names = [...namesIn(origins, leaves, inside, written), ...keysIn(origins, inside)];
  const within = names.length > 0 ? names : [layout(origins)];
  // Brackets belong to the layout.
  if (!/[\p{L}\p{N}]/u.test(words)) return [layout(origins)];
  if (isBeforeText(written)) return within;
  if (slot) {
    const chosen = chooseLeaves(leaves, inside.slice(slot.path.length), written);
    return chosen.length === 0 ? within : inside.length === 0 ? [...names, ...chosen] : chosen;
  }
  if (inside.length > 0 || opens.test(words)) return within;
  const said = origins.slots.flatMap(one => originsOfWords(one.origins.flatMap(leavesOf), written));
  return said.length > 0 ? [...names, ...said] : within;
}

const isPrefix = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length <= other.length && one.every((part, at) => String(part) === String(other[at]));

/** The origin of the key of a line: the name of the entry, or of a member of a slot. */
function namesIn(
  { name }: EditOrigins,
  leaves: readonly Ingredient<Origin>[],
  inside: readonly (string | number)[],
  { words, key }: ValueLine,
): Origin[] {
  // A header of TOML contains the whole path.
  const isHeader = inside.length === 0 || words.startsWith('[');
  if (name?.kind === 'name' && (key === name.text || (isHeader && words.includes(name.text)))) return [name];
  return leaves
    .filter(({ text, origin }) => origin.kind === 'name' && text === key)
    .map(({ origin }) => origin);
}

/** The origins of the key itself. */
const keysIn = ({ key = [] }: EditOrigins, inside: readonly (string | number)[]): Origin[] =>
  inside.length > 0 ? [] : key.flatMap(leavesOf).map(({ origin }) => origin);

/** Matches a key whose value starts on the next line. */
const opens = /(?:[[{:\]]|[|>][-+\d]*)\s*$/;

/** The origins of the part of a slot that a line contains. */
function chooseLeaves(
  leaves: readonly Ingredient<Origin>[],
  inside: readonly (string | number)[],
  written: ValueLine,
): Origin[] {
  // Indexes are ignored, because lists may have been joined.
  const keys = inside.filter(part => !Number.isInteger(Number(part)));
  const named = leaves.filter(
    ({ origin }) => origin.kind !== 'layout' && keys.every(part => origin.path.includes(String(part))),
  );
  const own = named.length > 0 ? named : leaves;
  const values = own.filter(({ origin }) => origin.kind === 'value');
  const said = originsOfWords(own, written);
  // Among equal values, the one with the same index.
  const same = values[Number(inside.at(-1))]?.origin;
  if (same && said.includes(same)) return [same];
  if (said.length > 0) return said;
  // A line that only opens a list or object contains none of its values.
  if (isOpening(written)) return [];
  return same ? [same] : (values.length > 0 ? values : own).map(({ origin }) => origin);
}

/** Whether a line only opens a list or object. */
const isOpening = ({ words, value }: ValueLine): boolean =>
  typeof value === 'object' && value !== null && (opens.test(words) || scalarsIn(value).length === 0);

/** Whether the text of a key starts on the next line. */
const isBeforeText = ({ words, value }: ValueLine): boolean =>
  typeof value === 'string' &&
  /^[^:=]+[:=]\s*(?:[|>][-+\d]*|"""|''')\s*$/.test(words) &&
  !isWritten(value, words);

/** The texts that a line contains completely, else those that overlap with its value. */
function originsOfWords(leaves: readonly Ingredient<Origin>[], { words, value }: ValueLine): Origin[] {
  if (typeof value === 'object' && value !== null) {
    const texts = new Set(leaves.map(({ text }) => text));
    const rest = scalarsIn(value).filter(text => !texts.has(text) && isWritten(text, words));
    return leaves
      .filter(({ text }) => text !== '' && (isWritten(text, words) || rest.some(part => text.includes(part))))
      .map(({ origin }) => origin);
  }
  const text = String(value);
  const values = leaves.filter(({ origin }) => origin.kind === 'value');
  const whole = values.filter(one => one.text === text);
  const parts = values.filter(one => one.text !== '' && (text.includes(one.text) || one.text.includes(text)));
  return (whole.length > 0 ? whole : parts).map(({ origin }) => origin);
}

const scalarsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsIn) : [String(value)];

/** Whether a line contains a text, plain or quoted. */
const isWritten = (text: string, words: string): boolean =>
  words.includes(text) || words.includes(JSON.stringify(text).slice(1, -1));

/** The range of a value in a text, including its key. */
interface KeyRange {
  readonly path: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
}

/** The ranges of all values of a text, and its data. */
async function readRanges(
  text: string,
  format: SharedFile['format'],
): Promise<{ readonly ranges: readonly KeyRange[]; readonly data: unknown }> {
  if (format === 'yaml') return readYamlRanges(text);
  if (format === 'lines') return readLineRanges(text);
  return format === 'toml' ? readTomlRanges(text) : readJsonRanges(text);
}

async function readJsonRanges(text: string) {
  const { parseTree, getNodePath, getNodeValue } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const ranges: KeyRange[] = [];
  const visit = (node: NonNullable<typeof tree>): void => {
    const whole = node.parent?.type === 'property' ? node.parent : node;
    if (node.type !== 'property')
      ranges.push({ path: getNodePath(node), start: whole.offset, end: whole.offset + whole.length });
    const children = node.type === 'property' ? node.children?.slice(1) : node.children;
    for (const child of children ?? []) visit(child);
  };
  if (tree) visit(tree);
  return { ranges: ranges.filter(({ path }) => path.length > 0), data: tree && getNodeValue(tree) };
}

async function readLineRanges(text: string) {
  const entries = lineEntries(text);
  const ranges = entries.map(({ start, end }, index): KeyRange => ({ path: [index], start, end }));
  return { ranges, data: entries.map(entry => entry.text) };
}

async function readYamlRanges(text: string) {
  const yaml = readYaml({ name: '', text });
  const ranges: KeyRange[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    const [key, own] = [yaml.spanOf(path, 'key'), yaml.spanOf(path, 'value')];
    if (path.length > 0 && own)
      ranges.push({ path, start: Math.min(key?.start ?? own.start, own.start), end: own.end });
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      visit(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  visit(yaml.data, []);
  return { ranges, data: yaml.data };
}

async function readTomlRanges(text: string) {
  const [{ blocksOf }, { parse }] = await Promise.all([
    import('../../plan/shared-toml.ts'),
    import('smol-toml'),
  ]);
  const count = new Map<string, number>();
  const ranges = blocksOf(text).map(({ kind, path, table, start, end }): KeyRange => {
    if (kind === 'element') {
      const name = JSON.stringify(table);
      count.set(name, (count.get(name) ?? -1) + 1);
    }
    // A table below an element belongs to the last preceding element.
    for (let length = path.length; length > 0; length--) {
      const index = count.get(JSON.stringify(path.slice(0, length)));
      if (index !== undefined)
        return { path: [...path.slice(0, length), index, ...path.slice(length)], start, end };
    }
    return { path, start, end };
  });
  return { ranges, data: parse(text) as Json };
}
