import { type FrontMatterLines, findFrontMatter } from './front-matter-lines.ts';
import { megabyte } from './sizes.ts';
import { lineSpan, type Source, type Span } from './source.ts';
import { splitList } from './split-list.ts';
import { type DataPath, readYaml, type YamlProblem } from './yaml.ts';

/** A value of front matter; objects have no prototype, so that any key is a key. */
type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** Front matter as tools read it, with the place of every value, and where the text below it begins. */
export interface FrontMatter {
  /** In the order of the file; the last of several equal keys counts. */
  readonly fields: ReadonlyMap<string, Data>;
  /** Values that YAML reads as a list or map on one line, as they are written. */
  readonly written: ReadonlyMap<string, string>;
  /** Keys whose value is no valid YAML and was read by its line, with that line. */
  readonly loose: ReadonlyMap<string, Span>;
  /** Keys that were set more than once, with the line that counts. */
  readonly repeated: ReadonlyMap<string, Span>;
  /** Why it is no valid YAML, if it is not. */
  readonly problem?: YamlProblem;
  /** What is no YAML has one reading only, as `globs: *.ts` and `description: Note: this` have. */
  readonly isClear: boolean;
  /** Number of lines that the front matter takes, fences included; 0 when there is none. */
  readonly lines: number;
  readonly bodyStart: number;
  /** The place of a value; that of the whole front matter when nothing is there. */
  readonly spanOf: (path: DataPath) => Span;
}

/** In characters. */
const maxLength = megabyte / 4;

const keyLine = /^(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z_$][\w.$-]*))[ \t]*:(?=[ \t\r\n]|$)/;

/**
 * Reads the block between `---` lines at the top of a file. Where that is no valid YAML, each key is read by itself, as
 * YAML or else as the text of its line, so that one odd value never hides the others. What does not look like keys is no
 * front matter. Front matter of more than 256 kB is not read and has a `problem`.
 */
export function readFrontMatter(given: string | Source): FrontMatter {
  const source = typeof given === 'string' ? { name: '', text: given } : given;
  const found = findFrontMatter(source.text);
  if (!found) return noFrontMatter(source);
  const lines = { ...found, source };
  if (found.end - found.start > maxLength) return tooLong(lines);
  const inner = source.text.slice(found.start, found.end);
  const yaml = readYaml(withLineFeeds(source), found);
  const [problem] = yaml.problems;
  if (problem) return startsWithKey(inner) ? readByKeys(lines, problem) : noFrontMatter(source);
  const { data } = yaml;
  // Two lines of `---` around blank lines, or around a paragraph, are rules of Markdown.
  const isEmpty = data === null && !/^[ \t]*\r?\n/.test(inner);
  if (!isEmpty && (typeof data !== 'object' || data === null || Array.isArray(data)))
    return noFrontMatter(source);
  const whole = { source, start: found.start, end: found.end };
  const spanOf = (path: DataPath): Span => ({ ...(yaml.spanOf(path) ?? whole), source });
  const fields = new Map(
    Object.entries(data ?? {}).map(([key, value]) => [key, asWritten(value, [key], spanOf)] as const),
  );
  return { ...plainly(lines), fields, written: writtenIn(fields, spanOf), spanOf };
}

interface Lines extends FrontMatterLines {
  readonly source: Source;
}

/** What a text without front matter has. */
export const noFrontMatter = (source: Source): FrontMatter => ({
  ...plainly({ source, start: 0, end: 0, bodyStart: 0 }),
  lines: 0,
});

const plainly = ({ source, start, end, bodyStart }: Lines): FrontMatter => ({
  fields: new Map(),
  written: new Map(),
  loose: new Map(),
  repeated: new Map(),
  isClear: true,
  lines: countLines(source.text, start, end) + 2,
  bodyStart,
  spanOf: () => ({ source, start, end }),
});

const countLines = (text: string, start: number, end: number): number =>
  text.slice(start, end).split(/\r\n?|\n/).length - 1;

const tooLong = (lines: Lines): FrontMatter => ({
  ...plainly(lines),
  isClear: false,
  problem: {
    kind: 'expansion',
    title: `it has more than ${maxLength} characters`,
    advice: 'Close the front matter with a line `---`, and move long texts below it.',
    span: { source: lines.source, start: 0, end: 3 },
  },
});

const startsWithKey = (text: string): boolean => {
  const first = text.replace(/^\s*\n/, '');
  return keyLine.test(first.trimStart()) || first.startsWith('#');
};

