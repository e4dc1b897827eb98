import { applyHunk, type Run } from './apply-hunk.ts';
import { type EditedFile, plannedText, remainingEdits } from './edited-file.ts';
import { type AbsorbedHunk, type Hunk, hunkKey, resultOf, withHunk } from './hunks.ts';
import { isPrs, nodesOf } from './prs-source.ts';
import {
  contradictionReason,
  flattenedReason,
  halfMovedReason,
  reasonFor,
  unknownReason,
} from './reasons.ts';
import type { Decide } from './try-candidate.ts';
import { splitItem } from './whole-files.ts';
import type { Workspace } from './workspace.ts';

/**
 * Applies the edits of files to the sources in the workspace, one by one, and updates `base` of each file. If edits
 * contradict each other, or only a part of a move was applied, it starts again without these edits, so that the order
 * of files does not matter. `isSplitting`: a file with other edits becomes a source of its own.
 */
export async function applyEdits(
  files: readonly EditedFile[],
  workspace: Workspace,
  decide: Decide,
  isSplitting: boolean,
): Promise<AbsorbedHunk[]> {
  const start = workspace.trial;
  const bases = files.map(({ base }) => base);
  const begin = (): Run => ({ workspace, files, decide, applied: [], failures: 0 });
  let run = begin();
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const move = await findMove(file, run);
    const isConsistent =
      (await applyFile(file, run)) !== 'contradiction' && !(await refuseMoves(file, move, run));
    if (isConsistent) continue;
    workspace.reset();
    workspace.trial = start;
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    run = begin();
    at = -1;
  }
  const refused: AbsorbedHunk[] = [];
  for (const file of files) {
    const left = await remainingEdits(file);
    const to = isSplitting && left.length > 0 ? await splitItem(file, workspace) : undefined;
    if (to) await markApplied(file, to, run);
    else for (const hunk of left) refused.push(resultOf(hunk, file.path, { reason: reasonFor(hunk, file) }));
  }
  return [...run.applied.map(({ key, ...hunk }) => hunk), ...refused];
}

/** Marks all edits of a file as applied. */
async function markApplied(file: EditedFile, to: AbsorbedHunk['to'], run: Run): Promise<void> {
  for (const hunk of await remainingEdits(file)) addApplied(hunk, file, { to }, run);
  file.base = [...file.disk];
}

const addApplied = (
  hunk: Hunk,
  { path, base }: EditedFile,
  outcome: Pick<AbsorbedHunk, 'to' | 'isRelocated'>,
  { applied }: Run,
) => applied.push({ ...resultOf(hunk, path, outcome), key: hunkKey(base, hunk) });

async function applyFile(file: EditedFile, run: Run): Promise<'contradiction' | undefined> {
  const refuse = (hunk: Hunk, reason: string) => {
    const key = hunkKey(file.base, hunk);
    if (!file.refused.has(key)) file.refused.set(key, { hunk, reason });
  };
  // Removals come first: a moved member must not be in a list twice.
  const hunks = await remainingEdits(file);
  const isRemoval = ({ added }: Hunk) => added.length === 0;
  let queue = [...hunks.filter(isRemoval), ...hunks.filter(hunk => !isRemoval(hunk))];
  for (let hunk = queue.shift(); hunk; hunk = queue.shift()) {
    if (file.refused.has(hunkKey(file.base, hunk))) continue;
    const outcome = await applyHunk(hunk, file, run);
    if ('to' in outcome) {
      addApplied(hunk, file, outcome, run);
      file.base = withHunk(file.base, hunk);
      // A value that occurs in several places was edited in all of them.
      if (plannedText(run.workspace.trial.entries.get(file.path)) === file.disk.join('\n')) {
        await markApplied(file, [], run);
        return undefined;
      }
      const by = hunk.added.length - hunk.removed.length;
      const end = hunk.at + hunk.removed.length;
      queue = queue.map(one => (one.at >= end ? { ...one, at: one.at + by } : one));
    } else if ('parts' in outcome) {
      refuse(hunk, unknownReason);
      queue.unshift(...outcome.parts);
    } else if ('other' in outcome) {
      const { other } = outcome;
      refuse(hunk, contradictionReason(other, hunk));
      const reason = contradictionReason({ ...hunk, file: file.path, line: hunk.at + 1 }, other);
      run.files.find(({ path }) => path === other.file)!.refused.set(other.key, { hunk: other, reason });
      return 'contradiction';
    } else refuse(hunk, outcome.reason);
  }
  return undefined;
}

/** Lines that one hunk removes and another one adds, and the sources before the move. */
interface Move {
  readonly lines: readonly string[];
  readonly hunks: readonly (readonly [string, Hunk])[];
  readonly before: readonly number[];
}

const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);

/** The move in an edited file; `undefined` when nothing moves. */
async function findMove(file: EditedFile, { workspace }: Run): Promise<Move | undefined> {
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
async function refuseMoves(file: EditedFile, move: Move | undefined, run: Run): Promise<boolean> {
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
