import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { findFrontMatter } from './front-matter-lines.ts';
import { splitList } from './split-list.ts';

/** A value of front matter; objects have no prototype, so that any key is a key. */
type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** Front matter as tools read it, and where the text below it begins. */
export interface FrontMatter {
  /** In the order of the file; the last of several equal keys counts. */
  readonly fields: ReadonlyMap<string, Data>;
  /** Keys whose value is no valid YAML and was read by its line. */
  readonly loose: readonly string[];
  /** Keys that were set more than once. */
  readonly repeated: readonly string[];
  /** Values that YAML reads as a list or map on one line, as they are written. */
  readonly written: ReadonlyMap<string, string>;
  /** Line of a key, from 1. */
  readonly lineOf: ReadonlyMap<string, number>;
  /** Number of lines that the front matter takes, fences included; 0 when there is none. */
  readonly lines: number;
}

const none: FrontMatter = {
  fields: new Map(),
  loose: [],
  repeated: [],
  written: new Map(),
  lineOf: new Map(),
  lines: 0,
};

const keyLine = /^(?:"([^"]*)"|'([^']*)'|([A-Za-z_$][\w.$-]*))[ \t]*:(?=[ \t]|$)/;

/**
 * Reads the block between `---` lines at the top of a file. Real files hold `globs: **\/*`, colons in descriptions,
 * tabs and duplicate keys, and the tools take them: each key is read as YAML where that works and by its line
 * where not, so that one odd value never hides the others. Anything that does not look like keys is no front matter.
 */
export function readFrontMatter(text: string): FrontMatter {
  const found = findFrontMatter(text);
  if (!found) return none;
  const lines = text
    .slice(found.start, found.end)
    .split(/\r\n?|\n/)
    .slice(0, -1);
  const inner = lines.map(line => line.replace(/^\t+/, tabs => '  '.repeat(tabs.length)));
  const first = inner.find(line => line.trim() !== '');
  if (first !== undefined && !keyLine.test(first) && !first.startsWith('#')) return none;
  return readKeys(inner, lines.length + 2);
}

function readKeys(lines: readonly string[], taken: number): FrontMatter {
  const fields = new Map<string, Data>();
  const lineOf = new Map<string, number>();
  const written = new Map<string, string>();
  const loose: string[] = [];
  const repeated: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const match = keyLine.exec(lines[at]!);
    let next = at + 1;
    if (!match) {
      at = next;
      continue;
    }
    while (next < lines.length && !keyLine.test(lines[next]!)) next++;
    const key = match[1] ?? match[2] ?? match[3]!;
    const chunk = lines.slice(at, next);
    const strict = readYaml(chunk.join('\n'));
    if (strict === undefined) loose.push(key);
    if (fields.has(key)) repeated.push(key);
    const flow = /^[[{].*$/.exec(chunk.join('\n').slice(match[0].length).trim())?.[0];
    if (flow !== undefined) written.set(key, flow);
    fields.set(key, strict === undefined ? readLoose(match[0].length, chunk) : strict);
    lineOf.set(key, at + 2);
    at = next;
  }
  return { fields, loose, repeated, written, lineOf, lines: taken };
}

/** The value of a text that holds one key; `undefined` when it is no YAML. */
function readYaml(text: string): Data | undefined {
  const document = parseDocument(`${text}\n`, {
    uniqueKeys: false,
    lineCounter: new LineCounter(),
    logLevel: 'silent',
  });
  if (document.errors.length > 0 || !isMap(document.contents) || document.contents.items.length !== 1)
    return undefined;
  try {
    return dataOf(document.contents.items[0]!.value as Node | null, 0);
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** Aliases and very deep values are taken as text: front matter written by hand needs neither. */
class NotPlain extends Error {}

function dataOf(node: Node | null, depth: number): Data {
  if (node === null) return null;
  if (depth > 50 || isAlias(node)) throw new NotPlain();
  if (isSeq(node)) return node.items.map(item => dataOf(item as Node | null, depth + 1));
  if (isMap(node)) {
    const object: Record<string, Data> = Object.create(null);
    for (const { key, value } of node.items) {
      object[isScalar(key) ? String(key.source ?? key.value) : String(key)] = dataOf(
        value as Node | null,
        depth + 1,
      );
    }
    return object;
  }
  if (!isScalar(node)) throw new NotPlain();
  const { value } = node;
  // `1.10` is a version and no number: what a number would change stays text.
  if (typeof value === 'number') return String(value) === node.source ? value : String(node.source);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return String(node.source ?? value);
}

/** `key: value` by its line: quotes around the whole go, items below it are a list, other lines continue it. */
function readLoose(skip: number, chunk: readonly string[]): Data {
  const head = unquote(chunk[0]!.slice(skip).trim());
  const rest = chunk.slice(1).filter(line => line.trim() !== '');
  const items = rest.map(line => /^\s*-[ \t]+(.*)$/.exec(line)?.[1]);
  if (rest.length > 0 && head === '' && items.every(item => item !== undefined)) {
    return items.map(item => unquote(item!.trim()));
  }
  const flow = /^\[(.*)\]$/.exec(head);
  if (flow && rest.length === 0) return splitList(flow[1]!).map(unquote);
  const lines = /^[|>][+-]?$/.test(head) ? rest : [head, ...rest];
  return lines
    .map(line => line.trim())
    .join(head.startsWith('|') ? '\n' : ' ')
    .trim();
}

const unquote = (text: string): string =>
  /^"(.*)"$/.exec(text)?.[1] ?? /^'(.*)'$/.exec(text)?.[1]?.replaceAll("''", "'") ?? text;

/** A list of names or globs however the file wrote it: a YAML list, a comma list, or one value. */
export function listOf(value: Data | undefined): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(listOf);
  if (typeof value === 'object') return Object.keys(value);
  return splitList(String(value)).map(unquote);
}
