import { isMarkdownPath } from '../../text/places.ts';
import type { Source } from '../../text/source.ts';
import { type Hunk, isBlank } from './hunks.ts';
import { isPrs, lineRange, nodesOf, removedParts, withoutSpan, withText } from './prs-source.ts';
import { insertMembers } from './prs-values.ts';
import { blankForms, framedLines, haveCommonPart, transferChange, withoutMarks } from './text-change.ts';
import { editUnits, lineIn, type Place, type TextUnit, type UnitEdit, unitsAt } from './text-units.ts';
import type { Candidate, Surroundings } from './workspace.ts';

/** A generated line near a hunk, and a source line that it came from. */
interface Anchor {
  readonly place: Place;
  readonly output: string;
  /** How many lines with text lie between it and the hunk. */
  readonly distance: number;
  /** It follows the hunk. */
  readonly isBefore: boolean;
}

/** The candidates that change the texts of sources that a hunk came from, the likeliest first. */
export function textCandidates(hunk: Hunk, around: Surroundings): Candidate[] {
  const { removed, added } = hunk;
  if (removed.length === 0) return inserted(hunk, around);
  const isSameLength = removed.length === added.length;
  return [...(isSameLength ? changed(hunk, around) : []), ...rewritten(hunk, around)];
}

/** Each candidate once. */
export function unique(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map(candidate => [JSON.stringify([...candidate]), candidate])).values()];
}

/** The places in sources of the project that a generated line came from. */
export function placesOf(at: number, around: Surroundings): Place[] {
  const places = around.originsOf(at).flatMap(({ file, line, column = 1, registry }) => {
    const isOwn = file !== undefined && line !== undefined && registry === undefined;
    return isOwn && around.sourceOf(file) ? [{ file, at: line - 1, column: column - 1 }] : [];
  });
  return places.length === 0 ? places : [...findWords(around.lines[at] ?? '', places, around), ...places];
}

/** So many characters identify a text. */
const minWords = 5;

