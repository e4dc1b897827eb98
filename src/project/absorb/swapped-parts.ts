import { isMarkdownPath } from '../../text/places.ts';
import type { Swap } from './hunks.ts';
import { placesOf, unique } from './line-candidates.ts';
import { lineAt, nodesOf, offsetOf, sourceOf } from './prs-source.ts';
import { headingWords } from './text-change.ts';
import type { Candidate, Place, Surroundings } from './workspace.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The candidates that swap two parts of a source in the way that two ranges of a generated file were swapped. */
export function swappedParts({ first, second }: Swap, around: Surroundings): Candidate[] {
  const places = ({ start, end }: Range) =>
    Array.from({ length: end - start }, (_, index) => placesOf(start + index, around)).flat();
  const found = swapPlaces(places(first), places(second), around);
  if ([first, second].some(({ start }) => headingWords(around.lines[start] ?? '') === undefined))
    return found;
  // A heading may come from another part of the sources than the text below it.
  const below = ({ start, end }: Range) => places({ start: start + 1, end });
  return unique([...found, ...swapPlaces(below(first), below(second), around)]);
}

function swapPlaces(one: readonly Place[], other: readonly Place[], around: Surroundings): Candidate[] {
  const [file, ...others] = new Set([...one, ...other].map(place => place.file));
  if (file === undefined || others.length > 0 || one.length === 0 || other.length === 0) return [];
  const lines = around.sourceLines(file)!;
  const found: Candidate[] = [];
  for (const ranges of lineRanges(file, one, other, lines)) {
    const [early, late] = ranges.sort((a, b) => a.start - b.start) as [Range, Range];
    if (early.end > late.start) continue;
    const insert = exchange(lines, early, late).slice(early.start, late.end);
    found.push({ edits: [{ file, at: early.start, remove: insert.length, insert }] });
  }
  const [{ at }] = one as [Place];
  if (!isMarkdownPath(file) && [...one, ...other].every(place => place.at === at))
    found.push(...swapInLine(file, one, other, lines));
  return found;
}

/** A text or list with two ranges exchanged. */
const exchange = <T>(all: readonly T[], early: Range, late: Range): T[] => [
  ...all.slice(0, early.start),
  ...all.slice(late.start, late.end),
  ...all.slice(early.end, late.start),
  ...all.slice(early.start, early.end),
  ...all.slice(late.end),
];

const hull = (ranges: readonly Range[]): Range => ({
  start: Math.min(...ranges.map(({ start }) => start)),
  end: Math.max(...ranges.map(({ end }) => end)),
});

const linesOf = (places: readonly Place[]): Range =>
  hull(places.map(({ at }) => ({ start: at, end: at + 1 })));

/** The source lines of two groups of places: with the syntax nodes that begin or end there, and alone. */
function lineRanges(
  file: string,
  one: readonly Place[],
  other: readonly Place[],
  lines: readonly string[],
): [Range, Range][] {
  const [a, b] = [linesOf(one), linesOf(other)];
  if (isMarkdownPath(file)) return [[a, b]];
  const source = sourceOf(file, lines);
  const nodes = nodesOf(source).map(({ span }) => ({
    start: lineAt(source, span.start),
    end: lineAt(source, span.end) + 1,
  }));
  const grow = (range: Range, without: Range): Range => {
    const free = nodes.filter(node => node.end <= without.start || node.start >= without.end);
    const holds = (node: Range, at: number) => node.start <= at && node.end > at;
    const opening = free.filter(node => holds(node, range.start));
    const closing = free.filter(node => holds(node, range.end - 1));
    const start = hull([range, ...opening]).start;
    let comments = 0;
    while (/^\s*#/.test(lines[start - 1 - comments] ?? '')) comments++;
    return { start: start - comments, end: hull([range, ...opening, ...closing]).end };
  };
  return [
    [grow(a, b), grow(b, a)],
    [a, b],
  ];
}

/** Two parts of one source line that change places. */
function swapInLine(
  file: string,
  one: readonly Place[],
  other: readonly Place[],
  lines: readonly string[],
): Candidate[] {
  const [{ at }] = one as [Place];
  const source = sourceOf(file, lines);
  const spans = nodesOf(source).map(({ span: { start, end } }) => ({ start, end }));
  const lineStart = offsetOf(source.text, at);
  const holds = ({ start, end }: Range, { column }: Place) =>
    start <= lineStart + column && lineStart + column < end;
  const partOf = (own: readonly Place[], others: readonly Place[]): Range =>
    hull(
      spans.filter(
        span => own.some(place => holds(span, place)) && !others.some(place => holds(span, place)),
      ),
    );
  const ranges = [partOf(one, other), partOf(other, one)].sort((a, b) => a.start - b.start);
  const [early, late] = ranges as [Range, Range];
  if (early.end > late.start || !Number.isFinite(late.end)) return [];
  const next = exchange(source.text.split(''), early, late).join('').split('\n');
  return [{ edits: [{ file, at, remove: 1, insert: [next[at]!] }] }];
}
