import { isMarkdownPath } from '../../text/places.ts';
import { type Hunk, hunksOf, isBlank, trimBlankLines } from './hunks.ts';
import { isString, lineAt, nodesOf, offsetOf, removedParts, sourceOf } from './prs-source.ts';
import { insertMembers } from './prs-values.ts';
import {
  commonPart,
  framedLines,
  itemWords,
  splitComment,
  transferChange,
  withoutMember,
} from './text-change.ts';
import type { Candidate, Place, SourceEdit, Surroundings } from './workspace.ts';

/** A generated line near a hunk, and a source line that it came from. */
interface Anchor extends Place {
  readonly output: string;
  /** How many lines with text lie between it and the hunk. */
  readonly distance: number;
}

/** The candidates that change the source lines a hunk came from, the likeliest first. */
export function lineCandidates(hunk: Hunk, around: Surroundings): Candidate[] {
  const { removed, added } = hunk;
  return unique([
    ...(removed.length === added.length ? replaced(hunk, around) : []),
    ...(removed.length === 0
      ? inserted(hunk, around)
      : added.length === 0
        ? deleted(hunk, around)
        : rewritten(hunk, around)),
  ]);
}

/** Each candidate that has edits, once. */
export function unique(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map(candidates.map(candidate => [JSON.stringify(candidate.edits), candidate]));
  found.delete('[]');
  return [...found.values()];
}

/** The candidate that gives sources other texts. */
export function textCandidate(texts: Iterable<readonly [string, string]>, around: Surroundings): Candidate {
  const edits = [...texts].flatMap(([file, text]) =>
    hunksOf(around.sourceLines(file)!, text.split('\n')).map(
      ({ at, removed, added }): SourceEdit => ({ file, at, remove: removed.length, insert: added }),
    ),
  );
  return { edits };
}

/** The places in sources of the project that a generated line came from. */
export function placesOf(at: number, around: Surroundings): Place[] {
  const places = around
    .originsOf(at)
    .flatMap(({ file, line, column = 1, registry }) =>
      file === undefined || line === undefined || registry !== undefined
        ? []
        : [{ file, at: line - 1, column: column - 1 }],
    )
    .filter(place => around.sourceLines(place.file)?.[place.at] !== undefined);
  return places.length === 0 ? places : [...findWords(around.lines[at] ?? '', places, around), ...places];
}

/** So many characters identify a text. */
const minWords = 5;

