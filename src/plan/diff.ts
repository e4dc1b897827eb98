import { textOfFile } from '../text/bytes.ts';
import type { PlanEntry } from './plan.ts';

/** A group of changed lines with context; each line starts with a blank, `-`, `+` or `\`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** The difference between two contents of a file. */
export interface FileDiff {
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
}

const context = 3;

/** Beyond this number of edits, the whole text is shown as removed and added. */
const editLimit = 4000;

/** The change of one file in a plan, as unified hunks; a deleted file is shown as removed lines. */
export async function diffEntry(entry: PlanEntry, { full }: { readonly full: boolean }): Promise<FileDiff> {
  const { action, before: present, content, state } = entry;
  // A conflict and drift are kept as well, but show what would be written.
  if (action === 'keep' && state !== 'conflict' && state !== 'drifted') return { binary: false, hunks: [] };
  const old = present && !present.obstacle ? present.read() : new Uint8Array();
  const next = action === 'delete' ? new Uint8Array() : (content ?? old);
  const [before, after] = [textOfFile(old), textOfFile(next)];
  if (before === undefined || after === undefined) return { binary: true, hunks: [] };
  return { binary: false, hunks: await diffTexts(before, after, full) };
}

/** The differences between two texts, as unified hunks. */
export async function diffTexts(old: string, next: string, full: boolean): Promise<readonly Hunk[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: full ? Number.MAX_SAFE_INTEGER : context, maxEditLength: editLimit };
  const patch = structuredPatch('', '', old, next, undefined, undefined, options);
  if (patch) return patch.hunks;
  const [removed] = structuredPatch('', '', old, '').hunks;
  const [added] = structuredPatch('', '', '', next).hunks;
  const { oldLines = 0 } = removed ?? {};
  const { newLines = 0 } = added ?? {};
  const lines = [...(removed?.lines ?? []), ...(added?.lines ?? [])];
  return [{ oldStart: 1, oldLines, newStart: 1, newLines, lines }];
}

/** The first `limit` lines of a diff. The line numbers of a hunk that is cut are adapted. */
export function shortenHunks(
  hunks: readonly Hunk[],
  limit: number,
): { readonly hunks: readonly Hunk[]; readonly omitted: number } {
  const kept: Hunk[] = [];
  let room = limit;
  let omitted = 0;
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, room);
    omitted += hunk.lines.length - lines.length;
    room -= lines.length;
    if (lines.length === hunk.lines.length) kept.push(hunk);
    else if (lines.length > 0) {
      const count = (marks: string) => lines.filter(line => marks.includes(line[0]!)).length;
      kept.push({ ...hunk, oldLines: count(' -'), newLines: count(' +'), lines });
    }
  }
  return { hunks: kept, omitted };
}

/** The heading of a hunk. The first line of an empty side is 0, as patch programs expect. */
export function hunkHeading({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const side = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  return `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`;
}

/** The file names of both sides of a diff; `/dev/null` for a missing file. */
export function sideNames({ path, before, action }: PlanEntry): readonly [old: string, next: string] {
  const exists = before && !before.obstacle;
  return [exists ? `a/${path}` : '/dev/null', action === 'delete' ? '/dev/null' : `b/${path}`];
}

/** A diff in unified format; empty without hunks. */
export function unifiedPatch(entry: PlanEntry, hunks: readonly Hunk[]): string {
  if (hunks.length === 0) return '';
  const [old, next] = sideNames(entry);
  const lines = hunks.flatMap(hunk => [hunkHeading(hunk), ...hunk.lines]);
  return `${[`--- ${old}`, `+++ ${next}`, ...lines].join('\n')}\n`;
}
