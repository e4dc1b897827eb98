import type { Explained } from '../explain/explain.ts';
import type { Hunk } from './hunks.ts';
import {
  commonPart,
  framedLines,
  transferEdit,
  withMembers,
  withoutComment,
  withoutEachMember,
  withoutMember,
} from './transfer.ts';
import type { Candidate, SourceEdit } from './trial.ts';

/** What is known about the place of a hunk. */
export interface Surroundings {
  /** The planned text. */
  readonly lines: readonly string[];
  /** What made a line of it. */
  readonly originsOf: (at: number) => Promise<readonly Explained[]>;
  /** Names of all sources. */
  readonly sources: readonly string[];
  /** The lines of a source; `undefined` where it is not to be changed. */
  readonly sourceLines: (file: string) => readonly string[] | undefined;
}

/** A place on a line of a source. */
interface Place {
  readonly file: string;
  readonly at: number;
  readonly column: number;
}

/** A line of the planned text, and a line of a source that it came from. */
interface Anchor extends Place {
  readonly output: string;
  /** How many lines with words lie between it and the hunk. */
  readonly distance: number;
}

/** Lines around a hunk that are asked where they came from. */
const reach = 6;

/** Ways to bring a hunk home, the likeliest first; none of them is known to be right. */
export async function candidatesFor(hunk: Hunk, around: Surroundings): Promise<Candidate[]> {
  const { removed, added } = hunk;
  const found: Candidate[] = [];
  if (removed.length === added.length) found.push(...(await replaced(hunk, around)));
  if (removed.length === 0) found.push(...(await inserted(hunk, around)));
  else if (added.length === 0) found.push(...(await deleted(hunk, around)));
  else found.push(...(await rewritten(hunk, around)));
  return unique(found);
}

/** Each candidate that changes anything, once. */
export function unique(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(candidate => {
    const key = JSON.stringify(candidate);
    return candidate.edits.length > 0 && !seen.has(key) && seen.add(key);
  });
}

/** The lines of sources that may be changed and that a line came from. */
export async function placesOf(at: number, around: Surroundings): Promise<Place[]> {
  const origins = await around.originsOf(at);
  const places = origins.flatMap(({ file, line, column = 1, registry }) =>
    file === undefined || line === undefined || registry !== undefined
      ? []
      : [{ file, at: line - 1, column: column - 1 }],
  );
  const known = places.filter(place => around.sourceLines(place.file)?.[place.at] !== undefined);
  return known.length > 0 ? [...wordsElsewhere(around.lines[at] ?? '', known, around), ...known] : known;
}

/** So many characters are words that stand where they were written only. */
const leastWords = 5;

