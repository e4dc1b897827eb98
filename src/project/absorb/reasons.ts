import { collectionOf } from '../../model/collections.ts';
import { parseNodePath } from '../../resolve/path.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Explained } from '../explain/explain.ts';
import { placesOf, type Surroundings } from './candidates.ts';
import type { Edited, Refused } from './edited.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import type { AbsorbedHunk } from './work.ts';

/** Why an edit stays for which nothing better is known. */
export const noPlace = 'no change of the sources that was tried gives exactly this text';
/** Why lines stay that were taken from one place to another. */
export const halfMoved = 'it was moved, and only one half of the move has a place in the sources';

/** Why lines stay that were taken from one place to another, and that fields and parameters of the sources are made into. */
export const takenApart =
  'it was moved, and the sources could only have its text there, without the fields and parameters that it is made of';

/** A message as a part of a reason, which ends with a full stop of its own. */
export const withoutStop = (message: string): string => message.replace(/\.$/, '');

/** Why a hunk stays: what was said about it, or about the part of it that came first. */
export function reasonFor(hunk: Hunk, { refused, base }: Edited): string {
  const own = refused.get(hunkKey(base, hunk));
  const lines = new Set([...hunk.removed, ...hunk.added]);
  const all = [...refused.values()];
  const parts = all.filter(one => [...one.hunk.removed, ...one.hunk.added].every(line => lines.has(line)));
  const saysWhy = ({ reason }: Refused) => reason !== noPlace && reason !== halfMoved;
  const why = [own, ...parts].find(one => one && saysWhy(one));
  if (why) return why.reason;
  const other = all.find(one => saysWhy(one) && isOtherHalf(hunk, one.hunk));
  if (other) return `it was moved, and the other half of the move stays: ${other.reason}`;
  return own?.reason ?? parts[0]?.reason ?? noPlace;
}

/** Whether what went with one hunk came with the other. */
function isOtherHalf(one: Hunk, other: Hunk): boolean {
  const meets = (some: readonly string[], others: readonly string[]) =>
    some.some(line => line.trim() !== '' && others.includes(line));
  return meets(one.removed, other.added) || meets(one.added, other.removed);
}

const said = (lines: readonly string[]) => JSON.stringify(lines.join(' ').trim());

/** Why an edit stays that says something else than the same place of another file. */
export const contradicts = (
  other: Pick<AbsorbedHunk, 'file' | 'line' | 'added'>,
  { added }: Pick<Hunk, 'added'>,
): string => `it says ${said(added)} where ${other.file}:${other.line} says ${said(other.added)}`;

/** Why an edit stays that would take these words out of the sources beside its own. */
export const losing = (words: readonly string[]): string =>
  `the sources would lose more with it than the edit takes away (${JSON.stringify(words.slice(0, 6).join(' '))}); to take an item out of the sources, delete its own file and run \`prs absorb\` with its name`;

/** Why an edit stays by which these words would stand twice in other files. */
export const repeating = (words: readonly string[]): string =>
  `other files would say ${JSON.stringify(words.slice(0, 6).join(' '))} twice with it: the source has one value for what was edited in one place only`;

/** Why none of the ways was right, as far as the place tells. */
export async function reasonOf(hunk: Hunk, around: Surroundings): Promise<string> {
  const { at, removed } = hunk;
  const lines = removed.length > 0 ? removed.map((_, index) => at + index) : [at - 1, at];
  for (const line of lines) {
    const origins = await around.originsOf(line);
    const remote = origins.find(({ registry }) => registry !== undefined);
    if (remote)
      return `it comes from ${remote.registry}, which is not of this project: write \`@override ${remote.path} { … }\`, or \`@extend\` to add to it`;
    if (removed.length === 0 || (await placesOf(line, around)).length > 0) continue;
    const layout = origins.find(({ file }) => file === undefined);
    if (layout) return `its words are those of ${layout.path}, not of the sources`;
  }
  return (
    (removed.length === 0 ? await whyNotBetween(hunk, around) : await whyNotWithout(hunk, around)) ?? noPlace
  );
}

