import { diffArrays } from 'diff';

/** Lines of a text that were replaced. */
export interface Hunk {
  /** Index of the first line in the old text; for a pure addition, the index of the following line. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A line of a source, from 1. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** An edit of a generated file, and whether the sources have it now. */
export interface AbsorbedHunk extends Hunk {
  readonly file: string;
  /** From 1, in the file as it was generated. */
  readonly line: number;
  readonly state: 'absorbed' | 'refused';
  /** The source lines that changed; none where another file had the same edit. */
  readonly to: readonly SourceLine[];
  /** The next compile writes the lines at another place of the file: above a generated section. */
  readonly isRelocated?: boolean | undefined;
  readonly reason?: string;
}

/** An edit with its outcome: the source lines that changed, or the reason why none did. */
export const resultOf = (
  hunk: Hunk,
  file: string,
  outcome: Pick<AbsorbedHunk, 'to' | 'isRelocated'> | Required<Pick<AbsorbedHunk, 'reason'>>,
): AbsorbedHunk => ({
  ...hunk,
  file,
  line: hunk.at + 1,
  state: 'to' in outcome ? 'absorbed' : 'refused',
  to: [],
  ...outcome,
});

/** The hunks that change one text into the other, in order; adjacent hunks are joined. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const found: { at: number; removed: string[]; added: string[] }[] = [];
  let at = 0;
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = found.at(-1);
    const hunk = last && last.at + last.removed.length === at ? last : { at, removed: [], added: [] };
    if (hunk !== last) found.push(hunk);
    (added ? hunk.added : hunk.removed).push(...value);
    if (removed) at += value.length;
  }
  return found;
}

export const withHunk = (lines: readonly string[], { at, removed, added }: Hunk): string[] => [
  ...lines.slice(0, at),
  ...added,
  ...lines.slice(at + removed.length),
];

/** The key of a hunk, which stays the same after other hunks were applied: its lines and the line before them. */
export const hunkKey = (text: readonly string[], { at, removed, added }: Hunk): string =>
  JSON.stringify([text[at - 1] ?? null, removed, added]);

export const isBlank = (line: string): boolean => line.trim() === '';

/** Lines without the blank lines at both ends. */
export function trimBlankLines(lines: readonly string[]): string[] {
  const start = lines.findIndex(line => !isBlank(line));
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(line => !isBlank(line)) + 1);
}

/** The number of common items at the start of two sequences, and at the end of what follows. */
export function sharedEnds(one: ArrayLike<string>, other: ArrayLike<string>) {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  return { head, tail };
}

/** Splits a hunk: similar lines are changes, others are additions or removals. Empty for a minimal hunk. */
export function splitHunk({ at, removed, added }: Hunk): Hunk[] {
  if (Math.max(removed.length, added.length) <= 1) return [];
  if (added.length === 0)
    return removed.map((line, index) => ({ at: at + index, removed: [line], added: [] }));
  if (removed.length === 0) {
    const sections = sectionsOf(added);
    return sections.length > 1 ? sections.map(lines => ({ at, removed: [], added: lines })) : [];
  }
  const parts: Hunk[] = [];
  let [old, next] = [0, 0];
  for (const part of diffArrays([...removed], [...added], { comparator: isSimilar })) {
    const before = removed.slice(old, part.added ? old : old + part.count);
    const after = added.slice(next, part.removed ? next : next + part.count);
    if (part.added || part.removed) parts.push({ at: at + old, removed: before, added: after });
    else
      for (const [index, line] of before.entries())
        if (line !== after[index])
          parts.push({ at: at + old + index, removed: [line], added: [after[index]!] });
    old += before.length;
    next += after.length;
  }
  return parts.length > 1 ? parts : [];
}

/** Added lines by section, because text below a heading must not be separated from it; otherwise line by line. */
function sectionsOf(added: readonly string[]): string[][] {
  const isHeading = (line: string) => /^#{1,6} +\S/.test(line);
  if (!added.some(isHeading)) return added.map(line => [line]);
  const sections: string[][] = [[]];
  for (const line of added) {
    if (isHeading(line) && sections.at(-1)!.length > 0) sections.push([]);
    sections.at(-1)!.push(line);
  }
  return sections;
}

/** Whether two lines have so many words in common that one is a change of the other. */
function isSimilar(one: string, other: string): boolean {
  if (one === other) return true;
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [a, b] = [words(one), new Set(words(other))];
  return (2 * a.filter(word => b.has(word)).length) / Math.max(1, a.length + b.size) > 0.4;
}