/** A carriage return alone ends a line, too, but not to YAML. */
const withLineFeeds = (source: Source): Source => ({
  name: source.name,
  text: source.text.replace(/\r(?!\n)/g, '\n'),
});

function writtenIn(
  fields: ReadonlyMap<string, Data>,
  spanOf: (path: DataPath) => Span,
): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const [key, value] of fields) {
    if (typeof value !== 'object' || value === null) continue;
    const { source, start, end } = spanOf([key]);
    const text = source.text.slice(start, end).trim();
    if (/^[[{][^\n]*$/.test(text)) written.set(key, text);
  }
  return written;
}

/** Numbers that would read otherwise afterwards (`1.10`) stay the text they are. */
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

function readByKeys(lines: Lines, problem: YamlProblem): FrontMatter {
  const { source, start, end } = lines;
  const front = plainly(lines);
  const fields = new Map<string, Data>();
  const written = new Map<string, string>();
  const loose = new Map<string, Span>();
  const repeated = new Map<string, Span>();
  const spans = new Map<string, (path: DataPath) => Span>();
  const text = source.text.slice(start, end);
  // A tab for each level is what some editors write; it is no YAML, but has the length of a blank.
  const spaced = {
    name: source.name,
    text: withLineFeeds(source).text.replace(/^\t+/gm, tabs => ' '.repeat(tabs.length)),
  };
  let isClear = problem.kind === 'syntax' && !/^\t/m.test(text);
  let line = 1;
  for (const [from, to] of chunksOf(text)) {
    const chunk = text.slice(from, to);
    const at = line + 1;
    line += countLines(chunk, 0, chunk.length);
    const match = keyLine.exec(chunk);
    if (!match) {
      if (hasContent(chunk.split('\n'))) isClear = false;
      continue;
    }
    const key = match[1] ?? match[2] ?? match[3]!;
    if (fields.has(key)) {
      repeated.set(key, lineSpan(source, at));
      isClear = false;
    }
    const whole = { source, start: start + from, end: start + to };
    const yaml = readYaml(spaced, whole);
    const value = yaml.problems.length === 0 ? (yaml.data as Record<string, unknown>)[key] : undefined;
    loose.delete(key);
    written.delete(key);
    if (value !== undefined) {
      const spanOf = (path: DataPath): Span => ({ ...(yaml.spanOf(path) ?? whole), source });
      fields.set(key, asWritten(value, [key], spanOf));
      for (const [, flow] of writtenIn(new Map([[key, fields.get(key)!]]), spanOf)) written.set(key, flow);
      spans.set(key, spanOf);
      continue;
    }
    loose.set(key, lineSpan(source, at));
    const [head = '', ...below] = chunk.slice(match[0].length).split(/\r\n?|\n/);
    const words = head.trim();
    if (hasContent(below) || !isWhole(words)) isClear = false;
    if (/^[[{]/.test(words) && !hasContent(below)) written.set(key, words);
    fields.set(key, readLoose(words, below));
    const place = start + from + match[0].length + head.indexOf(words);
    spans.set(key, () => ({ source, start: place, end: place + words.length }));
  }
  const spanOf = (path: DataPath): Span => spans.get(String(path[0]))?.(path) ?? front.spanOf(path);
  return { ...front, fields, written, loose, repeated, problem, isClear, spanOf };
}

const hasContent = (lines: readonly string[]): boolean => lines.some(line => /^\s*[^#\s]/.test(line));

/** Quotes and brackets of a value come in pairs. */
function isWhole(value: string): boolean {
  const count = (pattern: RegExp) => value.match(pattern)?.length ?? 0;
  const quotes = value.startsWith("'") ? count(/'/g) : count(/"/g);
  return quotes % 2 === 0 && count(/\[/g) === count(/\]/g) && count(/\{/g) === count(/\}/g);
}

/** Where each key with the lines below it begins and ends; lines above the first key are a chunk, too. */
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

/** `key: value` by its line: quotes around the whole go, items below it are a list, other lines continue it. */
function readLoose(words: string, below: readonly string[]): Data {
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

/** A list of names or globs however the file wrote it: a YAML list, a comma list, or one value. */
export function listOf(value: Data | undefined): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(listOf);
  if (typeof value === 'object') return Object.keys(value);
  return splitList(String(value)).map(unquote);
}
