import { parseDocument } from '../../syntax/parse.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { type Position, positionAt, type Source, type Span } from '../../text/source.ts';
import type { Candidate, SourceEdit } from './trial.ts';

/** A line of a source, and where on it something stands (both counted from 0), if that is known. */
export interface Spot {
  readonly file: string;
  readonly at: number;
  readonly column?: number;
}

/**
 * What goes when a whole part of a source goes: the declarations, fields and items around a place, from the innermost
 * outwards, with their lines or, where other parts share these and `inLines` is set, out of them.
 */
export function nodesAround(
  places: readonly Spot[],
  sourceLines: (file: string) => readonly string[] | undefined,
  inLines = true,
): SourceEdit[] {
  const [first] = places;
  const lines = first && sourceLines(first.file);
  if (!first || !lines || isMarkdownPath(first.file)) return [];
  const source = { name: first.file, text: lines.join('\n') };
  const found: SourceEdit[] = [];
  for (const { start, end, from, to } of spansAt(first, source)) {
    const before = source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1, start);
    const rest = source.text.slice(end).split('\n', 1)[0]!;
    const remove = to - from + 1;
    if (before.trim() !== '' || !/^\s*,?\s*(?:#.*)?$/.test(rest)) {
      if (!inLines) continue;
      const insert = withoutPart(before, rest).map(line => line.trimEnd());
      if (insert.length > 0) found.push({ file: first.file, at: from, remove, insert });
      continue;
    }
    found.push({ file: first.file, at: from, remove, insert: [] });
    if (lines[from - 1]?.trim() === '')
      found.push({ file: first.file, at: from - 1, remove: remove + 1, insert: [] });
  }
  return found.slice(0, 16);
}

/** What stands before and behind a part of a line without it, and without a comma that would be too much. */
function withoutPart(before: string, rest: string): string[] {
  const [head, tail] = [before.trimEnd(), rest.trimStart()];
  if (/[:=+-]$/.test(head)) return [];
  if (tail.startsWith(',')) return [before + tail.slice(1).trimStart()];
  if (head.endsWith(',')) return [head.slice(0, -1) + (/^[\]}]/.test(tail) ? rest : ` ${tail}`)];
  return [/^[\]}]/.test(tail) && !/[[{]$/.test(head) ? `${head} ${tail}` : before + tail];
}

interface LineSpan {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** The spans of nodes around a place, the smallest first. */
function spansAt({ at, column }: Spot, source: Source): LineSpan[] {
  const spans = spansIn(source);
  const offset = column === undefined ? undefined : offsetOf(source.text, at) + column;
  const isAround = ({ start, end, from, to }: LineSpan) =>
    from <= at && to >= at && (offset === undefined || from < to || (start <= offset && offset < end));
  return spans
    .map(({ start, end }) => {
      const [from, to] = [positionAt(source, start).line - 1, positionAt(source, end).line - 1];
      return { start, end, from, to };
    })
    .filter(isAround)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
}

/** Where a line of a text begins. */
export const offsetOf = (text: string, line: number): number =>
  text
    .split('\n')
    .slice(0, line)
    .reduce((sum, one) => sum + one.length + 1, 0);

/**
 * Texts in quotes that a line of a source holds, with lines beside the one that came out: as blocks of text, which may
 * have several lines.
 */
export function textsWith(
  { file, at, output, isBefore }: { file: string; at: number; output: string; isBefore: boolean },
  added: readonly string[],
  lines: readonly string[],
): Candidate[] {
  if (isMarkdownPath(file) || added.some(line => line.includes('"""'))) return [];
  const source = { name: file, text: lines.join('\n') };
  const texts: QuotedText[] = [];
  collectTexts(parseDocument(source, () => {}).declarations, texts);
  return texts.flatMap(({ span, value }) => {
    const [from, to] = [span.start, span.end].map(offset => positionAt(source, offset)) as [
      Position,
      Position,
    ];
    if (from.line - 1 > at || to.line - 1 < at) return [];
    const said = value.split('\n');
    const place = said.findIndex(line => line.trim() !== '' && output.includes(line.trim()));
    if (place === -1) return [];
    said.splice(isBefore ? place : place + 1, 0, ...added);
    const indent = /^\s*/.exec(lines[from.line - 1]!)![0];
    const body = said.map(line => (line === '' ? '' : `${indent}  ${line}`));
    const insert = [
      `${lines[from.line - 1]!.slice(0, from.column - 1)}"""`,
      ...body,
      `${indent}"""${lines[to.line - 1]!.slice(to.column - 1)}`,
    ];
    return [{ edits: [{ file, at: from.line - 1, remove: to.line - from.line + 1, insert }] }];
  });
}

interface QuotedText {
  readonly span: Span;
  readonly value: string;
}

/** Strings in one line, in the tree below a value. */
function collectTexts(value: unknown, texts: QuotedText[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collectTexts(item, texts);
    return;
  }
  const node = value as { kind?: unknown; quote?: unknown; span?: Span; value?: unknown };
  if (node.kind === 'string') {
    if (node.quote !== 'text' && node.span) texts.push({ span: node.span, value: String(node.value) });
    return;
  }
  for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) collectTexts(part, texts);
}

/** The spans of all nodes of a source, or of those of some kinds. */
export function spansIn(source: Source, kinds?: ReadonlySet<unknown>): Span[] {
  const spans: Span[] = [];
  collectSpans(parseDocument(source, () => {}).declarations, spans, kinds);
  return spans;
}

function collectSpans(
  value: unknown,
  spans: Span[],
  kinds: ReadonlySet<unknown> | undefined,
  seen = new Set<unknown>(),
): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const item of value) collectSpans(item, spans, kinds, seen);
    return;
  }
  const { span, kind } = value as { span?: Span; kind?: unknown };
  if (span && kind !== undefined && (kinds?.has(kind) ?? true)) spans.push(span);
  for (const [key, part] of Object.entries(value))
    if (!/[sS]pan$/.test(key)) collectSpans(part, spans, kinds, seen);
}
