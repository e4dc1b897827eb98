import { findFrontMatter } from '../text/front-matter-lines.ts';
import type { Source, Span } from '../text/source.ts';
import { type DataPath, readYaml } from '../text/yaml.ts';
import { fieldSpelled } from './catalogue.ts';
import type { MarkdownBlock } from './program.ts';

/** The front matter of a Markdown file that is a source: with the place of every value, read as far as it can be. */
export interface SourceHead {
  /** Top-level keys and their values, in order; empty without front matter. */
  readonly data: ReadonlyMap<string, unknown>;
  /** The place of a value. */
  readonly spanOf: (path: DataPath) => Span;
  /** Where the text below begins. */
  readonly bodyStart: number;
  /** Why it is no valid YAML; `data` has what could be read all the same. */
  readonly problem?: { readonly title: string; readonly advice: string; readonly span: Span };
}

/** Front matter beyond this size is ignored. */
const sizeLimit = 256 * 1024;

/**
 * Reads the front matter of a source. Never fails: what is no YAML is read key by key, as tools do, and told in `problem`
 * where that leaves a doubt. Files of tools are read by `text/front-matter`, which takes what the tools take and keeps how a
 * value was written.
 */
export function readSourceHead(source: Source): SourceHead {
  const { text } = source;
  const none = (bodyStart: number): SourceHead => ({
    data: new Map(),
    spanOf: () => ({ source, start: 0, end: 0 }),
    bodyStart,
  });
  const found = findFrontMatter(text);
  if (!found || found.end > sizeLimit) return none(0);
  const { start, end: close, bodyStart } = found;
  const plain = readPlain(source, start, close);
  const isRule = plain.data.size === 0 && /^[ \t]*\r?\n/.test(text.slice(start, close));
  // Two lines of `---` with text between them are rules of Markdown.
  if (isRule && plain.complete) return none(0);
  if (plain.complete) return { ...plain, bodyStart };
  // Blanks in place of the first line keep every offset what it is in the file.
  const yaml = readYaml({ name: source.name, text: `${' '.repeat(3)}${text.slice(3, close)}` });
  const whole = { source, start, end: close };
  if (yaml.problems.length > 0) {
    if (!isKeyed(text.slice(start, close))) return none(0);
    const { data, spanOf, understood } = readByKeys(source, start, close);
    if (understood) return { data, spanOf, bodyStart };
    const { title, advice, span } = yaml.problems[0]!;
    return {
      data,
      spanOf,
      bodyStart,
      problem: { title, advice, span: { source, start: span.start, end: span.end } },
    };
  }
  const { data } = yaml;
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return none(data === null && !isRule ? bodyStart : 0);
  const spanOf = (path: DataPath): Span => {
    const found = yaml.spanOf(path);
    return found ? { source, start: found.start, end: found.end } : whole;
  };
  const written = Object.entries(data).map(([key, value]) => [key, asWritten(value, [key], spanOf)] as const);
  return { data: new Map(written), spanOf, bodyStart };
}

/** Whether lines are meant as YAML, right or wrong: keys, items, comments and what goes on below them. */
const isKeyed = (lines: string): boolean =>
  lines.split('\n').every(line => /^(?:\s*$|\s*#|\s+\S|-\s|[\w"'-]+[ \t]*:)/.test(line));

/** Numbers that would read otherwise afterwards (`1.10`) stay the text they are. */
function asWritten(value: unknown, path: DataPath, spanOf: (path: DataPath) => Span): unknown {
  if (typeof value === 'number') {
    const { source, start, end } = spanOf(path);
    const text = source.text.slice(start, end).trim();
    return text === String(value) || text === '' ? value : text;
  }
  if (Array.isArray(value)) return value.map((item, index) => asWritten(item, [...path, index], spanOf));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) result[key] = asWritten(inner, [...path, key], spanOf);
  return result;
}

/** `key: plain value` and `key: "value"`, without anything that YAML would read as more than that. */
const plainLine =
  /^([A-Za-z_][\w-]*):[ \t]+(?:"([^"\\]*)"|'([^']*)'|([^\s"'[\]{}&*!|>%@`#,?:-](?:[^:#\r\n]|:(?![\s])|(?<!\s)#)*))$/;

const notText = /^(?:true|false|null|yes|no|on|off|~|[-+.]?\d.*)$/i;

/**
 * Reads lines of `key: value`, which is what most front matter is, without a YAML parser. `complete` is false when a
 * line was something else; the lines it understood are there.
 */
function readPlain(source: Source, start: number, end: number) {
  const data = new Map<string, unknown>();
  const spans = new Map<string, Span>();
  let complete = true;
  let at = start;
  while (at < end) {
    const stop = source.text.indexOf('\n', at);
    const lineEnd = stop === -1 || stop > end ? end : stop;
    const line = source.text.slice(at, lineEnd).trimEnd();
    const match = plainLine.exec(line);
    if (match) {
      const value = match[2] ?? match[3] ?? match[4]!;
      if ((match[4] !== undefined && notText.test(value)) || data.has(match[1]!)) complete = false;
      data.set(match[1]!, match[4] === undefined ? value : plainValue(value));
      const valueEnd = at + line.length;
      const quotes = match[4] === undefined ? 2 : 0;
      spans.set(match[1]!, { source, start: valueEnd - value.length - quotes, end: valueEnd });
    } else if (line.trim() !== '') complete = false;
    at = lineEnd + 1;
  }
  const spanOf = (path: DataPath): Span => spans.get(String(path[0])) ?? { source, start, end };
  return { data: data as ReadonlyMap<string, unknown>, spanOf, complete };
}

