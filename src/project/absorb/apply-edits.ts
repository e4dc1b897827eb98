import { applyHunk } from './apply-hunk.ts';
import { type EditedFile, plannedText, remainingEdits } from './edited-file.ts';
import { type Hunk, hunkKey, withHunk } from './hunks.ts';
import { findMove, refuseMoves } from './moves.ts';
import { contradictionReason, reasonFor, unknownReason } from './reasons.ts';
import { type AbsorbedHunk, type Run, resultOf } from './run.ts';
import { splitItem } from './split-item.ts';
import type { Decide } from './try-candidate.ts';
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
