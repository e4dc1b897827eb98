import { parseDocument } from '../../syntax/parse.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { type Position, positionAt, type Span } from '../../text/source.ts';
import type { Candidate, SourceEdit } from './trial.ts';

/**
 * What goes when a whole part of a source goes: the declarations, fields and items around a line, from the innermost
 * outwards, as long as they have their lines to themselves.
 */
export function nodesAround(
  places: readonly { readonly file: string; readonly at: number }[],
  sourceLines: (file: string) => readonly string[] | undefined,
): SourceEdit[] {
  const [first] = places;
  const lines = first && sourceLines(first.file);
  if (!first || !lines || isMarkdownPath(first.file)) return [];
  const source = { name: first.file, text: lines.join('\n') };
  const spans: Span[] = [];
  collectSpans(parseDocument(source, () => {}).declarations, spans, new Set());
  const found: SourceEdit[] = [];
  const ranges = spans
    .map(({ start, end }) => ({
      start,
      end,
      from: positionAt(source, start).line - 1,
      to: positionAt(source, end).line - 1,
    }))
    .filter(({ from, to }) => from <= first.at && to >= first.at)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  for (const { start, end, from, to } of ranges) {
    const before = source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1, start);
    const rest = source.text.slice(end).split('\n', 1)[0]!;
    if (before.trim() !== '' || !/^\s*,?\s*$/.test(rest)) continue;
    const remove = to - from + 1;
    found.push({ file: first.file, at: from, remove, insert: [] });
    if (lines[from - 1]?.trim() === '')
      found.push({ file: first.file, at: from - 1, remove: remove + 1, insert: [] });
  }
  return found.slice(0, 16);
}

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

/** The spans of all nodes below a value of the tree. */
function collectSpans(value: unknown, spans: Span[], seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const item of value) collectSpans(item, spans, seen);
    return;
  }
  const { span, kind } = value as { span?: Span; kind?: unknown };
  if (span && kind !== undefined) spans.push(span);
  for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) collectSpans(part, spans, seen);
}
