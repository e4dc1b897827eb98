import { type EditedFile, locateHunk, plannedLines, plannedText, remainingEdits } from './edited-file.ts';
import { fieldCandidates } from './field-candidates.ts';
import {
  type FieldsOfEdit,
  fieldReason,
  isInUsersList,
  isRead,
  readEdit,
  readFields,
  unreadableReason,
} from './fields.ts';
import { type AbsorbedHunk, type Hunk, hunkKey, resultOf, splitHunk, withHunk } from './hunks.ts';
import { addedParts, changedTitle } from './new-parts.ts';
import { isPrs, nodesOf } from './prs-source.ts';
import {
  contradictionReason,
  flattenedReason,
  halfMovedReason,
  placeReason,
  type Refusal,
  reasonFor,
  unknownReason,
  usersListReason,
} from './reasons.ts';
import {
  aboveGeneratedSection,
  isAlreadyAbove,
  removedItems,
  textCandidates,
  unique,
} from './text-candidates.ts';
import { type CandidateContext, choosePlace, type Decide, tryCandidate } from './try-candidate.ts';
import { splitItem } from './whole-files.ts';
import type { Candidate, EditContext, Workspace } from './workspace.ts';

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

/** An applied hunk, with its key for another attempt. */
type Applied = AbsorbedHunk & { readonly key: string };

/** The state of a run. */
interface Run {
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
async function applyHunk(hunk: Hunk, file: EditedFile, run: Run): Promise<Outcome> {
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
