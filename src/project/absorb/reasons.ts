import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { collectionOf } from '../../model/collections.ts';
import { parseNodePath } from '../../resolve/path.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Explained } from '../explain/explain.ts';
import type { EditedFile, Refused } from './edited-file.ts';
import { type Hunk, hunkKey, isBlank } from './hunks.ts';
import { placesOf } from './line-candidates.ts';
import type { Surroundings } from './workspace.ts';

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
  'it was moved, and the sources could have it there only as text, without the fields and parameters that it is made of';

/** The reason of an edit that was refused: its own, or that of a part of it or of the other half of a move. */
export function reasonFor(hunk: Hunk, { refused, base }: EditedFile): string {
  const own = refused.get(hunkKey(base, hunk));
  const lines = new Set([...hunk.removed, ...hunk.added]);
  const all = [...refused.values()];
  const parts = all.filter(one => [...one.hunk.removed, ...one.hunk.added].every(line => lines.has(line)));
  const isTelling = ({ reason }: Refused) => reason !== unknownReason && reason !== halfMovedReason;
  const telling = [own, ...parts].find(one => one && isTelling(one));
  if (telling) return telling.reason;
  const meets = (some: readonly string[], others: readonly string[]) =>
    some.some(line => !isBlank(line) && others.includes(line));
  const other = all.find(
    one => isTelling(one) && (meets(hunk.removed, one.hunk.added) || meets(hunk.added, one.hunk.removed)),
  );
  if (other) return `it was moved, and the other half of the move was refused: ${other.reason}`;
  return own?.reason ?? parts[0]?.reason ?? unknownReason;
}

/** The reason of an edit that contradicts an edit of another file. */
export const contradictionReason = (
  { file, line, added }: { readonly file: string; readonly line: number; readonly added: readonly string[] },
  { added: own }: Pick<Hunk, 'added'>,
): string => {
  const said = (lines: readonly string[]) => JSON.stringify(lines.join(' ').trim());
  return `it says ${said(own)} where ${file}:${line} says ${said(added)}`;
};

/** Why no candidate fits, as far as the place tells. */
export function placeReason(hunk: Hunk, around: Surroundings): string {
  const { at, removed } = hunk;
  const lines = removed.length > 0 ? removed.map((_, index) => at + index) : [at - 1, at];
  for (const line of lines) {
    const origins = around.originsOf(line);
    const remote = origins.find(({ registry }) => registry !== undefined);
    if (remote)
      return `it comes from ${remote.registry}, which is not part of this project: write \`@override ${remote.path} { … }\`, or \`@extend\` to add to it`;
    if (removed.length === 0 || placesOf(line, around).length > 0) continue;
    const layout = origins.find(({ file }) => file === undefined);
    if (layout) return `its words are those of ${layout.path}, not of the sources`;
  }
  return (
    (removed.length === 0 ? insertionReason(hunk, around) : removalReason(hunk, around)) ?? unknownReason
  );
}

const headingLevel = (line: string | undefined): number =>
  /^#{1,6}(?= +\S)/.exec(line ?? '')?.[0].length ?? 0;

/** The nearest line with text from a place on. */
function nearestText(at: number, by: 1 | -1, { lines }: Surroundings): number | undefined {
  let place = at;
  while (lines[place] !== undefined && isBlank(lines[place]!)) place += by;
  return lines[place] === undefined ? undefined : place;
}

/** Why added lines have no place: the lines around them are made of names, fields or items, and are no text. */
function insertionReason({ at, added }: Hunk, around: Surroundings): string | undefined {
  const [before, after] = [nearestText(at - 1, -1, around), nearestText(at, 1, around)];
  const level = headingLevel(added.find(line => !isBlank(line)));
  const [madeBefore, madeAfter] = [madeOf(before, around), madeOf(after, around)];
  const isSection =
    level > 0 && (after === undefined || (madeAfter && (headingLevel(around.lines[after]) || 9) <= level));
  if (isSection) return 'the layout has no place for a section here: it has an order of sections of its own';
  const made = madeBefore ?? madeAfter;
  return made && `the layout has no place for a text here: the lines around it are made of \`${made}\``;
}

/** What a line is made of that could not have another line of text beside it. */
function madeOf(at: number | undefined, around: Surroundings): string | undefined {
  if (at === undefined) return undefined;
  const origins = around.originsOf(at);
  const own = origins.find(({ file }) => file !== undefined);
  if (!own) return origins.find(({ operation }) => operation === 'layout')?.path;
  const [block, , ...rest] = parseNodePath(own.path) ?? [];
  const isField = rest.length > 0 && typeof block === 'string' && collectionOf(block) !== undefined;
  const isText = own.path.endsWith('.content') || (own.path.endsWith(']') && !isField);
  return isText && !isLabelled(around.lines[at]!, own, around) ? undefined : own.path;
}

/** Whether a line begins with a name that the layout puts before a value. */
function isLabelled(line: string, { file, line: at }: Explained, { sourceLines }: Surroundings): boolean {
  const label = /^\s*[-*+] (?:\*\*)?([^:*]+?)(?:\*\*)?:/.exec(line)?.[1];
  return label !== undefined && !(sourceLines(file!)?.[(at ?? 1) - 1] ?? '').includes(label);
}

/** Why lines cannot be removed or replaced. */
function removalReason({ at, removed, added }: Hunk, around: Surroundings): string | undefined {
  for (const [index, line] of removed.entries()) {
    if (isBlank(line)) continue;
    const [place] = placesOf(at + index, around);
    const [origin] = around.originsOf(at + index);
    const source = place && around.sourceLines(place.file)?.[place.at]?.slice(place.column);
    const isName = isMarkdownPath(place?.file ?? '')
      ? parseNodePath(origin?.path ?? '')?.length === 2
      : /^(?:@?[\w-]+|"[^"]*"|'[^']*')\s*(?:[:{?]|$)/.test(source ?? '');
    if (origin && isName) return `it is what the layout makes of the name \`${origin.path}\``;
  }
  if (!added.every(isBlank)) return undefined;
  const [before, after] = [nearestText(at - 1, -1, around), nearestText(at + removed.length, 1, around)];
  const [above, below] = [headingLevel(around.lines[before ?? -1]), headingLevel(around.lines[after ?? -1])];
  return above > 0 && (after === undefined || (below > 0 && below <= above))
    ? `the heading ${JSON.stringify(around.lines[before!]!)} would have no text below it, and the layout writes none without`
    : undefined;
}
