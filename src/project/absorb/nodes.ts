import { parseDocument } from '../../syntax/parse.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { positionAt, type Span } from '../../text/source.ts';
import type { SourceEdit } from './trial.ts';

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
