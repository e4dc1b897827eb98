import { applyHunk, changesList } from './apply-hunk.ts';
import type { Decide } from './choose-place.ts';
import { isRead, readFields } from './data.ts';
import { type EditedFile, editsLeft, plannedText } from './edited-file.ts';
import { type Hunk, hunkKey, swapsIn, wholeHunk, withHunk } from './hunks.ts';
import { refusedMoves, sourceStructure } from './moves.ts';
import { editedLists } from './owned-values.ts';
import { contradictionReason, reasonFor, unknownReason } from './reasons.ts';
import { type AbsorbedHunk, appliedHunk, changedPlaces, type Run, refusedHunk } from './run.ts';
import { swappedSections } from './section-order.ts';
import { splitItem } from './split-item.ts';
import { swappedParts } from './swapped-parts.ts';
import { tryCandidate } from './try-candidate.ts';
import type { Trial, Workspace } from './workspace.ts';

const maxTurns = 400;
const maxSwaps = 4;

/**
 * Applies the edits of files to the sources in the workspace, one after the other; `base` of a file follows. Where edits
 * contradict each other, or only a part of a move was applied, all begins again without these edits, so that the order
 * of files does not decide. `isSplitting`: a file with other edits becomes a source of its own.
 */
export async function applyEdits(
  files: readonly EditedFile[],
  workspace: Workspace,
  start: Trial,
  decide: Decide,
  isSplitting: boolean,
): Promise<{ readonly hunks: readonly AbsorbedHunk[]; readonly trial: Trial }> {
  const bases = files.map(({ base }) => base);
  const begin = (): Run => ({ workspace, files, decide, trial: start, applied: [], failures: 0 });
  let run = begin();
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const isMoved = swapsIn(wholeHunk(file.base, file.disk)).length > 0;
    const structure = isMoved ? sourceStructure(run) : undefined;
    const isConsistent =
      (await applyFile(file, run)) !== 'contradiction' &&
      !(await refusedMoves(file, bases[at]!, structure, run));
    if (isConsistent) continue;
    workspace.reset();
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    run = begin();
    at = -1;
  }
  const refused: AbsorbedHunk[] = [];
  for (const file of files) {
    const left = await editsLeft(file);
    const kept = isSplitting && left.length > 0 ? await splitItem(file, run) : undefined;
    if (kept) {
      run.trial = kept.trial;
      await markApplied(file, changedPlaces({ edits: [], files: kept.candidate.files! }), run);
    } else for (const hunk of left) refused.push(refusedHunk(hunk, file.path, reasonFor(hunk, file)));
  }
  return { hunks: [...run.applied.map(({ key, ...hunk }) => hunk), ...refused], trial: run.trial };
}

/** Counts all edits of a file as applied. */
async function markApplied(file: EditedFile, to: AbsorbedHunk['to'], run: Run): Promise<void> {
  for (const hunk of await editsLeft(file)) run.applied.push(appliedHunk(hunk, file, to));
  file.base = [...file.disk];
}

