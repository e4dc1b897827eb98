import type { Html, Nodes } from 'mdast';
import { parseMarkdown } from '../kinds/document/read/markdown.ts';
import type { ImpliedKey, Json, WholeFile } from '../kinds/output.ts';
import { decodeText, encodeText, textOfFile } from '../text/bytes.ts';
import { type FrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { withoutNoFrontMatterMark } from '../text/plain-mark.ts';
import { splitList } from '../text/split-list.ts';
import { canonical, equalJson, withLineFeeds } from './canonical.ts';
import { loadFormat } from './load-format.ts';
import type { Difference, KeyChange } from './plan.ts';
import { type Fields, isFields } from './shared-format.ts';

export type Compared = Pick<WholeFile, 'path' | 'format' | 'implied' | 'plain'>;

/**
 * Whether an existing file has the same meaning as a planned one: data is compared as data, text without
 * blank lines at its ends, or, where the layout does not matter, by its Markdown syntax tree. Programs and files of
 * other kinds have no such comparison.
 */
export async function hasSameMeaning(
  present: Uint8Array,
  planned: Uint8Array,
  { path, format, implied = [], plain }: Compared,
  anyLayout = false,
): Promise<boolean> {
  if (format !== 'markdown') {
    const [a, b] = [await valueIn(present, format), await valueIn(planned, format)];
    return a !== undefined && b !== undefined && sameValue(a, b);
  }
  const [now, wanted] = [textOf(present), textOf(planned)];
  if (now === undefined || wanted === undefined) return false;
  const [head, other] = [readFrontMatter(now), readFrontMatter(wanted)];
  const [text, plannedText] = [belowFrontMatter(now, head), belowFrontMatter(wanted, other)];
  // A text that only looks like front matter is harmless if it is there already.
  const isPlain = head.lines === 0 && text === withoutNoFrontMatterMark(plannedText);
  const isSaid = text === plannedText || isPlain || (plain !== undefined && text === withoutBlankEnds(plain));
  if (!sameRows(head, other, path, implied)) return false;
  return isSaid || (anyLayout && (await hasSameOutline(text, plannedText)));
}

/** The value of a data file, or the front matter of a Markdown file; `undefined` for other contents. */
async function valueIn(bytes: Uint8Array, format: WholeFile['format']): Promise<Json | undefined> {
  const text = textOf(bytes);
  if (text === undefined || format === 'script' || format === 'other') return undefined;
  if (format === 'markdown') return Object.fromEntries(readFrontMatter(text).fields);
  const parsed = (await loadFormat(format)).parse(text);
  return 'value' in parsed ? parsed.value : undefined;
}

/**
 * How an existing file with another meaning differs from the planned one: the fields that the planned one
 * lacks.
 */
export async function findDifference(
  present: Uint8Array,
  planned: Uint8Array,
  { format, implied = [] }: Compared,
): Promise<Difference> {
  const [now, wanted] = [await valueIn(present, format), await valueIn(planned, format)];
  if (now === undefined || wanted === undefined) return { kind: 'content', lostFields: [] };
  const isMeant = ([key, value]: [string, Json]) =>
    key !== 'name' && value !== '' && !isImplied(key, value, false, implied);
  const fields =
    format === 'markdown' ? Object.fromEntries(Object.entries(now as Fields).filter(isMeant)) : now;
  return { kind: 'content', lostFields: lostFields(fields, wanted) };
}

/** Fields in existing values of shared keys that the planned values lack. */
export const lostKeys = (changes: readonly KeyChange[]): string[] =>
  changes.flatMap(({ kind, path, before, after }) =>
    kind === 'set' && before !== undefined && after !== undefined
      ? lostFields(before, after, path.join('.'))
      : [],
  );

/** Paths of the fields that are in the first value but not in the second; list items do not count. */
function lostFields(now: Json, wanted: Json, path = ''): string[] {
  if (!isFields(now) || !isFields(wanted)) return [];
  return Object.keys(now).flatMap(key => {
    const below = path === '' ? key : `${path}.${key}`;
    return Object.hasOwn(wanted, key) ? lostFields(now[key]!, wanted[key]!, below) : [below];
  });
}

/**
 * Replaces only the body of an adopted Markdown file: the front matter stays as the user wrote it. `undefined` when the
 * front matter does not say the same, or when there is none.
 */
export function withOwnHead(
  present: Uint8Array,
  planned: Uint8Array,
  { path, implied = [], plain }: Compared,
): Uint8Array | undefined {
  const [now, wanted] = [decodeText(present), textOf(planned)];
  if (now === undefined || wanted === undefined) return undefined;
  const [head, other] = [readFrontMatter(now), readFrontMatter(wanted)];
  if (head.lines === 0 || !sameRows(head, other, path, implied)) return undefined;
  const top = /^(?:[ \t]*\r?\n)*/.exec(now.slice(head.bodyStart))![0];
  const hasMore = [...head.fields.keys()].some(key => !other.fields.has(key));
  const body = hasMore && plain !== undefined ? plain : wanted.slice(other.bodyStart);
  const text = now.slice(0, head.bodyStart) + top + withoutBlankStart(body);
  return encodeText(now.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text);
}

/** The text of a file with LF line ends; `undefined` for binary content. */
const textOf = (bytes: Uint8Array): string | undefined => textOfFile(withLineFeeds(bytes));

/** The text below front matter, without blank lines at its ends. */
export const belowFrontMatter = (text: string, { lines }: FrontMatter): string =>
  withoutBlankEnds(lines === 0 ? text : text.split('\n').slice(lines).join('\n'));

const withoutBlankStart = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '');

