import { type Data, isObject } from './data.ts';
import { megabyte } from './sizes.ts';
import { lineSpan, type Source, type Span } from './source.ts';
import { splitList } from './split-list.ts';
import { type DataPath, readYaml, type YamlFile, type YamlProblem } from './yaml.ts';

/** Front matter as tools read it: values with their spans, and the offset of the text below it. */
export interface FrontMatter {
  /** In the order of the file. The last of duplicate keys wins. */
  readonly fields: ReadonlyMap<string, Data>;
  /** The source text of values that YAML reads as a list or map on one line. */
  readonly written: ReadonlyMap<string, string>;
  /** Keys whose value is not valid YAML and was read as the text of its line, with that line. */
  readonly lenient: ReadonlyMap<string, Span>;
  /** Keys that occur more than once, with the line that wins. */
  readonly repeated: ReadonlyMap<string, Span>;
  /** Why it is not valid YAML, if it is not. */
  readonly problem?: YamlProblem;
  /**
   * Whether all invalid YAML in it has only one plausible reading, such as `globs: *.ts` or `description:
   * Note: this`.
   */
  readonly isClear: boolean;
  /** Number of lines of the front matter including the fences; 0 without front matter. */
  readonly lines: number;
  readonly bodyStart: number;
  /** The span of a value, or of the whole front matter when the path does not exist. */
  readonly spanOf: (path: DataPath) => Span;
}

/** In characters. */
const maxLength = megabyte / 4;

const keyLine = /^(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z_$][\w.$-]*))[ \t]*:(?=[ \t\r\n]|$)/;

/**
 * Reads the block between `---` lines at the top of a file. If the block is not valid YAML, each key is read
 * alone, as YAML or else as the text of its line, so that one invalid value does not hide the others. A block
 * without keys is not front matter. Front matter of more than 256 kB is not read and has a `problem`.
 */
export function readFrontMatter(given: string | Source): FrontMatter {
  const source = typeof given === 'string' ? { name: '', text: given } : given;
  const found = findFrontMatter(source.text);
  if (!found) return noFrontMatter(source);
  const place: Place = { ...found, source };
  if (found.end - found.start > maxLength)
    return { ...joined(place, []), isClear: false, problem: tooLong(source) };
  const inner = source.text.slice(found.start, found.end);
  // A lone carriage return ends a line here, but not in YAML.
  const yaml = readYaml({ name: source.name, text: source.text.replace(/\r(?!\n)/g, '\n') }, found);
  const [problem] = yaml.problems;
  if (problem) return startsWithKey(inner) ? readByKeys(place, problem) : noFrontMatter(source);
  const { data } = yaml;
  // Two `---` lines around blank lines or a paragraph are thematic breaks of Markdown.
  const isEmpty = data === null && !/^[ \t]*\r?\n/.test(inner);
  const isMap = isObject(data);
  return isEmpty || isMap ? joined(place, keysOf(yaml, place)) : noFrontMatter(source);
}

interface Place extends FrontMatterLines {
  readonly source: Source;
}

/** A key with its value, and its source text when the value is a list or map on one line. */
interface KeyRead {
  readonly key: string;
  readonly value: Data;
  readonly flow?: string | undefined;
  readonly spanOf: (path: DataPath) => Span;
  /** The line of a key whose value is not valid YAML. */
  readonly lenient?: Span;
  /** Whether its line has more than one plausible reading. */
  readonly isOdd?: boolean;
}

/** The result for a text without front matter. */
export const noFrontMatter = (source: Source): FrontMatter => ({
  ...joined({ source, start: 0, end: 0, bodyStart: 0 }, []),
  lines: 0,
});

/** Combines keys in the order of the file. The last of duplicate keys wins. */
function joined({ source, start, end, bodyStart }: Place, read: readonly KeyRead[]): FrontMatter {
  const keys = new Map(read.map(one => [one.key, one]));
  const valuesOf = <K extends 'flow' | 'lenient'>(field: K) =>
    new Map([...keys].flatMap(([key, one]) => (one[field] === undefined ? [] : [[key, one[field]]])));
  return {
    fields: new Map([...keys].map(([key, { value }]) => [key, value])),
    written: valuesOf('flow'),
    lenient: valuesOf('lenient'),
    repeated: new Map(),
    isClear: true,
    lines: countLines(source.text, start, end) + 2,
    bodyStart,
    spanOf: path => keys.get(String(path[0]))?.spanOf(path) ?? { source, start, end },
  };
}

const countLines = (text: string, start: number, end: number): number =>
  text.slice(start, end).split(/\r\n?|\n/).length - 1;

const tooLong = (source: Source): YamlProblem => ({
  kind: 'expansion',
  title: `it has more than ${maxLength} characters`,
  advice: 'Close the front matter with a line `---`, and move long texts below it.',
  span: { source, start: 0, end: 3 },
});

const startsWithKey = (text: string): boolean => {
  const first = text.replace(/^\s*\n/, '');
  return keyLine.test(first.trimStart()) || first.startsWith('#');
};