/** Where the words of a line stand when the place that is named has none of them: a text that was put together. */
function wordsElsewhere(
  line: string,
  known: readonly Place[],
  { sources, sourceLines }: Surroundings,
): Place[] {
  const words = line.trim().replace(/^(?:[-*+]|\d+\.|#{1,6})\s+/, '');
  if (
    words.length < leastWords ||
    known.some(({ file, at }) => commonPart(sourceLines(file)![at]!, words).length > 2)
  )
    return [];
  return sources.flatMap(file =>
    (sourceLines(file) ?? []).flatMap((source, at) => {
      const column = source.indexOf(words);
      return column === -1 ? [] : [{ file, at, column }];
    }),
  );
}

const clean = (line: string): string => line.replace(/\r$/, '');

/** Lines with as many lines in their place: each is carried over by itself. */
async function replaced({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const choices: SourceEdit[][] = [];
  for (const [index, before] of removed.entries()) {
    const after = added[index]!;
    if (before === after) continue;
    const own: SourceEdit[] = [];
    for (const place of await placesOf(at + index, around)) {
      const lines = around.sourceLines(place.file)!;
      // A text that stands on several lines of its source may be told by the first of them.
      for (let line = place.at; line < Math.min(lines.length, place.at + 4); line++)
        for (const text of transferEdit(clean(lines[line]!), before, after))
          own.push({ file: place.file, at: line, remove: 1, insert: [text] });
    }
    if (own.length === 0) return [];
    choices.push(own);
  }
  const [first, ...others] = choices;
  if (!first) return [];
  const isFree = (edits: readonly SourceEdit[], one: SourceEdit) =>
    !edits.some(({ file, at: line }) => file === one.file && line === one.at);
  return (others.length > 0 ? first.slice(0, 4) : first).map(start => {
    const edits = [start];
    for (const own of others) {
      const next = own.find(one => isFree(edits, one));
      if (next) edits.push(next);
    }
    return { edits };
  });
}

/** The nearest lines before (`by` -1) or behind (1) a place that came from a source. */
async function anchorsFrom(start: number, by: 1 | -1, around: Surroundings): Promise<Anchor[]> {
  let distance = 0;
  const found: Anchor[] = [];
  for (let at = start; around.lines[at] !== undefined && distance < reach; at += by) {
    const output = around.lines[at]!;
    if (output.trim() === '') continue;
    const places = await placesOf(at, around);
    for (const place of by === -1 ? places.reverse() : places) found.push({ ...place, output, distance });
    if (found.length > 2) break;
    distance++;
  }
  return found;
}

/** Places near lines, those before and those behind them, the nearest first. */
export const anchorsAround = async (from: number, end: number, around: Surroundings) => ({
  before: await anchorsFrom(from - 1, -1, around),
  behind: await anchorsFrom(end, 1, around),
});

/** Lines that came: beside the lines from which their neighbours came. */
async function inserted({ at, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const before = await anchorsFrom(at - 1, -1, around);
  const behind = await anchorsFrom(at, 1, around);
  const sides = [
    ...before.map(anchor => ({ anchor, isBefore: false })),
    ...behind.map(anchor => ({ anchor, isBefore: true })),
  ].sort((a, b) => a.anchor.distance - b.anchor.distance);
  const found: Candidate[] = [];
  for (const { anchor, isBefore } of sides) {
    const lines = around.sourceLines(anchor.file)!;
    const source = clean(lines[anchor.at]!);
    // A member that has its line to itself gets neighbours with lines of their own.
    const members = /^\s*["'][^"']*["']\s*,?\s*$/.test(source)
      ? []
      : withMembers(source, anchor.output, added, isBefore);
    for (const line of members)
      found.push({ edits: [{ file: anchor.file, at: anchor.at, remove: 1, insert: [line] }] });
    for (const form of blankForms(added)) {
      for (const insert of framedLines(withoutComment(source).line, anchor.output, form)) {
        const edit = (place: number) => ({ edits: [{ file: anchor.file, at: place, remove: 0, insert }] });
        if (isBefore) found.push(edit(anchor.at));
        else {
          found.push(...behindBlanks(anchor, source, form), edit(anchor.at + 1));
          if (lines[anchor.at + 1]?.trim() === '') found.push(edit(anchor.at + 2));
        }
      }
    }
  }
  const { textsWith } = await import('./nodes.ts');
  const texts = sides.slice(0, 3).flatMap(({ anchor, isBefore }) => {
    const lines = around.sourceLines(anchor.file)!.map(clean);
    return blankForms(added).flatMap(form => textsWith({ ...anchor, isBefore }, form, lines));
  });
  return [...texts, ...found.slice(0, most)];
}

/** Blanks at the end of a text are written nowhere: where lines come behind them they would stand in the middle of it. */
function behindBlanks({ file, at, output }: Anchor, source: string, added: readonly string[]): Candidate[] {
  const bare = source.trimEnd();
  if (bare === source || output.trimEnd() !== output) return [];
  return framedLines(bare, output, added).map(lines => ({
    edits: [{ file, at, remove: 1, insert: [bare, ...lines] }],
  }));
}

/** So many ways are tried for lines that came. */
const most = 90;

/** Lines without the blank ones at their ends. */
export function blankEndsOff(lines: readonly string[]): string[] {
  const start = lines.findIndex(line => line.trim() !== '');
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(line => line.trim() !== '') + 1);
}

/** Lines with the blank lines at their ends that a source may have instead. */
function blankForms(lines: readonly string[]): string[][] {
  const words = blankEndsOff(lines);
  if (words.length === 0) return [[...lines]];
  const forms = [[...lines], words, ['', ...words], [...words, ''], ['', ...words, '']];
  const seen = new Set<string>();
  return forms.filter(form => !seen.has(form.join('\n')) && seen.add(form.join('\n')));
}

/** Lines that went: the lines that they came from, with or without the blank lines around those. */
async function deleted({ at, removed }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const places = await placesOfAll(at, removed, around);
  for (const file of new Set(places.map(place => place.file))) {
    const lines = around.sourceLines(file)!;
    const own = [...new Set(places.filter(place => place.file === file).map(place => place.at))].sort(
      (a, b) => a - b,
    );
    const [first, last] = [own[0]!, own.at(-1)!];
    // Behind the end of the last line there is none.
    const isBlank = (line: number) => line >= 0 && line < lines.length - 1 && lines[line]!.trim() === '';
    const range = (from: number, to: number) =>
      found.push({ edits: [{ file, at: from, remove: to - from + 1, insert: [] }] });
    if (own.length > 1 && own.at(-1)! - own[0]! >= own.length)
      found.push({ edits: own.map(line => ({ file, at: line, remove: 1, insert: [] })) });
    // Blank lines that went beside them in the file went in the source, too.
    if (removed.at(-1)!.trim() === '' && isBlank(last + 1)) range(first, last + 1);
    if (removed[0]!.trim() === '' && isBlank(first - 1)) range(first - 1, last);
    range(first, last);
    if (isBlank(last + 1)) range(first, last + 1);
    if (isBlank(first - 1)) range(first - 1, last);
    if (isBlank(first - 1) && isBlank(last + 1)) range(first - 1, last + 1);
  }
  for (const [index, output] of removed.entries()) {
    if (removed.length > 1 && index > 0) break;
    for (const place of await placesOf(at + index, around)) {
      const source = clean(around.sourceLines(place.file)![place.at]!);
      for (const line of [...withoutMember(source, output), ...withoutEachMember(source)])
        found.push({ edits: [{ file: place.file, at: place.at, remove: 1, insert: [line] }] });
    }
  }
  if (removed.every(line => line.trim() === '')) found.push(...(await withoutBlank(at, around)));
  else if (places.length > 0) {
    found.push(...acrossFiles(places));
    const { nodesAround } = await import('./nodes.ts');
    for (const node of nodesAround(places, around.sourceLines)) found.push({ edits: [node] });
  }
  return found;
}

/** Lines that went and came from several files: each from its own. */
function acrossFiles(places: readonly Place[]): Candidate[] {
  if (new Set(places.map(({ file }) => file)).size < 2) return [];
  const lines = new Map(
    places.map(({ file, at }) => [`${file}\n${at}`, { file, at, remove: 1, insert: [] }]),
  );
  return [{ edits: [...lines.values()] }];
}

async function placesOfAll(at: number, lines: readonly string[], around: Surroundings): Promise<Place[]> {
  const places: Place[] = [];
  for (const index of lines.keys()) places.push(...(await placesOf(at + index, around)));
  return places;
}

/** A blank line that went: the one beside the lines from which its neighbours came. */
async function withoutBlank(at: number, around: Surroundings): Promise<Candidate[]> {
  const anchors = [...(await anchorsFrom(at - 1, -1, around)), ...(await anchorsFrom(at, 1, around))];
  return anchors.flatMap(({ file, at: line }) =>
    [line + 1, line - 1]
      .filter(place => around.sourceLines(file)![place]?.trim() === '')
      .map(place => ({ edits: [{ file, at: place, remove: 1, insert: [] }] })),
  );
}

/** Lines with others in their place: as the line that the first of them came from stands there. */
async function rewritten({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const places = await placesOfAll(at, removed, around);
  const output = removed.find(line => line.trim() !== '');
  const first = places[0];
  if (!first || output === undefined) return [];
  const own = places.filter(({ file }) => file === first.file).map(place => place.at);
  const [from, to] = [Math.min(...own), Math.max(...own)];
  const { line, comment } = withoutComment(clean(around.sourceLines(first.file)![first.at]!));
  for (const form of blankForms(added)) {
    for (const lines of framedLines(line, output, form)) {
      const insert = comment === '' ? lines : [lines[0] + comment, ...lines.slice(1)];
      found.push({ edits: [{ file: first.file, at: from, remove: to - from + 1, insert }] });
    }
  }
  return found;
}
