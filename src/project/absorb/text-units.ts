import type { StringValue } from '../../syntax/ast.ts';
import { writeString, writeText } from '../../syntax/literals.ts';
import { isIdentifier } from '../../syntax/print.ts';
import { memoizeByObject } from '../../text/memo.ts';
import { lineSpan, type Source } from '../../text/source.ts';
import { isBlank } from './hunks.ts';
import {
  hasLine,
  indentAt,
  isPrs,
  isString,
  lineAt,
  nodesOf,
  type Range,
  replaced,
  withText,
} from './prs-source.ts';
import type { Candidate } from './workspace.ts';

/** A line and column of a source, from 0. */
export interface Place {
  readonly file: string;
  readonly at: number;
  readonly column: number;
}

/** A text of a source that generated lines came from: a string of a `.prs` source, one line of it, or a whole file. */
export interface TextUnit {
  readonly source: Source;
  readonly span: Range;
  /** Index of the source line that the first line of the text stands on. */
  readonly start: number;
  readonly lines: readonly string[];
  readonly node?: StringValue;
}

/**
 * The strings of a `.prs` source at a place, the most likely first, then its line; for other sources the whole text.
 */
export function unitsAt({ at, column }: Place, source: Source): readonly TextUnit[] {
  const all = textsOf(source);
  if (!isPrs(source)) return all;
  const line = lineUnit(source, at);
  const offset = line.span.start + column;
  const isMeant = ({ span, node }: TextUnit) =>
    node?.quote === 'text' || (span.start <= offset && offset < span.end);
  const here = all.filter(({ span }) => hasLine(source, span, at));
  const meant = here.filter(isMeant);
  return [...meant, ...here.filter(unit => !meant.includes(unit)), line];
}

/** The strings of a `.prs` source; of another source, the whole text. */
const textsOf = memoizeByObject((source: Source): readonly TextUnit[] => {
  const { text } = source;
  if (isPrs(source))
    return nodesOf(source)
      .filter(isString)
      .map(node => ({
        source,
        span: node.span,
        start: lineAt(source, node.contentStart ?? node.span.start),
        lines: node.value.split('\n'),
        node,
      }));
  // The line feed at the end does not start another line.
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  return [{ source, span: { start: 0, end }, start: 0, lines: text.slice(0, end).split('\n') }];
});

function lineUnit(source: Source, at: number): TextUnit {
  const span = lineSpan(source, at + 1);
  return { source, span, start: at, lines: [source.text.slice(span.start, span.end)] };
}

/** The line of a unit from which a generated line comes; the origin of a multi-line text may be its first line. */
export function lineIn(unit: TextUnit, { at }: Place, output: string): number {
  const { lines, start, node } = unit;
  const named = Math.max(0, Math.min(lines.length - 1, at - start));
  const isWritten = (line: string) => !isBlank(line) && output.includes(line.trim());
  const written = !node || isWritten(lines[named]!) ? -1 : lines.findIndex(isWritten);
  return written === -1 ? named : written;
}

/** The candidate that replaces the lines of a unit; none when a string would be empty. */
export function editUnit(unit: TextUnit, lines: readonly string[]): Candidate[] {
  const { source, span, node } = unit;
  if (node && lines.every(isBlank)) return [];
  return [withText(source, replaced(source.text, span, writeUnit(unit, lines)))];
}

function writeUnit({ node, source, span }: TextUnit, lines: readonly string[]): string {
  const value = lines.join('\n');
  if (!node) return value;
  const indent = indentAt(source.text, span.start);
  if (node.quote === 'text' || lines.length > 1) {
    const isBlock =
      node.contentStart !== undefined && lineAt(source, node.contentStart) > lineAt(source, span.start);
    const own = isBlock ? indentAt(source.text, node.contentStart!) : `${indent}  `;
    const closing = isBlock ? indentAt(source.text, span.end) : indent;
    return writeText(value, own, closing) ?? writeString(value);
  }
  if (node.quote === 'single' && !/['\\]/.test(value)) return `'${value}'`;
  return node.quote === 'bare' && isIdentifier(value) ? value : writeString(value);
}
