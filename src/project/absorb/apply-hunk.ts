import type { OutputFile } from '../../kinds/output.ts';
import { addedParts } from './added-parts.ts';
import { choosePlace } from './choose-place.ts';
import { changesOf, isRead, readFields } from './data.ts';
import { brokenReason, type FieldsOfEdit, fieldReason, readEdit } from './edit-fields.ts';
import { type EditedFile, locateHunk, plannedLines } from './edited-file.ts';
import { fieldCandidates } from './entry-candidates.ts';
import { type Hunk, splitHunk, withHunk } from './hunks.ts';
import { lineCandidates, unique } from './line-candidates.ts';
import { editedLines } from './owned-lines.ts';
import { editedLists } from './owned-values.ts';
import { deletedItems, propagated } from './propagate.ts';
import { placeReason, type Refusal } from './reasons.ts';
import { type AbsorbedHunk, type Applied, changedPlaces, type Run } from './run.ts';
import { insertedSection } from './section-order.ts';
import { changedTitle } from './titles.ts';
import { type Attempt, tryCandidate } from './try-candidate.ts';
import type { Candidate, Surroundings } from './workspace.ts';

/** What became of a hunk: `parts` are to be tried one by one, `other` is an applied hunk that contradicts it. */
type Outcome =
  | { readonly to: AbsorbedHunk['to'] }
  | { readonly reason: string }
  | { readonly parts: readonly Hunk[] }
  | { readonly other: Applied };

/** After so many failures a hunk gets only its likeliest candidates, so that no edit takes minutes. */
const maxFailures = 150;
const likeliest = 12;

/** Applies the first candidate for a hunk that gives its text. `isWhole`: the hunk must not be split. */
export async function applyHunk(hunk: Hunk, file: EditedFile, run: Run, isWhole = false): Promise<Outcome> {
  const { workspace, trial } = run;
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
  const broken = brokenReason(edit);
  if (broken !== undefined) return { reason: broken };
  const output = await workspace.outputOf(file.path);
  const around = await workspace.surroundingsOf(file.path, planned, trial.compiled.sources, here);
  const fields = fieldCandidates(edit, entry!.targets, around, output);
  const isElement = isRead(edit.onDisk) && editedLists(output, edit.onDisk.data).length > 0;
  const candidates = isElement
    ? fields
    : [...(await textCandidates(here, file, output, around, run)), ...fields];
  const wanted = edit.edited.join('\n');
  const attempt: Attempt = { hunk: here, file, wanted, before: trial, output, isStrict: fields.length > 0 };
  const refusals: Refusal[] = [];
  const most = run.failures > maxFailures ? likeliest : candidates.length;
  for (const candidate of candidates.slice(0, most)) {
    run.failures++;
    const tried = await tryCandidate(candidate, attempt, workspace);
    if (tried && 'undo' in tried) {
      const chosen = await choosePlace(tried, candidates, attempt, workspace, run.decide);
      if (typeof chosen === 'string') return { reason: chosen };
      run.trial = chosen.trial;
      run.failures = 0;
      return { to: changedPlaces(chosen.candidate) };
    }
    // Only a change of fields is meant to give valid sources.
    if (tried && (tried.rank > 1 || fields.includes(candidate))) refusals.push(tried);
  }
  const parts = isElement || isWhole ? [] : splitHunk(hunk);
  const [first] = parts;
  if (first && (await isReadable(file, edit, { ...first, at: at + first.at - hunk.at }))) return { parts };
  const [refusal] = refusals.sort((a, b) => b.rank - a.rank);
  return { reason: refusal?.reason ?? fieldReason(edit) ?? placeReason(here, around) };
}

/** The candidates that change texts, the likeliest first. */
async function textCandidates(
  hunk: Hunk,
  file: EditedFile,
  output: OutputFile | undefined,
  around: Surroundings,
  { workspace }: Run,
): Promise<Candidate[]> {
  const project = await workspace.project();
  return [
    ...ownLineCandidates(file, output, around),
    ...unique([...lineCandidates(hunk, around), ...propagated(hunk, around)]),
    ...changedTitle(hunk, around, project),
    ...deletedItems(hunk, around),
    ...addedParts(hunk, around),
    ...(project ? insertedSection(hunk, around, project) : []),
  ];
}

/** Edited lines of a line-based file of the user: the plan has ours next to them again, so that the hunk does not tell. */
function ownLineCandidates(
  file: EditedFile,
  output: OutputFile | undefined,
  around: Surroundings,
): Candidate[] {
  const lines = file.linesBefore ? editedLines(output, file.disk, file.linesBefore) : [];
  const first = lines.map(([line, next]) => {
    const at = around.lines.findIndex(one => one.trim() === line);
    return lineCandidates({ at, removed: [line], added: [next] }, around)[0];
  });
  return first.every(one => one !== undefined)
    ? unique([{ edits: first.flatMap(({ edits }) => edits) }])
    : [];
}

/** Whether a hunk changes one of some lists, or leaves a file that cannot be read. */
export async function changesList(
  hunk: Hunk,
  lists: readonly (readonly string[])[],
  file: EditedFile,
): Promise<boolean> {
  const before = await readFields(file, file.base);
  const after = await readFields(file, withHunk(file.base, hunk));
  if (!isRead(before) || !isRead(after)) return true;
  return changesOf(before.data, after.data).some(({ path }) =>
    lists.some(list => list.every((key, at) => at >= path.length || String(path[at]) === key)),
  );
}

/** Whether a file of data is still valid with a part of an edit alone. */
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