async function applyFile(file: EditedFile, run: Run): Promise<'contradiction' | undefined> {
  const refuse = (hunk: Hunk, reason: string) => {
    const key = hunkKey(file.base, hunk);
    if (!file.refused.has(key)) file.refused.set(key, { hunk, reason, retry: true });
  };
  let known = run.applied.length;
  const isMoved = swapsIn(wholeHunk(file.base, file.disk)).length > 0;
  if (isMoved && (await applySwap(file, run))) return undefined;
  const element = file.shared ? await applyElement(file, run) : undefined;
  if (element === 'applied') return undefined;
  let parts: readonly Hunk[] = [];
  for (let turn = 0; turn < maxTurns; turn++) {
    const isOpen = (hunk: Hunk) => !file.refused.has(hunkKey(file.base, hunk));
    const [first, ...others] = parts;
    const hunk = first ?? (await editsLeft(file)).find(isOpen);
    if (!hunk) {
      if (run.applied.length === known || !reopen(file, run)) return undefined;
      known = run.applied.length;
      continue;
    }
    if (first) parts = others;
    if (!isOpen(hunk)) continue;
    // The plan has our element next to the edited one: a part of that difference is no edit.
    if (element && (await changesList(hunk, element.lists, file))) {
      refuse(hunk, element.reason);
      continue;
    }
    const outcome = await applyHunk(hunk, file, run, isMoved);
    if ('to' in outcome) {
      run.applied.push(appliedHunk(hunk, file, outcome.to));
      file.base = withHunk(file.base, hunk);
      // One value that stands in several places was edited in all of them.
      if (plannedText(run.trial.entries.get(file.path)) === file.disk.join('\n')) {
        await markApplied(file, [], run);
        return undefined;
      }
      const by = hunk.added.length - hunk.removed.length;
      const end = hunk.at + hunk.removed.length;
      parts = parts.map(part => (part.at >= end ? { ...part, at: part.at + by } : part));
    } else if ('parts' in outcome) {
      refuse(hunk, unknownReason);
      parts = [...outcome.parts, ...parts];
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

/** Lets refused edits be tried again that have lines in common with applied ones: a list has a member once. */
function reopen({ path, refused }: EditedFile, { applied }: Run): boolean {
  const linesOf = ({ added, removed }: Hunk) =>
    [...added, ...removed].map(line => line.trim()).filter(Boolean);
  const lines = new Set(applied.filter(one => one.file === path).flatMap(linesOf));
  const open = [...refused].filter(
    ([, { hunk, retry }]) => retry && linesOf(hunk).some(line => lines.has(line)),
  );
  for (const [key] of open) refused.delete(key);
  return open.length > 0;
}

/** Applies an edit that only moved a part of a file, by moving the part of the sources. */
async function applySwap(file: EditedFile, run: Run): Promise<boolean> {
  const { workspace, trial } = run;
  const hunk = wholeHunk(file.base, file.disk);
  if (plannedText(trial.entries.get(file.path)) !== file.base.join('\n')) return false;
  const around = await workspace.surroundingsOf(file.path, file.base, trial.compiled.sources, hunk);
  const project = await workspace.project();
  const candidates = swapsIn(hunk)
    .slice(0, maxSwaps)
    .flatMap(swap => [
      ...swappedParts(swap, around),
      ...(project ? swappedSections(swap, around, project) : []),
    ]);
  const wanted = file.disk.join('\n');
  const attempt = { hunk, file, wanted, before: trial, output: undefined, isStrict: false };
  for (const candidate of candidates) {
    const tried = await tryCandidate(candidate, attempt, workspace);
    if (!tried || !('undo' in tried)) continue;
    run.trial = tried.trial;
    await markApplied(file, changedPlaces(candidate), run);
    return true;
  }
  return false;
}

/**
 * Applies all edits of a user's file as one, where an element of ours in a list, or a line of ours, was edited. Else the
 * lists with such elements, and why these edits are refused.
 */
async function applyElement(
  file: EditedFile,
  run: Run,
): Promise<
  'applied' | { readonly lists: readonly (readonly string[])[]; readonly reason: string } | undefined
> {
  const fields = await readFields(file, file.disk);
  const output = await run.workspace.outputOf(file.path);
  const lists = isRead(fields) && file.format !== 'lines' ? editedLists(output, fields.data) : [];
  if (!file.linesBefore && lists.length === 0) return undefined;
  const whole = wholeHunk(file.base, file.disk);
  const outcome = file.refused.get(hunkKey(file.base, whole)) ?? (await applyHunk(whole, file, run, true));
  if ('to' in outcome) {
    run.applied.push(appliedHunk(whole, file, outcome.to));
    file.base = [...file.disk];
    return 'applied';
  }
  const reason = 'reason' in outcome ? outcome.reason : unknownReason;
  return lists.length === 0 ? undefined : { lists, reason };
}
