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
  /** Why it is no good YAML; what could be understood is in `data` nevertheless. */
  readonly problem?: { readonly title: string; readonly advice: string; readonly span: Span };
}

/** Front matter beyond this size is not looked at. */
const sizeLimit = 256 * 1024;

/**
 * Reads the front matter of a source. Never fails: broken YAML is told in `problem` and read line by line. Files of tools
 * are read by `text/front-matter`, which takes what the tools take and keeps how a value was written.
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
    const { title, advice, span } = yaml.problems[0]!;
    const problem = { title, advice, span: { source, start: span.start, end: span.end } };
    return { ...readPlain(source, start, close), bodyStart, problem };
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
      const from = at + line.indexOf(':') + 1;
      spans.set(match[1]!, {
        source,
        start: from + (/^\s*/.exec(line.slice(from - at))?.[0].length ?? 0),
        end: at + line.length,
      });
    } else if (line.trim() !== '') {
      complete = false;
      const loose = /^([A-Za-z_][\w-]*):[ \t]+(\S.*)$/.exec(line);
      if (loose) {
        data.set(loose[1]!, loose[2]!.trim());
        spans.set(loose[1]!, { source, start: at + line.indexOf(loose[2]!), end: at + line.length });
      }
    }
    at = lineEnd + 1;
  }
  const spanOf = (path: DataPath): Span => spans.get(String(path[0])) ?? { source, start, end };
  return { data: data as ReadonlyMap<string, unknown>, spanOf, complete };
}

function plainValue(text: string): string | boolean | number {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
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
