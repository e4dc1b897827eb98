import { isListItem } from '../../text/headings.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { lineSpan } from '../../text/source.ts';
import { type Hunk, isBlank, trimBlankLines } from './hunks.ts';
import { insertMembers, isPrs, removedParts, withText } from './prs-source.ts';
import { blankForms, framedLines, headingWords, transferChange, withoutMarks } from './text-change.ts';
import { editUnit, lineIn, type Place, type TextUnit, unitsAt } from './text-units.ts';
import type { Candidate, EditContext } from './workspace.ts';

/** A generated line near a hunk, and a source line that it came from. */
interface Anchor {
  readonly place: Place;
  readonly output: string;
  /** It follows the hunk. */
  readonly isBefore: boolean;
}

/** The candidates that change the texts of sources that a hunk came from, the likeliest first. */
export function textCandidates(hunk: Hunk, around: EditContext): Candidate[] {
  const { removed, added } = hunk;
  if (removed.length === 0) return inserted(hunk, around);
  const isOneLine = removed.length === 1 && added.length === 1;
  return [...(isOneLine ? changed(hunk, around) : []), ...rewritten(hunk, around)];
}

/** Each candidate once. */
export function unique(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map(candidate => [JSON.stringify([...candidate]), candidate])).values()];
}

/** The places in sources of the project that a generated line came from. */
export function placesOf(at: number, around: EditContext): Place[] {
  return around.originsOf(at).flatMap(({ file, line, column = 1, registry }) => {
    const isOwn = file !== undefined && line !== undefined && registry === undefined;
    return isOwn && around.sourceOf(file) ? [{ file, at: line - 1, column: column - 1 }] : [];
  });
}

const unitsOf = (place: Place, around: EditContext): readonly TextUnit[] => {
  const source = around.sourceOf(place.file);
  return source ? unitsAt(place, source) : [];
};

/** The candidate with other lines in the place of some lines of a unit. */
const splice = (unit: TextUnit, at: number, remove: number, insert: readonly string[]): Candidate[] =>
  editUnit(unit, unit.lines.toSpliced(at, remove, ...insert));

/** A changed line is changed in its source. Several lines are tried one by one later. */
function changed({ at, removed, added }: Hunk, around: EditContext): Candidate[] {
  const [before, after] = [removed[0]!, added[0]!];
  return placesOf(at, around).flatMap(place =>
    unitsOf(place, around).flatMap(unit => {
      const line = lineIn(unit, place, before);
      const text = transferChange(unit.lines[line]!, before, after);
      return text === undefined ? [] : editUnit(unit, unit.lines.with(line, text));
    }),
  );
}

/** The sources of the nearest lines before and after a range of lines. */
export function anchorsAround(from: number, end: number, around: EditContext): Anchor[] {
  const { lines } = around;
  return [false, true].flatMap(isBefore => {
    const by = isBefore ? 1 : -1;
    for (let at = isBefore ? end : from - 1; lines[at] !== undefined; at += by) {
      const output = lines[at]!;
      const places = isBlank(output) ? [] : placesOf(at, around);
      if (!isBefore) places.reverse();
      if (places.length > 0) return places.map(place => ({ place, output, isBefore }));
    }
    return [];
  });
}

const maxInsertions = 90;

/** Added lines: members of the list, or lines of the text, that their neighbours came from. */
function inserted({ at, added }: Hunk, around: EditContext): Candidate[] {
  const members: Candidate[] = [];
  const edits: Candidate[] = [];
  for (const { place, output, isBefore } of anchorsAround(at, at, around)) {
    for (const unit of unitsOf(place, around)) {
      const { source, node } = unit;
      if (!node && isPrs(source)) continue;
      const values = node && withoutMarks(node.value, output, added);
      const next = values && insertMembers(source, node!, values, isBefore);
      if (next !== undefined) members.push(withText(source, next));
      edits.push(...insertions(unit, lineIn(unit, place, output), output, isBefore, added));
    }
  }
  return [...members, ...edits.slice(0, maxInsertions)];
}

