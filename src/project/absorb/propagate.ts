import { isMarkdownPath } from '../../text/places.ts';
import { type Hunk, isBlank } from './hunks.ts';
import { placesOf } from './line-candidates.ts';
import { removedParts } from './prs-source.ts';
import { headingWords, transferChange } from './text-change.ts';
import type { Candidate, Place, SourceEdit, Surroundings } from './workspace.ts';

type Line = Pick<Place, 'file' | 'at'>;

/** The first line of a declaration that adds to another source or overrides it. */
const isAddition = (line: string | undefined) => /^\s*@(?:extend|override)\s/.test(line ?? '');

/** The candidates that make an edit in all sources with the same words: lists have a member once, paths name headings. */
export function propagated(hunk: Hunk, around: Surroundings): Candidate[] {
  const { at, removed, added } = hunk;
  if (removed.length !== 1 || added.length !== 1)
    return added.every(isBlank) ? deletedEverywhere(at, removed, around) : [];
  const [before, after] = [removed[0]!, added[0]!];
  const isUnderlined = /^(?:=+|-+)\s*$/.test(around.lines[at + 1] ?? '');
  const titleOf = (line: string) =>
    isUnderlined ? line.trim() || undefined : headingWords(line)?.replace(/\s+#+$/, '');
  const [old, title] = [titleOf(before), titleOf(after)];
  const lines =
    old !== undefined && title !== undefined
      ? renamedHeading(at, [before, after], [old, title], around)
      : linesWith(at, before, around).flatMap(({ file, at: line }): SourceEdit[] => {
          const [text] = transferChange(around.sourceLines(file)![line]!, before, after);
          return text === undefined ? [] : [{ file, at: line, remove: 1, insert: [text] }];
        });
  return lines.length > 1 ? [{ edits: lines }] : [];
}

/** A text without list marks, quotes and commas around it. */
const bareWords = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^["']|["'],?$|,$/g, '');

const allLines = ({ sources, sourceLines }: Surroundings) =>
  sources.flatMap(file => (sourceLines(file) ?? []).map((text, at) => ({ file, at, text })));

/** The source lines that a line came from, and all others with the same words. */
function linesWith(at: number, line: string, around: Surroundings): Line[] {
  const words = bareWords(line);
  const same = words.length > 2 ? allLines(around).filter(({ text }) => bareWords(text) === words) : [];
  const all = [...placesOf(at, around), ...same];
  return [...new Map(all.map(({ file, at: place }) => [`${file}\n${place}`, { file, at: place }])).values()];
}

/** A heading of a Markdown source, and the paths in other sources that name it. */
function renamedHeading(
  at: number,
  [before, after]: readonly [string, string],
  titles: readonly [string, string],
  around: Surroundings,
): SourceEdit[] {
  const own = placesOf(at, around).find(({ file }) => isMarkdownPath(file));
  const heading = own && transferChange(around.sourceLines(own.file)![own.at]!, before, after)[0];
  if (heading === undefined) return [];
  const [name, next] = titles.map(words => `.${JSON.stringify(words)}`) as [string, string];
  const paths = allLines(around).filter(({ text }) => isAddition(text) && text.includes(name));
  return [
    { file: own!.file, at: own!.at, remove: 1, insert: [heading] },
    ...paths.map(({ file, at: line, text }) => ({
      file,
      at: line,
      remove: 1,
      insert: [text.replace(name, next)],
    })),
  ];
}

/** Lines of Markdown sources, with what other sources add to them. */
function deletedEverywhere(at: number, removed: readonly string[], around: Surroundings): Candidate[] {
  const lines = new Map<string, number[]>();
  for (const [index, line] of removed.entries())
    for (const place of isBlank(line) ? [] : linesWith(at + index, line, around))
      lines.set(place.file, [...(lines.get(place.file) ?? []), place.at]);
  if (lines.size < 2) return [];
  // An addition that has nothing but the deleted lines is deleted as a whole.
  return [false, true].flatMap(isWhole => {
    const edits = [...lines].map(([file, own]) =>
      withoutLines(file, own, around.sourceLines(file)!, isWhole),
    );
    return edits.every(edit => edit !== undefined) ? [{ edits }] : [];
  });
}

function withoutLines(
  file: string,
  own: readonly number[],
  source: readonly string[],
  isWhole: boolean,
): SourceEdit | undefined {
  const [from, to] = [Math.min(...own), Math.max(...own)];
  if (isMarkdownPath(file)) {
    const end = to > from && source[to + 1]?.trim() === '' ? to + 1 : to;
    return { file, at: from, remove: end - from + 1, insert: [] };
  }
  const parts = removedParts({ file, at: from }, source)
    .flatMap(({ edits }) => edits)
    .filter(({ at: start, remove }) => from >= start && to < start + remove);
  return isWhole ? parts.find(({ at: start }) => isAddition(source[start])) : parts[0];
}

/** A deleted section that is an item of a file with several: the Markdown sources that all of it came from. */
export function deletedItems({ at, removed, added }: Hunk, around: Surroundings): Candidate[] {
  const gone = removed.flatMap((line, index) => (isBlank(line) ? [] : [at + index]));
  if (gone.length < 2 || !/^#{1,6} /.test(around.lines[gone[0]!]!) || !added.every(isBlank)) return [];
  const files = [...new Set(gone.flatMap(line => placesOf(line, around)).map(({ file }) => file))];
  const isItem = (file: string) => isMarkdownPath(file) && !file.endsWith('/SKILL.md');
  return files.length > 0 && files.every(isItem)
    ? [{ edits: [], files: files.map(file => ({ file, text: undefined })) }]
    : [];
}