/** Where the words of a line are, when its origin has none of them because the text was composed. */
function findWords(line: string, places: readonly Place[], { sources, sourceLines }: Surroundings): Place[] {
  const words = line.trim().replace(/^(?:[-*+]|\d+\.|#{1,6})\s+/, '');
  const isThere = ({ file, at }: Place) => commonPart(sourceLines(file)![at]!, words).length > 2;
  if (words.length < minWords || places.some(isThere)) return [];
  return sources.flatMap(file =>
    (sourceLines(file) ?? []).flatMap((source, at) => {
      const column = source.indexOf(words);
      return column === -1 ? [] : [{ file, at, column }];
    }),
  );
}

const placesOfAll = ({ at, removed }: Hunk, around: Surroundings): Place[] =>
  removed.flatMap((_, index) => placesOf(at + index, around));

const clean = (line: string): string => line.replace(/\r$/, '');

const edit = (file: string, at: number, remove: number, insert: readonly string[]): Candidate => ({
  edits: [{ file, at, remove, insert }],
});

/** As many lines as before: each is changed in its own source. */
function replaced({ at, removed, added }: Hunk, around: Surroundings): Candidate[] {
  const choices: SourceEdit[][] = [];
  for (const [index, before] of removed.entries()) {
    if (before === added[index]) continue;
    const own: SourceEdit[] = [];
    for (const place of placesOf(at + index, around)) {
      const lines = around.sourceLines(place.file)!;
      // The origin of a text of several lines may be its first line.
      for (let line = place.at; line < Math.min(lines.length, place.at + 4); line++)
        for (const text of transferChange(clean(lines[line]!), before, added[index]!))
          own.push({ file: place.file, at: line, remove: 1, insert: [text] });
    }
    if (own.length === 0) return [];
    choices.push(own);
  }
  const [first, ...others] = choices;
  if (!first) return [];
  return (others.length > 0 ? first.slice(0, 4) : first).map(start => {
    const edits = [start];
    for (const own of others) {
      const next = own.find(one => !edits.some(({ file, at: line }) => file === one.file && line === one.at));
      if (next) edits.push(next);
    }
    return { edits };
  });
}

/** So many lines with text on each side of a hunk are anchors. */
const anchorDistance = 6;

function anchorsFrom(start: number, by: 1 | -1, around: Surroundings): Anchor[] {
  let distance = 0;
  const found: Anchor[] = [];
  for (let at = start; around.lines[at] !== undefined && distance < anchorDistance; at += by) {
    const output = around.lines[at]!;
    if (isBlank(output)) continue;
    const places = placesOf(at, around);
    for (const place of by === -1 ? places.reverse() : places) found.push({ ...place, output, distance });
    if (found.length > 2) break;
    distance++;
  }
  return found;
}

/** The sources of the lines before and after a range of lines, the nearest first. */
export const anchorsAround = (from: number, end: number, around: Surroundings) =>
  [
    ...anchorsFrom(from - 1, -1, around).map(anchor => ({ anchor, isBefore: false })),
    ...anchorsFrom(end, 1, around).map(anchor => ({ anchor, isBefore: true })),
  ].sort((a, b) => a.anchor.distance - b.anchor.distance);

const maxInsertions = 90;

/** Added lines: beside the source lines that their neighbours came from. */
function inserted({ at, added }: Hunk, around: Surroundings): Candidate[] {
  const anchors = anchorsAround(at, at, around);
  const found: Candidate[] = [];
  for (const { anchor, isBefore } of anchors) {
    const { file, at: line, output } = anchor;
    const lines = around.sourceLines(file)!;
    const source = clean(lines[line]!);
    for (const form of blankForms(added)) {
      const bare = source.trimEnd();
      // Blanks at the end of a text are not generated.
      if (!isBefore && bare !== source && output.trimEnd() === output)
        for (const insert of framedLines(bare, output, form))
          found.push(edit(file, line, 1, [bare, ...insert]));
      for (const insert of framedLines(splitComment(source).line, output, form)) {
        if (isBefore) found.push(edit(file, line, 0, insert));
        else {
          found.push(edit(file, line + 1, 0, insert));
          if (lines[line + 1] !== undefined && isBlank(lines[line + 1]!))
            found.push(edit(file, line + 2, 0, insert));
        }
      }
    }
  }
  const texts = anchors.slice(0, 3).flatMap(({ anchor, isBefore }) => {
    const lines = around.sourceLines(anchor.file)!.map(clean);
    return blankForms(added).flatMap(form => inQuotedText(anchor, isBefore, form, lines));
  });
  return [...addedMembers({ at, added }, around), ...texts, ...found.slice(0, maxInsertions)];
}

/** Added list items: members of the list that an item next to them is a member of. */
function addedMembers({ at, added }: Pick<Hunk, 'at' | 'added'>, around: Surroundings): Candidate[] {
  const values = trimBlankLines(added).map(itemWords);
  if (values.length === 0 || values.some(value => value === undefined)) return [];
  return [at - 1, at].flatMap(neighbour =>
    itemWords(around.lines[neighbour] ?? '') === undefined
      ? []
      : around.originsOf(neighbour).flatMap(({ file, line, column = 1, registry }) => {
          const lines =
            file?.endsWith('.prs') && registry === undefined ? around.sourceLines(file) : undefined;
          if (!lines || line === undefined || lines.some(one => one.endsWith('\r'))) return [];
          const text = lines.join('\n');
          const offset = offsetOf(text, line - 1) + column - 1;
          const next = insertMembers(text, offset, values as string[], neighbour === at);
          return next === undefined ? [] : [textCandidate([[file!, next]], around)];
        }),
  );
}

/** Lines added to a quoted text of one line, which becomes a block of text. */
function inQuotedText(
  { file, at, output }: Anchor,
  isBefore: boolean,
  added: readonly string[],
  lines: readonly string[],
): Candidate[] {
  if (isMarkdownPath(file) || added.some(line => line.includes('"""'))) return [];
  const source = sourceOf(file, lines);
  return nodesOf(source)
    .filter(isString)
    .flatMap(({ quote, span, value }) => {
      const [from, to] = [lineAt(source, span.start), lineAt(source, span.end)];
      if (quote === 'text' || from > at || to < at) return [];
      const said = value.split('\n');
      const place = said.findIndex(line => !isBlank(line) && output.includes(line.trim()));
      if (place === -1) return [];
      said.splice(isBefore ? place : place + 1, 0, ...added);
      const indent = /^\s*/.exec(lines[from]!)![0];
      const before = source.text.slice(offsetOf(source.text, from), span.start);
      const after = source.text.slice(span.end).split('\n', 1)[0]!;
      const body = said.map(line => (line === '' ? '' : `${indent}  ${line}`));
      return [edit(file, from, to - from + 1, [`${before}"""`, ...body, `${indent}"""${after}`])];
    });
}

/** Lines with the blank lines that a source may have around them. */
function blankForms(lines: readonly string[]): string[][] {
  const words = trimBlankLines(lines);
  if (words.length === 0) return [[...lines]];
  const forms = [[...lines], words, ['', ...words], [...words, ''], ['', ...words, '']];
  return [...new Map(forms.map(form => [form.join('\n'), form])).values()];
}

/** Deleted lines: their source lines, the blank lines around those, list members, or whole parts of the source. */
function deleted(hunk: Hunk, around: Surroundings): Candidate[] {
  const { at, removed } = hunk;
  if (removed.every(isBlank))
    return anchorsAround(at, at + 1, around).flatMap(({ anchor: { file, at: line } }) =>
      [line + 1, line - 1]
        .filter(place => around.sourceLines(file)![place]?.trim() === '')
        .map(place => edit(file, place, 1, [])),
    );
  const found: Candidate[] = [];
  const places = placesOfAll(hunk, around);
  const files = [...new Set(places.map(place => place.file))];
  for (const file of files) {
    const own = places.filter(place => place.file === file).map(place => place.at);
    found.push(
      ...deletedLines(
        file,
        [...new Set(own)].sort((a, b) => a - b),
        removed,
        around,
      ),
    );
  }
  const [output] = removed;
  for (const place of placesOf(at, around))
    for (const line of withoutMember(clean(around.sourceLines(place.file)![place.at]!), output!))
      found.push(edit(place.file, place.at, 1, [line]));
  const [first] = places;
  if (first) found.push(...removedParts(first, around.sourceLines(first.file)));
  return found;
}

function deletedLines(
  file: string,
  own: readonly number[],
  removed: readonly string[],
  around: Surroundings,
): Candidate[] {
  const lines = around.sourceLines(file)!;
  const [first, last] = [own[0]!, own.at(-1)!];
  // The empty string after the last line feed is no line.
  const hasBlank = (line: number) => line >= 0 && line < lines.length - 1 && isBlank(lines[line]!);
  const [above, below] = [hasBlank(first - 1) ? first - 1 : first, hasBlank(last + 1) ? last + 1 : last];
  const range = (from: number, to: number) => edit(file, from, to - from + 1, []);
  const isScattered = own.length > 1 && last - first >= own.length;
  return [
    ...(isScattered ? [{ edits: own.map(at => ({ file, at, remove: 1, insert: [] })) }] : []),
    ...(isBlank(removed.at(-1)!) ? [range(first, below)] : []),
    ...(isBlank(removed[0]!) ? [range(above, last)] : []),
    range(first, last),
    range(first, below),
    range(above, last),
    range(above, below),
  ];
}

/** Other lines in the place of some: framed like the source line of the first of them. */
function rewritten(hunk: Hunk, around: Surroundings): Candidate[] {
  const places = placesOfAll(hunk, around);
  const output = hunk.removed.find(line => !isBlank(line));
  const [first] = places;
  if (!first || output === undefined) return [];
  const own = places.filter(({ file }) => file === first.file).map(place => place.at);
  const [from, to] = [Math.min(...own), Math.max(...own)];
  const { line, comment } = splitComment(clean(around.sourceLines(first.file)![first.at]!));
  return blankForms(hunk.added).flatMap(form =>
    framedLines(line, output, form).map(([head, ...rest]) =>
      edit(first.file, from, to - from + 1, [head + comment, ...rest]),
    ),
  );
}
