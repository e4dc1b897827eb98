import type { PlanEntry } from './plan.ts';

/** A run of lines that differ, with lines of context; each line starts with a blank, `-`, `+` or `\`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export interface FileDiff {
  readonly path: string;
  /** Not text: only its size and hash can be compared. */
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
  /** Lines of the difference that were left out. */
  readonly omitted: number;
}

export interface DiffOptions {
  /** The whole file as context, however long it is. */
  readonly full: boolean;
}

const context = 3;
const lineLimit = 200;

/** Two texts that differ in more places are shown as one that goes and one that comes. */
const editLimit = 4000;

/**
 * What a plan would change in one file, as unified hunks. A file that stays has none; one that goes is shown as
 * removed lines.
 */
export async function diffEntry(entry: PlanEntry, { full }: DiffOptions): Promise<FileDiff> {
  const old = entry.before && !entry.before.obstacle ? entry.before.read() : new Uint8Array();
  const next =
    entry.state === 'removed' && entry.action !== 'write' ? new Uint8Array() : (entry.content ?? old);
  const keeps = entry.state === 'removed' && entry.action === 'keep';
  if (keeps || (entry.action === 'keep' && (entry.state === 'unchanged' || entry.state === 'adopted'))) {
    return { path: entry.path, binary: false, hunks: [], omitted: 0 };
  }
  if (isBinary(old) || isBinary(next)) return { path: entry.path, binary: true, hunks: [], omitted: 0 };
  const decoder = new TextDecoder();
  const hunks = await unified(decoder.decode(old), decoder.decode(next), full);
  return { path: entry.path, binary: false, ...(full ? { hunks, omitted: 0 } : shorten(hunks)) };
}

async function unified(old: string, next: string, full: boolean): Promise<Hunk[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: full ? Number.MAX_SAFE_INTEGER : context, maxEditLength: editLimit };
  const patch = structuredPatch('', '', old, next, undefined, undefined, options);
  if (patch)
    return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      oldStart,
      oldLines,
      newStart,
      newLines,
      lines,
    }));
  const before = linesOf(old);
  const after = linesOf(next);
  const lines = [...before.map(line => `-${line}`), ...after.map(line => `+${line}`)];
  return [{ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines }];
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

/** Bytes that no text has, or that are not UTF-8. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

/** The first lines of a difference. A hunk that is cut says in its numbers how much of it is left. */
function shorten(hunks: readonly Hunk[]): { hunks: Hunk[]; omitted: number } {
  const kept: Hunk[] = [];
  let room = lineLimit;
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
