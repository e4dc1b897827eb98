/** Lines that were edited: what stood at a place of a text, and what stands there now. */
export interface Hunk {
  /** Index of the first line, in the text before; where nothing was removed, of the line that follows. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What turns one text into the other, in order; hunks that touch are one. */
export async function hunksOf(before: readonly string[], after: readonly string[]): Promise<Hunk[]> {
  const { diffArrays } = await import('diff');
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

/** The text with one hunk carried out. */
export const withHunk = (lines: readonly string[], { at, removed, added }: Hunk): string[] => [
  ...lines.slice(0, at),
  ...added,
  ...lines.slice(at + removed.length),
];

/** What makes a hunk of a text the same one after others have been carried out: its words, and the line before them. */
export const hunkKey = (text: readonly string[], { at, removed, added }: Hunk): string =>
  JSON.stringify([text[at - 1] ?? null, removed, added]);

/**
 * A hunk as several that can come home one by one: lines that are alike are one that changed, the others came or
 * went. One that is as small as can be gives nothing.
 */
export function splitHunk({ at, removed, added }: Hunk): Hunk[] {
  if (removed.length + added.length <= 1 || (removed.length === 1 && added.length === 1)) return [];
  const pairs = alignLines(removed, added);
  if (pairs.length === 0) {
    if (removed.length === 0) return added.some(isHeading) ? sections(at, added) : eachLine(at, [], added);
    if (added.length === 0) return eachLine(at, removed, []);
    return [
      { at, removed, added: [] },
      { at: at + removed.length, removed: [], added },
    ];
  }
  const parts: Hunk[] = [];
  let [old, next] = [0, 0];
  const between = (toOld: number, toNext: number) => {
    if (toOld > old) parts.push({ at: at + old, removed: removed.slice(old, toOld), added: [] });
    if (toNext > next) parts.push({ at: at + toOld, removed: [], added: added.slice(next, toNext) });
  };
  for (const [one, other] of pairs) {
    between(one, other);
    if (removed[one] !== added[other])
      parts.push({ at: at + one, removed: [removed[one]!], added: [added[other]!] });
    [old, next] = [one + 1, other + 1];
  }
  between(removed.length, added.length);
  return parts.length > 1 ? parts : [];
}

const isHeading = (line: string): boolean => /^#{1,6} +\S/.test(line);

/** Lines that came with headings, one part from each to the next: what is said below one is not to stand without it. */
function sections(at: number, added: readonly string[]): Hunk[] {
  const starts = added.flatMap((line, index) => (index > 0 && isHeading(line) ? [index] : []));
  const ends = [...starts, added.length];
  return starts.length === 0
    ? []
    : [0, ...starts].map((start, index) => ({ at, removed: [], added: added.slice(start, ends[index]) }));
}

/** Lines that only came or only went, one by one. */
function eachLine(at: number, removed: readonly string[], added: readonly string[]): Hunk[] {
  const lines = removed.length > 0 ? removed : added;
  const parts: Hunk[] = [];
  for (let start = 0; start < lines.length; start++) {
    const part = lines.slice(start, start + 1);
    const place = removed.length > 0 ? at + start : at;
    parts.push({ at: place, removed: removed.length > 0 ? part : [], added: removed.length > 0 ? [] : part });
  }
  return parts;
}

/** Pairs of indexes of lines that are alike, in order in both. */
function alignLines(removed: readonly string[], added: readonly string[]): [number, number][] {
  const rows = removed.length + 1;
  const columns = added.length + 1;
  if (rows * columns > 40_000) return [];
  const best = Array.from({ length: rows }, () => new Float64Array(columns));
  for (let one = rows - 2; one >= 0; one--) {
    for (let other = columns - 2; other >= 0; other--) {
      const alike = likeness(removed[one]!, added[other]!);
      const paired = alike > 0.4 ? alike + best[one + 1]![other + 1]! : 0;
      best[one]![other] = Math.max(paired, best[one + 1]![other]!, best[one]![other + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  let [one, other] = [0, 0];
  while (one < rows - 1 && other < columns - 1) {
    const here = best[one]![other]!;
    if (here === best[one + 1]![other]!) one++;
    else if (here === best[one]![other + 1]!) other++;
    else pairs.push([one++, other++]);
  }
  return pairs;
}

/** How much of two lines is the same at their ends: 1 for equal ones. */
function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.trim() === '' || other.trim() === '') return 0;
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [a, b] = [words(one), new Set(words(other))];
  const shared = a.filter(word => b.has(word)).length;
  return (2 * shared) / Math.max(1, a.length + b.size);
}
