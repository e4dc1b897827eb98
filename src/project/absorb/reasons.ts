import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import type { EditedFile, Refused } from './edited-file.ts';
import { type Hunk, hunkKey, isBlank } from './hunks.ts';
import { aboveGeneratedSection } from './text-candidates.ts';
import { headingWords } from './text-change.ts';
import type { EditContext } from './workspace.ts';

/** Why a candidate was not applied; of several reasons the one with the highest rank is reported. */
export interface Refusal {
  readonly reason: string;
  readonly rank: number;
}

export const conflictingReason: Refusal = {
  reason: 'its source gives other lines of this file, too, which say something else',
  rank: 4,
};

const quote = (words: readonly string[]) => JSON.stringify(words.slice(0, 6).join(' '));

export const lossReason = (words: readonly string[]): Refusal => ({
  reason: `the sources would lose more with it than the edit removes (${quote(words)}); to remove an item from the sources, delete its own file and run \`prs absorb\` with its name`,
  rank: 3,
});

export const repetitionReason = (words: readonly string[]): Refusal => ({
  reason: `other files would say ${quote(words)} twice with it: the source has one value for what was edited in one place only`,
  rank: 2,
});

/** A message without its full stop, as a part of a reason. */
export const withoutStop = (message: string): string => message.replace(/\.$/, '');

export const invalidReason = ({ message }: Diagnostic): Refusal => ({
  reason: `the changed sources would be wrong: ${withoutStop(message)}`,
  rank: 1,
});

export const unknownReason = 'no change of the sources that was tried gives exactly this text';
export const halfMovedReason = 'it was moved, and only one half of the move has a place in the sources';
export const flattenedReason =
  'it was moved, and the sources could have it there only as text, without the fields, comments and parameters that it is made of';

/** The reason of an edit that was refused: its own, or that of a part of it or of the other half of a move. */
export function reasonFor(hunk: Hunk, { refused, base }: EditedFile): string {
  const own = refused.get(hunkKey(base, hunk));
  const linesOf = ({ removed, added }: Hunk) => [...removed, ...added].filter(line => !isBlank(line));
  const lines = new Set(linesOf(hunk));
  const parts = [...refused.values()].filter(one => linesOf(one.hunk).some(line => lines.has(line)));
  const isTelling = ({ reason }: Refused) => reason !== unknownReason && reason !== halfMovedReason;
  const telling = [own, ...parts].find(one => one && isTelling(one));
  return (telling ?? own ?? parts[0])?.reason ?? unknownReason;
}

/** The reason of an edit that contradicts an edit of another file. */
export const contradictionReason = (
  { file, line, added }: { readonly file: string; readonly line: number; readonly added: readonly string[] },
  { added: own }: Pick<Hunk, 'added'>,
): string => {
  const said = (lines: readonly string[]) => JSON.stringify(lines.join(' ').trim());
  return `it says ${said(own)} where ${file}:${line} says ${said(added)}`;
};

const headingAdvice = '; under a heading of their own (`## …`) the lines have a place at the end of the file';

/** Why no candidate fits: what the place is made of, and where that can be edited. */
export function placeReason(hunk: Hunk, around: EditContext): string {
  const { at, removed, added } = hunk;
  const isAdded = removed.every(isBlank);
  const lines = isAdded
    ? [nearestText(at - 1, -1, around), nearestText(at + removed.length, 1, around)]
    : removed.map((_, index) => at + index);
  const origins = lines.flatMap(line => (line === undefined ? [] : around.originsOf(line)));
  const remote = origins.find(({ registry }) => registry !== undefined);
  if (remote)
    return `it comes from ${remote.registry}, which is not part of this project: write \`@override ${remote.path} { … }\`, or \`@extend\` to add to it`;
  const layout = origins.find(({ file }) => file === undefined);
  if (layout && !isAdded) {
    const option = /^output\.heading$|: heading$/.test(layout.path)
      ? ': set `output.heading` in instr.yaml'
      : '';
    return `its words are those of ${layout.path}, not of the sources${option}`;
  }
  const own = origins.find(({ file }) => file !== undefined);
  if (!own) return unknownReason;
  const subject = isAdded ? 'the lines around it are' : 'it is';
  const hasHeading = added.some(line => headingWords(line) !== undefined);
  const heading =
    isAdded && !hasHeading && aboveGeneratedSection(hunk, around).length > 0 ? headingAdvice : '';
  const isSection = [...removed, ...added].some(line => /^## /.test(line));
  const order = isSection ? '; `output.sectionOrder` in instr.yaml sets the order of sections' : '';
  return `${unknownReason}: ${subject} laid out from \`${own.path}\`, which can be edited in ${own.file}:${own.line}${order}${heading}`;
}

/** Why an edit of an element of ours in a list of the user stays. */
export function usersListReason({ at, removed }: Hunk, around: EditContext): string {
  const origins = removed.flatMap((_, index) => around.originsOf(at + index));
  const own = origins.find(({ file, registry }) => file !== undefined && registry === undefined);
  const place = own ? `: edit \`${own.path}\` in ${own.file}:${own.line} instead` : '';
  return `an edit of a generated part of a list in your own file looks like a new part of yours${place}`;
}

/** The nearest line with text from a place on. */
function nearestText(at: number, by: 1 | -1, { lines }: EditContext): number | undefined {
  let place = at;
  while (lines[place] !== undefined && isBlank(lines[place]!)) place += by;
  return lines[place] === undefined ? undefined : place;
}
