import { isMarkdownPath } from '../../text/places.ts';
import { positionAt, type Span } from '../../text/source.ts';
import { placesOf, type Surroundings, unique } from './candidates.ts';
import { headingWords } from './headings.ts';
import type { Hunk } from './hunks.ts';
import { offsetOf, type Spot, spansIn } from './nodes.ts';
import type { Candidate } from './trial.ts';

/** Two neighbouring parts of a text that changed places; indexes of lines, each `end` behind the last. */
export interface Swap {
  readonly first: Range;
  readonly second: Range;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The lines that are not the same in two texts as one hunk. */
export function wholeHunk(before: readonly string[], after: readonly string[]): Hunk {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return {
    at: head,
    removed: before.slice(head, before.length - tail),
    added: after.slice(head, after.length - tail),
  };
}

const mostLines = 400;

/** How an edit is one of parts that changed places, with the blank lines between them, if it is; the shortest first. */
export function swapsIn({ at, removed, added }: Hunk): Swap[] {
  const count = removed.length;
  if (count !== added.length || count < 2 || count > mostLines) return [];
  const said = (lines: readonly string[], start: number, end: number) => lines.slice(start, end).join('\n');
  const found: Swap[] = [];
  for (let end = 1; end < count; end++) {
    for (let start = end; start < count && (start === end || removed[start - 1]!.trim() === ''); start++) {
      const length = count - start;
      const isSwap =
        said(removed, start, count) === said(added, 0, length) &&
        said(removed, end, start) === said(added, length, length + start - end) &&
        said(removed, 0, end) === said(added, count - end, count);
      if (isSwap)
        found.push({ first: { start: at, end: at + end }, second: { start: at + start, end: at + count } });
    }
  }
  const size = ({ first, second }: Swap) => Math.min(first.end - first.start, second.end - second.start);
  return found.sort((one, other) => size(one) - size(other));
}

/** Whether the only edit of a text is that two of its parts changed places. */
export const isSwap = (before: readonly string[], after: readonly string[]): boolean =>
  swapsIn(wholeHunk(before, after)).length > 0;

/** Ways to let two parts of a text change places in the source that both come from. */
export async function swapped({ first, second }: Swap, around: Surroundings): Promise<Candidate[]> {
  const [one, other] = [await spotsOf(first, around), await spotsOf(second, around)];
  const found = swappedAt(one, other, around);
  const headings = [first, second].map(({ start }) => headingWords(around.lines[start] ?? ''));
  if (headings.includes(undefined)) return found;
  // A heading may be said elsewhere than what it stands above.
  const below = ({ start, end }: Range) => spotsOf({ start: start + 1, end }, around);
  return unique([...found, ...swappedAt(await below(first), await below(second), around)]);
}

function swappedAt(one: readonly Spot[], other: readonly Spot[], around: Surroundings): Candidate[] {
  const files = new Set([...one, ...other].map(({ file }) => file));
  const [file] = files;
  if (files.size !== 1 || one.length === 0 || other.length === 0) return [];
  const lines = around.sourceLines(file!)!;
  const found: Candidate[] = [];
  for (const [a, b] of rangesOf(file!, one, other, lines)) {
    const [early, late] = a.start < b.start ? [a, b] : [b, a];
    if (early.end > late.start) continue;
    const insert = [
      ...lines.slice(late.start, late.end),
      ...lines.slice(early.end, late.start),
      ...lines.slice(early.start, early.end),
    ];
    found.push({ edits: [{ file: file!, at: early.start, remove: insert.length, insert }] });
  }
  const inLine = swappedInLine(file!, one, other, lines);
  return inLine ? [...found, inLine] : found;
}

async function spotsOf({ start, end }: Range, around: Surroundings): Promise<Spot[]> {
  const found: Spot[] = [];
  for (let at = start; at < end; at++) found.push(...(await placesOf(at, around)));
  return found;
}

/** Lines of a source that two groups of places are part of: with all that begins and ends there, else just these. */
function rangesOf(
  file: string,
  one: readonly Spot[],
  other: readonly Spot[],
  lines: readonly string[],
): [Range, Range][] {
  const [a, b] = [rangeOf(one), rangeOf(other)];
  if (isMarkdownPath(file)) return [[a, b]];
  const source = { name: file, text: lines.join('\n') };
  const nodes = spansIn(source).map(({ start, end }): Range => {
    return { start: positionAt(source, start).line - 1, end: positionAt(source, end).line };
  });
  const grown = (range: Range, without: Range): Range => {
    const own = nodes.filter(
      node =>
        node.start <= range.start &&
        node.end >= range.start + 1 &&
        (node.end <= without.start || node.start >= without.end),
    );
    const till = nodes.filter(
      node =>
        node.start <= range.end - 1 &&
        node.end >= range.end &&
        (node.end <= without.start || node.start >= without.end),
    );
    let start = Math.min(range.start, ...own.map(node => node.start));
    const end = Math.max(range.end, ...till.map(node => node.end), ...own.map(node => node.end));
    while (/^\s*#/.test(lines[start - 1] ?? '')) start--;
    return { start, end };
  };
  return [
    [grown(a, b), grown(b, a)],
    [a, b],
  ];
}

const rangeOf = (spots: readonly Spot[]): Range => {
  const all = spots.map(({ at }) => at);
  return { start: Math.min(...all), end: Math.max(...all) + 1 };
};

/** Two parts of one line of a source that change places. */
function swappedInLine(
  file: string,
  one: readonly Spot[],
  other: readonly Spot[],
  lines: readonly string[],
): Candidate | undefined {
  const [{ at }] = one as [Spot];
  if (isMarkdownPath(file) || [...one, ...other].some(spot => spot.at !== at)) return undefined;
  const source = { name: file, text: lines.join('\n') };
  const spans = spansIn(source);
  const before = offsetOf(source.text, at);
  const holds = ({ start, end }: Span, spot: Spot) =>
    start <= before + (spot.column ?? 0) && before + (spot.column ?? 0) < end;
  const partOf = (own: readonly Spot[], others: readonly Spot[]): readonly Span[] => {
    const apart = spans.filter(
      span => own.some(spot => holds(span, spot)) && !others.some(spot => holds(span, spot)),
    );
    return apart.filter(
      span => !apart.some(above => above !== span && above.start <= span.start && above.end > span.end),
    );
  };
  const [a, b] = [hullOf(partOf(one, other)), hullOf(partOf(other, one))];
  if (!a || !b) return undefined;
  const [early, late] = a.start < b.start ? [a, b] : [b, a];
  if (early.end > late.start) return undefined;
  const { text } = source;
  const next =
    text.slice(0, early.start) +
    text.slice(late.start, late.end) +
    text.slice(early.end, late.start) +
    text.slice(early.start, early.end) +
    text.slice(late.end);
  return { edits: [{ file, at, remove: 1, insert: [next.split('\n')[at]!] }] };
}

const hullOf = (spans: readonly Range[]): Range | undefined =>
  spans.length === 0
    ? undefined
    : { start: Math.min(...spans.map(({ start }) => start)), end: Math.max(...spans.map(({ end }) => end)) };