function insertions(
  unit: TextUnit,
  line: number,
  output: string,
  isBefore: boolean,
  added: readonly string[],
): Candidate[] {
  const own = unit.lines[line]!;
  // Blanks at the end of a text are not generated.
  const lines = output.trimEnd() === output ? unit.lines.with(line, own.trimEnd()) : unit.lines;
  const next = lines[line + 1];
  const places = isBefore ? [line] : next !== undefined && isBlank(next) ? [line + 1, line + 2] : [line + 1];
  return blankForms(added).flatMap(form =>
    framedLines(own, output, form).flatMap(insert =>
      places.flatMap(at => splice({ ...unit, lines }, at, 0, insert)),
    ),
  );
}

/** Other lines, or none, in the place of some. */
function rewritten(hunk: Hunk, around: EditContext): Candidate[] {
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
    if (added.length > 0)
      for (const form of blankForms(added))
        for (const lines of framedLines(unit.lines[from]!, first.output, form))
          found.push(...splice(unit, from, to - from + 1, lines));
    else {
      const [start, end] = withBlank(unit.lines, from, to, removed.length);
      found.push(...splice(unit, start, end - start + 1, []));
    }
  }
  if (added.length > 0) return found;
  const { at: line, column } = first.place;
  return [...found, ...removedParts(source, line, lineSpan(source, line + 1).start + column)];
}

/** A range of lines, with the blank line below or above it where the hunk has one more. */
function withBlank(
  lines: readonly string[],
  first: number,
  last: number,
  count: number,
): readonly [number, number] {
  const isBlankLine = (line: number) => isBlank(lines[line] ?? 'x');
  if (last - first + 1 === count) return [first, last];
  if (isBlankLine(last + 1)) return [first, last + 1];
  return [isBlankLine(first - 1) ? first - 1 : first, last];
}

/** A blank line that is removed near its neighbours. */
const withoutBlank = (at: number, around: EditContext): Candidate[] =>
  anchorsAround(at, at + 1, around).flatMap(({ place, output }) =>
    unitsOf(place, around).flatMap(unit => {
      const line = lineIn(unit, place, output);
      const blanks = [line + 1, line - 1].filter(one => isBlank(unit.lines[one] ?? 'x'));
      return blanks.flatMap(one => splice(unit, one, 1, []));
    }),
  );

/** A section that was removed from a file of several items: the Markdown sources that all of it came from. */
export function removedItems({ at, removed, added }: Hunk, around: EditContext): Candidate[] {
  const gone = removed.flatMap((line, index) => (isBlank(line) ? [] : [at + index]));
  if (gone.length < 2 || !/^#{1,6} /.test(around.lines[gone[0]!]!) || !added.every(isBlank)) return [];
  const files = [...new Set(gone.flatMap(line => placesOf(line, around)).map(({ file }) => file))];
  const isItem = (file: string) => isMarkdownPath(file) && !file.endsWith('/SKILL.md');
  return files.length > 0 && files.every(isItem) ? [new Map(files.map(file => [file, undefined]))] : [];
}

/**
 * Lines that were added below a generated section (a list of skills, for example), as an addition at the end of the
 * nearest texts above it: no source can have them where they were added. Empty for other hunks.
 */
export function aboveGeneratedSection({ at, removed, added }: Hunk, around: EditContext): Hunk[] {
  const { lines } = around;
  const text = trimBlankLines(added);
  const next = lines.slice(at + removed.length).find(line => !isBlank(line));
  const endsSection = next === undefined || headingWords(next) !== undefined;
  if (text.length === 0 || !removed.every(isBlank) || !endsSection) return [];
  const found: Hunk[] = [];
  let end = at;
  while (end > 0) {
    const heading = lines.slice(0, end).findLastIndex(line => headingWords(line) !== undefined);
    if (heading < 1 || !isGenerated(heading, around)) break;
    const last = lines.slice(0, heading).findLastIndex(line => !isBlank(line));
    const isOneList = [text[0]!, lines[last] ?? ''].every(line => isListItem(line.trimStart()));
    found.push({ at: last + 1, removed: [], added: isOneList ? text : ['', ...text] });
    end = heading;
  }
  return found;
}

/** Whether a line comes from no source of the project. */
const isGenerated = (at: number, { originsOf }: EditContext): boolean =>
  originsOf(at).every(({ file }) => file === undefined);

/** Whether lines that a hunk adds already stand right above its place. */
export function isAlreadyAbove({ at, added }: Hunk, { lines }: EditContext): boolean {
  const text = trimBlankLines(added);
  return text.join('\n') === lines.slice(at - text.length, at).join('\n');
}