function plainValue(text: string): string | boolean | number {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

const keyLine = /^("[^"\n]*"|'[^'\n]*'|[A-Za-z_$][\w.$-]*)[ \t]*:(?=[ \t\r\n]|$)/;

/**
 * Reads keys one by one, so that an odd value hides no other: each with the lines below it as YAML, else the rest of its
 * line as text. `understood` says that every text has one reading only: `globs: *.ts`, `argument-hint: [a] [b]` and
 * `description: Note: this` have, an open quote, a key that stands twice and lines without a key have not.
 */
function readByKeys(source: Source, start: number, end: number) {
  const { text } = source;
  const data = new Map<string, unknown>();
  const spans = new Map<string, (path: DataPath) => Span>();
  let understood = true;
  for (const [from, to] of chunksOf(text, start, end)) {
    const chunk = text.slice(from, to);
    const match = keyLine.exec(chunk);
    if (!match) {
      if (chunk.split('\n').some(line => /^\s*[^#\s]/.test(line))) understood = false;
      continue;
    }
    const key = match[1]!.replace(/^(["'])(.*)\1$/, '$2');
    if (data.has(key)) understood = false;
    // Line feeds in place of what stands before keep every offset what it is in the file.
    const yaml = readYaml({ name: source.name, text: `${'\n'.repeat(from)}${chunk}` });
    const value = yaml.problems.length === 0 ? (yaml.data as Record<string, unknown>)[key] : undefined;
    if (value !== undefined) {
      const spanOf = (path: DataPath): Span => {
        const found = yaml.spanOf([key, ...path.slice(1)]);
        return { source, start: found?.start ?? from, end: found?.end ?? to };
      };
      data.set(key, asWritten(value, [key], spanOf));
      spans.set(key, spanOf);
      continue;
    }
    const [line = '', ...more] = chunk.slice(match[0].length).split('\n');
    const said = line.trim();
    if (more.some(below => /^\s*[^#\s]/.test(below)) || !isWhole(said)) understood = false;
    if (said === '') continue;
    const at = from + match[0].length + line.indexOf(said);
    data.set(key, said);
    spans.set(key, () => ({ source, start: at, end: at + said.length }));
  }
  const spanOf = (path: DataPath): Span => spans.get(String(path[0]))?.(path) ?? { source, start, end };
  return { data: data as ReadonlyMap<string, unknown>, spanOf, understood };
}

/** Quotes and brackets of a value come in pairs. */
function isWhole(value: string): boolean {
  const count = (pattern: RegExp) => value.match(pattern)?.length ?? 0;
  const quotes = value.startsWith("'") ? count(/'/g) : count(/"/g);
  return quotes % 2 === 0 && count(/\[/g) === count(/\]/g) && count(/\{/g) === count(/\}/g);
}

/** Where each key with the lines below it begins and ends; lines above the first key are a chunk, too. */
function chunksOf(text: string, start: number, end: number): (readonly [number, number])[] {
  const starts: number[] = [];
  for (let at = start; at < end; ) {
    if (at === start || keyLine.test(text.slice(at, at + 200))) starts.push(at);
    const stop = text.indexOf('\n', at);
    at = stop === -1 ? end : stop + 1;
  }
  return starts.map((from, index) => [from, starts[index + 1] ?? end] as const);
}

/** The keys in the front matter of a Markdown text, without reading their values. */
function keysIn(source: Source): string[] {
  const found = findFrontMatter(source.text);
  if (!found || found.end > sizeLimit) return [];
  return [...source.text.slice(found.start, found.end).matchAll(/^([A-Za-z_][\w-]*)[ \t]*:/gm)].map(
    ([, key]) => key!,
  );
}

/** `tools` with objects in it are changes for single tools, which every entry may have; else it is a list of tools. */
const changesForTools =
  /^tools[ \t]*:[ \t]*(?:\{[^\n{}]*\{|(?:#[^\n]*)?\r?\n[ \t]+[^\s:-][^\n:]*:[ \t]*(?:\{|(?:#[^\n]*)?\r?\n))/m;

/** What a Markdown file is by its front matter; a file that says nothing of it is a document. */
export function markdownKind(source: Source): MarkdownBlock | 'skill' | 'document' {
  const keys = keysIn(source);
  const has = (block: string, field: string) => keys.some(key => fieldSpelled(block, key) === field);
  if (has('guards', 'applyTo') || has('guards', 'activation')) return 'guards';
  if (has('shortcuts', 'prompt')) return 'shortcuts';
  if (!keys.includes('name') && !keys.includes('description')) return 'document';
  const isAgent = keys.some(key =>
    key === 'tools'
      ? !changesForTools.test(source.text)
      : fieldSpelled('agents', key) && !fieldSpelled('skills', key),
  );
  return isAgent ? 'agents' : 'skill';
}