const headingOf = (line: string | undefined): number => /^#{1,6}(?= +\S)/.exec(line ?? '')?.[0].length ?? 0;

/** The nearest line with words before or behind a place. */
function beside(at: number, by: 1 | -1, { lines }: Surroundings): number | undefined {
  let place = at;
  while (lines[place] !== undefined && lines[place]!.trim() === '') place += by;
  return lines[place] === undefined ? undefined : place;
}

/** What lines are of a form that the layout gives to names, fields and items: no text that could have another line. */
async function formOf(at: number | undefined, around: Surroundings): Promise<string | undefined> {
  if (at === undefined) return undefined;
  const origins = await around.originsOf(at);
  const layout = origins.find(({ operation }) => operation === 'layout');
  const own = origins.find(({ file }) => file !== undefined);
  if (!own) return layout?.path;
  const [block, , ...rest] = parseNodePath(own.path) ?? [];
  const isField = rest.length > 0 && typeof block === 'string' && collectionOf(block) !== undefined;
  const isText = own.path.endsWith('.content') || (own.path.endsWith(']') && !isField);
  return isText && !isLabelled(around.lines[at]!, own, around) ? undefined : own.path;
}

const isItemName = (path: string): boolean => (parseNodePath(path)?.length ?? 0) === 2;

/** Whether a line begins with a name that the layout puts before a value. */
function isLabelled(line: string, { file, line: at }: Explained, { sourceLines }: Surroundings): boolean {
  const label = /^\s*[-*+] (?:\*\*)?([^:*]+?)(?:\*\*)?:/.exec(line)?.[1];
  return label !== undefined && !(sourceLines(file!)?.[(at ?? 1) - 1] ?? '').includes(label);
}

/** Why lines that came have no place where they stand. */
async function whyNotBetween({ at, added }: Hunk, around: Surroundings): Promise<string | undefined> {
  const [before, behind] = [beside(at - 1, -1, around), beside(at, 1, around)];
  const first = added.find(line => line.trim() !== '');
  const forms = [await formOf(before, around), await formOf(behind, around)];
  if (headingOf(first) > 0) {
    const level = headingOf(first);
    const isSection = behind === undefined || (headingOf(around.lines[behind]) || 9) <= level;
    if (isSection && (forms[1] !== undefined || behind === undefined))
      return `the layout has no place for a section here: it puts sections in an order of its own`;
  }
  const form = forms[0] ?? forms[1];
  return form === undefined
    ? undefined
    : `the layout has no place for a text here: it stands beside what is made of \`${form}\``;
}

/** Why lines cannot be without those that went, or with others in their place. */
async function whyNotWithout(
  { at, removed, added }: Hunk,
  around: Surroundings,
): Promise<string | undefined> {
  for (const index of removed.keys()) {
    if (removed[index]!.trim() === '') continue;
    const [place] = await placesOf(at + index, around);
    const [origin] = await around.originsOf(at + index);
    const source = place && around.sourceLines(place.file)?.[place.at]?.slice(place.column);
    const isName = isMarkdownPath(place?.file ?? '')
      ? isItemName(origin?.path ?? '')
      : /^(?:@?[\w-]+|"[^"]*"|'[^']*')\s*(?:[:{?]|$)/.test(source ?? '');
    if (origin && isName) return `it is what the layout makes of the name \`${origin.path}\``;
  }
  if (added.some(line => line.trim() !== '')) return undefined;
  const [before, behind] = [beside(at - 1, -1, around), beside(at + removed.length, 1, around)];
  const [above, below] = [headingOf(around.lines[before ?? -1]), headingOf(around.lines[behind ?? -1])];
  const isEmpty = above > 0 && (behind === undefined || (below > 0 && below <= above));
  return isEmpty
    ? `the heading ${JSON.stringify(around.lines[before!]!)} would have no text below it, and the layout writes none without`
    : undefined;
}
