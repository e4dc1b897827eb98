import { type EditedFile, remainingEdits } from './edited-file.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import { isPrs, nodesOf } from './prs-source.ts';
import { flattenedReason, halfMovedReason } from './reasons.ts';
import type { Run } from './run.ts';
import type { Workspace } from './workspace.ts';

/** Lines that one hunk removes and another one adds, and the sources before the move. */
interface Move {
  readonly lines: readonly string[];
  readonly hunks: readonly (readonly [string, Hunk])[];
  readonly before: readonly number[];
}

const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);

/** The move in an edited file; `undefined` when nothing moves. */
export async function findMove(file: EditedFile, { workspace }: Run): Promise<Move | undefined> {
  const hunks = await remainingEdits(file);
  const added = new Set(hunks.flatMap(hunk => wordsOf(hunk.added)));
  const lines = hunks.flatMap(hunk => wordsOf(hunk.removed)).filter(line => added.has(line));
  if (lines.length === 0) return undefined;
  const keyed = hunks.map(hunk => [hunkKey(file.base, hunk), hunk] as const);
  return { lines, before: sizesOf(workspace), hunks: keyed };
}

const structured = new Set(['field', 'array', 'object', 'string']);

/** The number of comments and parameters of the sources, and of values that are not plain text. */
function sizesOf({ trial, textOf }: Workspace): number[] {
  const sources = trial.compiled.sources.map(name => ({ name, text: textOf(name) ?? '' }));
  const all = sources.map(({ text }) => text).join('\n');
  const nodes = sources.filter(isPrs).flatMap(source => nodesOf(source));
  const values = nodes.filter(({ kind }) => structured.has(kind));
  return [all.split('#').length, all.split('{{').length, values.length];
}

/** Refuses applied edits that are a wrong move; returns whether there are any. */
export async function refuseMoves(file: EditedFile, move: Move | undefined, run: Run): Promise<boolean> {
  const applied = run.applied.filter(one => one.file === file.path);
  if (!move || applied.length === 0) return false;
  const halves = halfMoves(await remainingEdits(file), applied);
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason: halfMovedReason });
  if (halves.length > 0) return true;
  // A move must keep all comments, parameters and values; a list item may move to another list.
  const isList = move.lines.every(line => /^(?:[-*+]|\d+\.) /.test(line));
  const now = sizesOf(run.workspace).slice(0, isList ? 2 : 3);
  if (now.every((size, at) => size >= move.before[at]!)) return false;
  for (const [key, hunk] of move.hunks) file.refused.set(key, { hunk, reason: flattenedReason });
  return true;
}

/** Applied edits that share a line with a refused edit: the sources would have that line twice, or not at all. */
function halfMoves<T extends Hunk>(left: readonly Hunk[], applied: readonly T[]): T[] {
  const came = new Set(left.flatMap(({ added }) => wordsOf(added)));
  const went = new Set(left.flatMap(({ removed }) => wordsOf(removed)));
  return applied.filter(({ removed, added }) => {
    const [gone, come] = [wordsOf(removed), wordsOf(added)];
    return (
      gone.some(line => came.has(line) && !come.includes(line)) ||
      come.some(line => went.has(line) && !gone.includes(line))
    );
  });
}