const withoutBlankEnds = (text: string): string => withoutBlankStart(text).trimEnd();

/** Whether two front matters have the same meaning. */
function sameRows(
  now: FrontMatter,
  wanted: FrontMatter,
  path: string,
  implied: readonly ImpliedKey[],
): boolean {
  const keys = new Set([...now.fields.keys(), ...wanted.fields.keys()]);
  return [...keys].every(key => {
    const [a, b] = [now.fields.get(key) ?? '', wanted.fields.get(key) ?? ''];
    if (sameValue(a, b)) return true;
    if ((a === '' || b === '') && isImplied(key, a === '' ? b : a, a === '', implied)) return true;
    // A list of one element may be written as the element alone.
    if (isItemAlone(a, b) || isItemAlone(b, a)) return true;
    // Tools use the file name when the front matter has no name.
    if (key === 'name' && (a === '' || b === '')) return hasName(path, String(a) || String(b));
    // Tools treat `argument-hint: [issue]` as text, which is why the compiler quotes it.
    const isText = (value: Json, of: FrontMatter, text: Json) =>
      typeof text === 'string' && typeof value === 'object' && of.written.get(key) === text;
    return isText(a, now, b) || isText(b, wanted, a) || sameList(a, b) || sameList(b, a);
  });
}

/**
 * Whether a key that only one of two front matters has is insignificant: it has the implied value, or, with
 * `left`, it is implied with any value.
 */
const isImplied = (key: string, value: Json, left: boolean, implied: readonly ImpliedKey[]): boolean =>
  implied.some(one => one.key === key && (one.value === undefined ? left : sameValue(one.value, value)));

function hasName(path: string, name: string): boolean {
  const [file, folder] = path.split('/').reverse();
  return file!.split('.')[0] === name || (file === 'SKILL.md' && folder === name);
}

/** Blank lines at the ends of a text, and quotes around a number, are layout as well. */
function sameValue(a: Json, b: Json): boolean {
  if (equalJson(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  if (isFields(a) && isFields(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every(key => Object.hasOwn(b, key) && sameValue(a[key]!, b[key]!))
    );
  }
  const isPlain = (value: Json) => typeof value === 'string' || typeof value === 'number';
  return isPlain(a) && isPlain(b) && withoutBlankEnds(String(a)) === withoutBlankEnds(String(b));
}

const sameItems = (a: readonly Json[], b: readonly Json[]): boolean =>
  a.length === b.length && a.every((item, index) => sameValue(item, b[index]!));

const isItemAlone = (list: Json, item: Json): boolean =>
  Array.isArray(list) && list.length === 1 && !Array.isArray(item) && sameValue(list[0] as Json, item);

/** Whether a comma-separated string and a list are equal: tools accept `a, b` where they accept a list. */
function sameList(a: Json, b: Json): boolean {
  if (typeof b !== 'string' || b === '') return false;
  const parts = (typeof a === 'string' ? namesIn(a) : Array.isArray(a) ? (a as readonly Json[]) : []).map(
    item => (isFields(item) || Array.isArray(item) ? undefined : String(item)),
  );
  const equal = (other: readonly string[]) =>
    other.length === parts.length && other.every((part, index) => part === parts[index]);
  return parts.length > 0 && (equal(splitList(b)) || (typeof a !== 'string' && equal(b.trim().split(/\s+/))));
}

/** The names or globs in a comma-separated string; `[]` for prose with commas. */
function namesIn(text: string): string[] {
  const parts = splitList(text);
  return parts.length > 1 && parts.every(part => !/\s/.test(part)) ? parts : [];
}

/**
 * Whether two Markdown texts differ only in layout: list markers, blank lines, escapes, line breaks, and
 * comments that only the existing one has.
 */
async function hasSameOutline(present: string, planned: string): Promise<boolean> {
  const [now, wanted] = await Promise.all(
    [present, planned].map(async text => (await parseMarkdown(text)).nodes),
  );
  const own = new Set(wanted!.flatMap(node => (isComment(node) ? node.value : [])));
  const compared = now!.filter(node => !isComment(node) || own.has(node.value));
  return canonical(compared.map(shapeOf)) === canonical(wanted!.map(shapeOf));
}

const isComment = (node: Nodes): node is Html =>
  node.type === 'html' && /^(?:\s*<!--(?:(?!-->).)*-->)+\s*$/s.test(node.value);

function shapeOf(node: Nodes): Json {
  const shape: Record<string, Json> = { type: node.type };
  for (const [key, value] of Object.entries(node)) {
    if (key === 'position' || key === 'children' || key === 'spread' || value == null) continue;
    shape[key] = key === 'value' && !isVerbatim(node) ? String(value).replace(/\s+/g, ' ') : (value as Json);
  }
  return 'children' in node ? { ...shape, children: node.children.map(shapeOf) } : shape;
}

const isVerbatim = ({ type }: Nodes): boolean => type === 'code' || type === 'inlineCode' || type === 'html';
