import type { Declaration, StringValue } from '../../syntax/ast.ts';
import { block as blockOf, documentOf } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument } from '../../syntax/print.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { positionAt, type Source, type Span } from '../../text/source.ts';
import { isBlank } from './hunks.ts';
import type { Candidate, Place, Surroundings } from './workspace.ts';

/** A node of the syntax tree of a `.prs` source. */
interface PrsNode {
  readonly kind: string;
  readonly span: Span;
}

export const sourceOf = (name: string, lines: readonly string[]): Source => ({
  name,
  text: lines.join('\n'),
});

export const declarationsOf = (source: Source): readonly Declaration[] =>
  parseDocument(source, () => {}).declarations;

/** All nodes of a source, each before those in it. */
export function nodesOf(source: Source): PrsNode[] {
  const seen = new Set<unknown>();
  const nodes: PrsNode[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('span' in value && 'kind' in value && value.span) nodes.push(value as PrsNode);
    for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) visit(part);
  };
  visit(declarationsOf(source));
  return nodes;
}

export const isString = (node: PrsNode): node is StringValue => node.kind === 'string';

/** Index of the line of an offset. */
export const lineAt = (source: Source, offset: number): number => positionAt(source, offset).line - 1;

/** The offset of the first character of a line. */
export const offsetOf = (text: string, line: number): number =>
  text
    .split('\n')
    .slice(0, line)
    .reduce((sum, one) => sum + one.length + 1, 0);

/** The `.prs` sources that may be changed, with their lines. */
export const prsSources = ({ sources, sourceLines }: Surroundings): Source[] =>
  sources.flatMap(file => {
    const lines = file.endsWith('.prs') ? sourceLines(file) : undefined;
    return lines ? [sourceOf(file, lines)] : [];
  });

/** The printed lines of the items of a block, or with `name` of the block. */
export function printBlock(items: Parameters<typeof blockOf>[1], name?: string): string[] {
  const lines = printDocument(documentOf([blockOf(name ?? 'a', items)]))
    .trimEnd()
    .split('\n');
  return name === undefined ? lines.slice(1, -1) : lines;
}

/** Adds lines at the end of a source, after a blank line. */
export function appendTo({ name, text }: Source, lines: readonly string[]): Candidate {
  const at = text.split('\n').findLastIndex(line => !isBlank(line)) + 1;
  return { edits: [{ file: name, at, remove: 0, insert: ['', ...lines] }] };
}

/** Inserts lines before or after a part of a source, which may share its lines with others. */
export function insertBeside(
  source: Source,
  { start, end }: { readonly start: number; readonly end: number },
  isBefore: boolean,
  insert: readonly string[],
): Candidate {
  const { line, column } = positionAt(source, isBefore ? start : end);
  const own = source.text.split('\n')[line - 1]!;
  const [head, tail] = [own.slice(0, column - 1), own.slice(column - 1)];
  const edit = (at: number, remove: number, lines: readonly string[]) => ({
    edits: [{ file: source.name, at, remove, insert: lines }],
  });
  if (isBefore && isBlank(head)) return edit(line - 1, 0, insert);
  if (!isBefore && /^\s*(?:#.*)?$/.test(tail)) return edit(line, 0, insert);
  return edit(line - 1, 1, [head.trimEnd(), ...insert, tail.trimStart()]);
}

/** Inserts a line of a body after its opening brace. */
export function insertAfterBrace(source: Source, brace: number, insert: string): Candidate {
  const { line, column } = positionAt(source, brace);
  const opening = source.text.split('\n')[line - 1]!;
  const [head, tail] = [opening.slice(0, column), opening.slice(column)];
  const isAlone = /^\s*(?:#.*)?$/.test(tail);
  const lines = isAlone ? [opening, insert] : [`${head} ${insert.trim()}${tail}`];
  return { edits: [{ file: source.name, at: line - 1, remove: 1, insert: lines }] };
}

/** A text without a part, without the lines that are the part's alone, and without a comma that is left over. */
export function withoutSpan(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const [before, rest] = [text.slice(lineStart, start), text.slice(end).split('\n', 1)[0]!];
  if (isBlank(before) && /^\s*,?\s*(?:#.*)?$/.test(rest))
    return text.slice(0, lineStart) + text.slice(end + rest.length + 1);
  const [head, tail] = [before.trimEnd(), rest.trimStart()];
  const isClosing = /^[\]}]/.test(tail);
  let line = isClosing && !/[[{]$/.test(head) ? `${head} ${tail}` : before + tail;
  if (tail.startsWith(',')) line = before + tail.slice(1).trimStart();
  else if (head.endsWith(',')) line = head.slice(0, -1) + (isClosing ? rest : ` ${tail}`);
  return text.slice(0, lineStart) + line.trimEnd() + text.slice(end + rest.length);
}

const maxParts = 16;

/**
 * Ways to delete the syntax nodes around a place of a `.prs` source, from the innermost outwards. `inLines`: also nodes
 * that share their lines with others.
 */
export function removedParts(
  { file, at, column }: Pick<Place, 'file' | 'at'> & { readonly column?: number },
  lines: readonly string[] | undefined,
  inLines = true,
): Candidate[] {
  if (!lines || isMarkdownPath(file)) return [];
  const source = sourceOf(file, lines);
  const offset = column === undefined ? undefined : offsetOf(source.text, at) + column;
  const found: Candidate[] = [];
  const add = (from: number, remove: number, insert: readonly string[]) =>
    found.push({ edits: [{ file, at: from, remove, insert }] });
  const spans = nodesOf(source).map(({ span: { start, end } }) => ({ start, end }));
  for (const span of spans.sort((a, b) => a.end - a.start - (b.end - b.start))) {
    const [from, to] = [lineAt(source, span.start), lineAt(source, span.end)];
    const isAround =
      from <= at &&
      to >= at &&
      (offset === undefined || from < to || (span.start <= offset && offset < span.end));
    if (!isAround) continue;
    const count = to - from + 1;
    const next = withoutSpan(source.text, span).split('\n');
    if (next.length === lines.length - count) {
      add(from, count, []);
      if (from > 0 && isBlank(lines[from - 1]!)) add(from - 1, count + 1, []);
    } else if (
      inLines &&
      !/[:=+-]\s*$/.test(lines[from]!.slice(0, positionAt(source, span.start).column - 1))
    )
      add(from, count, [next[from]!]);
  }
  return found.slice(0, maxParts);
}
