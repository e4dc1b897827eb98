import { isMarkdownPath } from '../../text/places.ts';
import { placesOf, type Surroundings } from './candidates.ts';
import { headingWords } from './headings.ts';
import type { Hunk } from './hunks.ts';
import { nodesAround } from './nodes.ts';
import { transferEdit } from './transfer.ts';
import type { Candidate, SourceEdit } from './trial.ts';

interface Place {
  readonly file: string;
  readonly at: number;
}

/** How a line begins that adds to another source, or stands in its place. */
const addition = /^\s*@(?:extend|override)\s/;

/** Ways to change or take away what several sources say: lists have a member once, and sections are named by others. */
export async function changedEverywhere(hunk: Hunk, around: Surroundings): Promise<Candidate[]> {
  const { at, removed, added } = hunk;
  if (removed.length === 1 && added.length === 1) {
    const isUnderlined = /^(?:=+|-+)\s*$/.test(around.lines[at + 1] ?? '');
    const [old, title] = [removed[0]!, added[0]!].map(line => titleOf(line, isUnderlined));
    return old !== undefined && title !== undefined
      ? renamedEverywhere(hunk, old, title, around)
      : saidEverywhere(hunk, around);
  }
  if (added.some(line => line.trim() !== '')) return [];
  return goneEverywhere(at, removed, around);
}

/** The title that a line is, as paths name it. */
const titleOf = (line: string, isUnderlined: boolean): string | undefined =>
  isUnderlined ? line.trim() || undefined : headingWords(line)?.replace(/\s+#+$/, '');

/** Words without marks of lists, quotes and commas around them. */
const wordsOf = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^["']|["'],?$|,$/g, '');

/** A line changed in all places that have the same words. */
async function saidEverywhere({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const [before, after] = [removed[0]!, added[0]!];
  const places = await placesWith(at, before, around);
  const edits = places.flatMap(({ file, at: line }): SourceEdit[] => {
    const [text] = transferEdit(around.sourceLines(file)![line]!, before, after);
    return text === undefined ? [] : [{ file, at: line, remove: 1, insert: [text] }];
  });
  return edits.length > 1 ? [{ edits }] : [];
}

/** Where a line comes from, and where else its words are a line of a source. */
async function placesWith(at: number, line: string, around: Surroundings): Promise<Place[]> {
  const words = wordsOf(line);
  const found = new Map<string, Place>();
  for (const place of await placesOf(at, around)) found.set(`${place.file}\n${place.at}`, place);
  if (words.length > 2)
    for (const file of around.sources)
      for (const [index, source] of (around.sourceLines(file) ?? []).entries())
        if (wordsOf(source) === words) found.set(`${file}\n${index}`, { file, at: index });
  return [...found.values()];
}

/** A heading of a Markdown source with the paths in other sources that name it. */
async function renamedEverywhere(
  { at, removed, added }: Hunk,
  old: string,
  title: string,
  around: Surroundings,
): Promise<Candidate[]> {
  const own = (await placesOf(at, around)).find(({ file }) => isMarkdownPath(file));
  if (!own) return [];
  const [heading] = transferEdit(around.sourceLines(own.file)![own.at]!, removed[0]!, added[0]!);
  if (heading === undefined) return [];
  const [name, next] = [old, title].map(words => `.${JSON.stringify(words)}`) as [string, string];
  const edits: SourceEdit[] = [{ file: own.file, at: own.at, remove: 1, insert: [heading] }];
  for (const file of around.sources)
    for (const [index, line] of (around.sourceLines(file) ?? []).entries())
      if (addition.test(line) && line.includes(name))
        edits.push({ file, at: index, remove: 1, insert: [line.replace(name, next)] });
  return edits.length > 1 ? [{ edits }] : [];
}

/** Lines of Markdown sources, with what other sources add to them. */
async function goneEverywhere(
  at: number,
  removed: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const lines = new Map<string, Set<number>>();
  for (const [index, line] of removed.entries())
    for (const place of line.trim() === '' ? [] : await placesWith(at + index, line, around))
      lines.set(place.file, (lines.get(place.file) ?? new Set()).add(place.at));
  if (lines.size < 2) return [];
  // A part that is nothing but what went goes with the name that it adds to.
  return [false, true].flatMap(isWhole => {
    const edits = [...lines].map(([file, own]) =>
      withoutLines(file, own, around.sourceLines(file)!, isWhole),
    );
    return edits.every(edit => edit !== undefined) ? [{ edits }] : [];
  });
}

/** A source without some of its lines, or `isWhole` without what adds them to another one. */
function withoutLines(
  file: string,
  own: ReadonlySet<number>,
  source: readonly string[],
  isWhole: boolean,
): SourceEdit | undefined {
  const [from, to] = [Math.min(...own), Math.max(...own)];
  if (isMarkdownPath(file)) {
    const end = own.size > 1 && source[to + 1]?.trim() === '' ? to + 1 : to;
    return { file, at: from, remove: end - from + 1, insert: [] };
  }
  const isAll = ({ at: start, remove }: SourceEdit) => from >= start && to < start + remove;
  const isAddition = ({ at: start }: SourceEdit) => addition.test(source[start] ?? '');
  const nodes = nodesAround([{ file, at: from }], () => source).filter(isAll);
  return isWhole ? nodes.find(isAddition) : nodes[0];
}
