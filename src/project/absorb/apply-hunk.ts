import { type EditedFile, locateHunk, plannedLines } from './edited-file.ts';
import { fieldCandidates } from './field-candidates.ts';
import { type FieldsOfEdit, fieldReason, isRead, readEdit, readFields, unreadableReason } from './fields.ts';
import { type AbsorbedHunk, type Hunk, splitHunk, withHunk } from './hunks.ts';
import { addedParts, changedTitle } from './new-parts.ts';
import { isInUsersList } from './owned-values.ts';
import { placeReason, type Refusal, usersListReason } from './reasons.ts';
import {
  aboveGeneratedSection,
  isAlreadyAbove,
  removedItems,
  textCandidates,
  unique,
} from './text-candidates.ts';
import { type CandidateContext, choosePlace, type Decide, tryCandidate } from './try-candidate.ts';
import type { Candidate, EditContext, Workspace } from './workspace.ts';

/** An applied hunk, with its key for another attempt. */
export type Applied = AbsorbedHunk & { readonly key: string };

/** The state of a run. */
export interface Run {
  readonly workspace: Workspace;
  readonly files: readonly EditedFile[];
  readonly decide: Decide;
  readonly applied: Applied[];
  /** How many candidates were tried since one was applied. */
  failures: number;
}

/** The result for a hunk: `parts` are to be tried one by one, `other` is an applied hunk that contradicts it. */
type Outcome =
  | Pick<AbsorbedHunk, 'to' | 'isRelocated'>
  | { readonly reason: string }
  | { readonly parts: readonly Hunk[] }
  | { readonly other: Applied };

/** After this number of failures, only the most likely candidates of a hunk are tried, to limit the time. */
const maxFailures = 150;
const mostCandidates = 12;

/** Applies the first candidate that produces the text of a hunk. */
export async function applyHunk(hunk: Hunk, file: EditedFile, run: Run): Promise<Outcome> {
  const { workspace } = run;
  const { trial } = workspace;
  const entry = trial.entries.get(file.path);
  const planned = plannedLines(entry);
  if (!planned) return { reason: 'the sources give no such file any more' };
  const at = locateHunk(hunk, file.base, planned);
  if (at === 'applied') return { to: [] };
  if (at === 'changed') {
    const other = run.applied.find(one => one.file !== file.path && isAboutSame(one, hunk));
    return other ? { other } : { reason: 'the sources say something else here since it was generated' };
  }
  const here: Hunk = { ...hunk, at };
  const edit = await readEdit(here, file, planned);
  const broken = unreadableReason(edit);
  if (broken !== undefined) return { reason: broken };
  const around = await workspace.surroundingsOf(file.path, planned);
  const { output } = around;
  if (isInUsersList(edit, output)) return { reason: usersListReason(here, around) };
  const fields = fieldCandidates(edit, entry!.targets, around);
  const candidates = unique([
    ...textCandidates(here, around),
    ...changedTitle(here, around),
    ...removedItems(here, around),
    ...addedParts(here, around),
    ...fields,
  ]);
  const expected = edit.edited.join('\n');
  const isStrict = fields.length > 0;
  const attempt: CandidateContext = { hunk: here, file, expected, onDisk: edit.onDisk, output, isStrict };
  const tried = await tryCandidates(candidates, fields, attempt, run);
  if (!Array.isArray(tried)) return tried;
  const relocated = file.format ? undefined : await relocate(attempt, planned, around, run);
  if (relocated) return relocated;
  const parts = splitHunk(hunk);
  const [first] = parts;
  if (first && (await isReadable(file, edit, { ...first, at: at + first.at - hunk.at }))) return { parts };
  const [refusal] = tried.sort((a, b) => b.rank - a.rank);
  return { reason: refusal?.reason ?? fieldReason(edit) ?? placeReason(here, around) };
}

/** Tries candidates in order; returns the reasons when none was applied. */
async function tryCandidates(
  candidates: readonly Candidate[],
  fields: readonly Candidate[],
  attempt: CandidateContext,
  run: Run,
): Promise<Extract<Outcome, { to: unknown } | { reason: unknown }> | Refusal[]> {
  const { workspace } = run;
  const refusals: Refusal[] = [];
  const most = run.failures > maxFailures ? mostCandidates : candidates.length;
  for (const candidate of candidates.slice(0, most)) {
    run.failures++;
    const tried = await tryCandidate(candidate, attempt, workspace);
    if (tried && 'undo' in tried) {
      const chosen = await choosePlace(tried, candidates, attempt, workspace, run.decide);
      if (typeof chosen === 'string') return { reason: chosen };
      workspace.trial = chosen.trial;
      run.failures = 0;
      return { to: chosen.to };
    }
    // Only candidates that change fields are expected to give valid sources.
    if (tried && (tried.rank > 1 || fields.includes(candidate))) refusals.push(tried);
  }
  return refusals;
}

/** Applies lines that were added below a generated section to the text above it. */
async function relocate(
  attempt: CandidateContext,
  planned: readonly string[],
  around: EditContext,
  run: Run,
): Promise<Outcome | undefined> {
  for (const hunk of aboveGeneratedSection(attempt.hunk, around)) {
    if (isAlreadyAbove(hunk, around)) return { to: [], isRelocated: true };
    const candidates = unique([...textCandidates(hunk, around), ...addedParts(hunk, around)]);
    const expected = withHunk(planned, hunk).join('\n');
    const tried = await tryCandidates(candidates, [], { ...attempt, hunk, expected }, run);
    if (!Array.isArray(tried)) return 'to' in tried ? { ...tried, isRelocated: true } : tried;
  }
  return undefined;
}

/** Whether a structured file is still valid with only this part of an edit. */
async function isReadable(file: EditedFile, { lines, before }: FieldsOfEdit, part: Hunk): Promise<boolean> {
  const after = await readFields(file, withHunk(lines, part));
  return !after || isRead(after) || (before !== undefined && !isRead(before));
}

/** Whether two hunks of different files change the same words. */
function isAboutSame(one: Hunk, other: Hunk): boolean {
  const words = (line: string) => (line.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  const own = new Set(one.removed.map(words).filter(Boolean));
  return other.removed.some(line => own.has(words(line)));
}