/** Where the words of a line are, when its origin has none of them because the text was composed. */
function findWords(line: string, places: readonly Place[], { sources, sourceOf }: Surroundings): Place[] {
  const words = line.trim().replace(/^(?:[-*+]|\d+\.|#{1,6})\s+/, '');
  const linesOf = (file: string) => sourceOf(file)?.text.split('\n') ?? [];
  const isThere = ({ file, at }: Place) => haveCommonPart(linesOf(file)[at] ?? '', words);
  if (words.length < minWords || places.some(isThere)) return [];
  return sources.flatMap(file =>
    linesOf(file).flatMap((source, at) => {
      const column = source.indexOf(words);
      return column === -1 ? [] : [{ file, at, column }];
    }),
  );
}

const unitsOf = (place: Place, around: Surroundings): TextUnit[] => {
  const source = around.sourceOf(place.file);
  return source ? unitsAt(place, source) : [];
};

const spliced = (unit: TextUnit, at: number, remove: number, insert: readonly string[]): UnitEdit => ({
  unit,
  lines: unit.lines.toSpliced(at, remove, ...insert),
});

/** As many lines as before: each is changed in its own source. */
function changed({ at, removed, added }: Hunk, around: Surroundings): Candidate[] {
  const options: { unit: TextUnit; line: number; text: string }[][] = [];
  for (const [index, before] of removed.entries()) {
    if (before === added[index]) continue;
    const own = placesOf(at + index, around).flatMap(place =>
      unitsOf(place, around).flatMap(unit => {
        const line = lineIn(unit, place, before);
        return transferChange(unit.lines[line]!, before, added[index]!).map(text => ({ unit, line, text }));
      }),
    );
    if (own.length === 0) return [];
    options.push(own);
  }
  const [first, ...others] = options;
  if (!first) return [];
  return (others.length > 0 ? first.slice(0, 4) : first).flatMap(start => {
    const lines = new Map<TextUnit, string[]>();
    const used = new Set<string>();
    for (const own of [[start], ...others]) {
      const keyOf = ({ unit, line }: typeof start) => `${unit.source.name} ${unit.start + line}`;
      const next = own.find(one => !used.has(keyOf(one)));
      if (!next) continue;
      used.add(keyOf(next));
      const text = lines.get(next.unit) ?? [...next.unit.lines];
      text[next.line] = next.text;
      lines.set(next.unit, text);
    }
    return editUnits([...lines].map(([unit, text]) => ({ unit, lines: text }))) ?? [];
  });
}

/** So many lines with text on each side of a hunk are anchors. */
const anchorDistance = 6;

/** The sources of the lines before and after a range of lines, the nearest first. */
export function anchorsAround(from: number, end: number, around: Surroundings): Anchor[] {
  const found: Anchor[] = [];
  for (const isBefore of [false, true]) {
    const by = isBefore ? 1 : -1;
    let distance = 0;
    let count = 0;
    for (let at = isBefore ? end : from - 1; distance < anchorDistance && count <= 2; at += by) {
      const output = around.lines[at];
      if (output === undefined) break;
      if (isBlank(output)) continue;
      const places = placesOf(at, around);
      for (const place of isBefore ? places : places.reverse())
        found.push({ place, output, distance, isBefore });
      count += places.length;
      distance++;
    }
  }
  return found.sort((a, b) => a.distance - b.distance);
}

const maxInsertions = 90;

/** Added lines: members of the list, or lines of the text, that their neighbours came from. */
function inserted({ at, added }: Hunk, around: Surroundings): Candidate[] {
  const members: Candidate[] = [];
  const edits: UnitEdit[] = [];
  for (const { place, output, isBefore, distance } of anchorsAround(at, at, around)) {
    for (const unit of unitsOf(place, around)) {
      const { source, node } = unit;
      if (!node && isPrs(source)) continue;
      const values = node && distance === 0 ? withoutMarks(node.value, output, added) : undefined;
      const next = values && insertMembers(source, node!, values, isBefore);
      if (next !== undefined) members.push(withText(source, next));
      edits.push(...insertions(unit, lineIn(unit, place, output), output, isBefore, added));
    }
  }
  return [...members, ...edits.slice(0, maxInsertions).flatMap(edit => editUnits([edit]) ?? [])];
}

function insertions(
  unit: TextUnit,
  line: number,
  output: string,
  isBefore: boolean,
  added: readonly string[],
): UnitEdit[] {
  const own = unit.lines[line]!;
  // Blanks at the end of a text are not generated.
  const lines = output.trimEnd() === output ? unit.lines.with(line, own.trimEnd()) : unit.lines;
  const next = lines[line + 1];
  const places = isBefore ? [line] : next !== undefined && isBlank(next) ? [line + 1, line + 2] : [line + 1];
  return blankForms(added).flatMap(form =>
    framedLines(own, output, form).flatMap(insert =>
      places.map(at => spliced({ ...unit, lines }, at, 0, insert)),
    ),
  );
}

/** Other lines, or none, in the place of some. */
function rewritten(hunk: Hunk, around: Surroundings): Candidate[] {
  const { at, removed, added } = hunk;
  if (removed.every(isBlank) && added.length === 0) return withoutBlank(at, around);
  const places = removed.flatMap((output, index) =>
    isBlank(output) ? [] : placesOf(at + index, around).map(place => ({ place, output })),
  );
  const [first] = places;
  const source = first && around.sourceOf(first.place.file);
  if (!source) return [];
  const found: Candidate[] = [];
  for (const unit of unitsAt(first.place, source)) {
    if (!unit.node && isPrs(source)) continue;
    const own = places
      .filter(({ place }) => unitsOf(place, around).includes(unit))
      .map(({ place, output }) => lineIn(unit, place, output));
    const [from, to] = [Math.min(...own), Math.max(...own)];
    const edits =
      added.length > 0
        ? blankForms(added)
            .flatMap(form => framedLines(unit.lines[from]!, first.output, form))
            .map(lines => spliced(unit, from, to - from + 1, lines))
        : withBlanks(unit.lines, from, to, removed).map(([start, end]) =>
            spliced(unit, start, end - start + 1, []),
          );
    found.push(...edits.flatMap(edit => editUnits([edit]) ?? []));
  }
  return added.length > 0
    ? found
    : [...found, ...withoutMembers(places, source), ...withoutParts(first.place, source)];
}

/** A range of lines, and the ranges with the blank lines around it; those first that have as many as the hunk. */
function withBlanks(
  lines: readonly string[],
  first: number,
  last: number,
  removed: readonly string[],
): [number, number][] {
  const isBlankLine = (line: number) => line >= 0 && line < lines.length && isBlank(lines[line]!);
  const above = isBlankLine(first - 1) ? first - 1 : first;
  const below = isBlankLine(last + 1) ? last + 1 : last;
  return [
    ...(isBlank(removed.at(-1)!) ? [[first, below] as [number, number]] : []),
    ...(isBlank(removed[0]!) ? [[above, last] as [number, number]] : []),
    [first, last],
    [first, below],
    [above, last],
    [above, below],
  ];
}

/** A blank line that is removed near its neighbours. */
const withoutBlank = (at: number, around: Surroundings): Candidate[] =>
  anchorsAround(at, at + 1, around).flatMap(({ place, output }) =>
    unitsOf(place, around).flatMap(unit => {
      const line = lineIn(unit, place, output);
      const blanks = [line + 1, line - 1].filter(one => isBlank(unit.lines[one] ?? 'x'));
      return blanks.flatMap(one => editUnits([spliced(unit, one, 1, [])]) ?? []);
    }),
  );

const maxMembers = 16;

/** All strings that removed lines came from; or one member of a list, because a tool may have another word for it. */
function withoutMembers(places: readonly { readonly place: Place }[], source: Source): Candidate[] {
  if (!isPrs(source)) return [];
  const nodes = places.flatMap(({ place }) =>
    place.file === source.name ? (unitsAt(place, source)[0]?.node ?? []) : [],
  );
  const spans = [...new Set(nodes)].map(({ span }) => span).sort((a, b) => b.start - a.start);
  const all = spans.reduce((text, span) => withoutSpan(text, span), source.text);
  const offset = spans[0]?.start ?? -1;
  const list = nodesOf(source).findLast(
    ({ kind, span }) => kind === 'array' && span.start <= offset && offset < span.end,
  );
  const members =
    list && 'items' in list ? (list.items as readonly { span: { start: number; end: number } }[]) : [];
  return [
    ...(spans.length > 1 ? [withText(source, all)] : []),
    ...(members.length > 1 && members.length <= maxMembers
      ? members.map(({ span }) => withText(source, withoutSpan(source.text, span)))
      : []),
  ];
}

function withoutParts({ at, column }: Place, source: Source): Candidate[] {
  const lineStart = source.text.split('\n').slice(0, at).join('\n').length + (at > 0 ? 1 : 0);
  return removedParts(source, at, lineRange(source.text, lineStart).start + column);
}

/** A section that was removed from a file of several items: the Markdown sources that all of it came from. */
export function removedItems({ at, removed, added }: Hunk, around: Surroundings): Candidate[] {
  const gone = removed.flatMap((line, index) => (isBlank(line) ? [] : [at + index]));
  if (gone.length < 2 || !/^#{1,6} /.test(around.lines[gone[0]!]!) || !added.every(isBlank)) return [];
  const files = [...new Set(gone.flatMap(line => placesOf(line, around)).map(({ file }) => file))];
  const isItem = (file: string) => isMarkdownPath(file) && !file.endsWith('/SKILL.md');
  return files.length > 0 && files.every(isItem) ? [new Map(files.map(file => [file, undefined]))] : [];
}