/** The keys of a YAML map that is a part of a file. */
function keysOf(yaml: YamlFile, { source, start, end }: Span): KeyRead[] {
  const spanOf = (path: DataPath): Span => ({ ...(yaml.spanOf(path) ?? { start, end }), source });
  return Object.entries(yaml.data ?? {}).map(([key, value]) => {
    const span = spanOf([key]);
    const text = source.text.slice(span.start, span.end).trim();
    const isFlow = typeof value === 'object' && value !== null && /^[[{][^\n]*$/.test(text);
    return { key, value: asWritten(value, [key], spanOf), spanOf, flow: isFlow ? text : undefined };
  });
}

/** Numbers that would print differently (`1.10`) are kept as text. */
function asWritten(value: unknown, path: DataPath, spanOf: (path: DataPath) => Span): Data {
  if (typeof value === 'number') {
    const { source, start, end } = spanOf(path);
    const text = source.text.slice(start, end).trim();
    return text === String(value) || text === '' ? value : text;
  }
  if (Array.isArray(value)) return value.map((item, index) => asWritten(item, [...path, index], spanOf));
  if (typeof value !== 'object' || value === null) return value as Data;
  const result: Record<string, Data> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) result[key] = asWritten(inner, [...path, key], spanOf);
  return result;
}

function readByKeys(place: Place, problem: YamlProblem): FrontMatter {
  const { source, start, end } = place;
  const text = source.text.slice(start, end);
  // Some editors indent with tabs, which YAML forbids. Replacing each tab by one blank keeps offsets.
  const spaced = {
    name: source.name,
    text: source.text.replace(/\r(?!\n)/g, '\n').replace(/^\t+/gm, tabs => ' '.repeat(tabs.length)),
  };
  const keys = new Map<string, KeyRead>();
  const repeated = new Map<string, Span>();
  let isClear = problem.kind === 'syntax' && !/^\t/m.test(text);
  let line = 1;
  for (const [from, to] of chunksOf(text)) {
    const chunk = text.slice(from, to);
    const at = lineSpan(source, line + 1);
    line += countLines(chunk, 0, chunk.length);
    const match = keyLine.exec(chunk);
    if (!match) {
      if (hasContent(chunk.split('\n'))) isClear = false;
      continue;
    }
    const key = match[1] ?? match[2] ?? match[3]!;
    const whole = { source, start: start + from, end: start + to };
    const yaml = readYaml(spaced, whole);
    const read = yaml.problems.length === 0 ? keysOf(yaml, whole).find(one => one.key === key) : undefined;
    const one = read ?? readLine(key, chunk.slice(match[0].length), whole.start + match[0].length, at);
    if (keys.has(key)) repeated.set(key, at);
    if (keys.has(key) || one.isOdd) isClear = false;
    keys.set(key, one);
  }
  return { ...joined(place, [...keys.values()]), repeated, problem, isClear };
}

/** Reads a key whose value is not valid YAML from its line and the lines below it. */
function readLine(key: string, text: string, start: number, lenient: Span): KeyRead {
  const [head = '', ...below] = text.split(/\r\n?|\n/);
  const words = head.trim();
  const at = start + head.indexOf(words);
  return {
    key,
    value: readLenient(words, below),
    flow: /^[[{]/.test(words) && !hasContent(below) ? words : undefined,
    spanOf: () => ({ source: lenient.source, start: at, end: at + words.length }),
    lenient,
    isOdd: hasContent(below) || !isWhole(words),
  };
}

const hasContent = (lines: readonly string[]): boolean => lines.some(line => /^\s*[^#\s]/.test(line));

/** Whether quotes and brackets of a value are balanced. */
function isWhole(value: string): boolean {
  const count = (pattern: RegExp) => value.match(pattern)?.length ?? 0;
  const quotes = value.startsWith("'") ? count(/'/g) : count(/"/g);
  return quotes % 2 === 0 && count(/\[/g) === count(/\]/g) && count(/\{/g) === count(/\}/g);
}

/** Start and end of each key with its continuation lines. Lines above the first key form a chunk, too. */
function chunksOf(text: string): (readonly [number, number])[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed + 1;
    if (at === 0 || keyLine.test(text.slice(at, end))) starts.push(at);
    at = end;
  }
  return starts.map((from, index) => [from, starts[index + 1] ?? text.length] as const);
}

/**
 * Reads `key: value` from its line: outer quotes are removed, items below it form a list, and other lines
 * continue the value.
 */
function readLenient(words: string, below: readonly string[]): Data {
  const head = unquote(words);
  const rest = below.filter(line => line.trim() !== '');
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

/** Normalizes a list of names or globs: a YAML list, a comma-separated text, or one value. */
export function listOf(value: Data | undefined): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(listOf);
  if (typeof value === 'object') return Object.keys(value);
  return splitList(String(value)).map(unquote);
}

/** Offsets of front matter in a text. */
export interface FrontMatterLines {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

const opening = /^\ufeff?---[ \t]*(?:\r\n?|\n)/;
const closing = /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g;

/**
 * Finds the lines between a `---` in the first line of a text and the next `---` or `...`; `undefined` when
 * one of them is missing. The caller decides whether this is front matter or text between two thematic
 * breaks.
 */
export function findFrontMatter(text: string): FrontMatterLines | undefined {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  closing.lastIndex = start;
  const close = closing.exec(text);
  return close ? { start, end: close.index, bodyStart: close.index + close[0].length } : undefined;
}
