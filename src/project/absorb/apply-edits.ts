import { type EditedFile, locateHunk, plannedLines, plannedText, remainingEdits } from './edited-file.ts';
import { fieldCandidates } from './field-candidates.ts';
import {
  type FieldsOfEdit,
  isInUsersList,
  isRead,
  readEdit,
  readFields,
  unreadableReason,
} from './fields.ts';
import { type AbsorbedHunk, type Hunk, hunkKey, isBlank, resultOf, splitHunk, withHunk } from './hunks.ts';
import { addedParts, changedTitle } from './new-parts.ts';
import { isPrs, nodesOf } from './prs-source.ts';
import {
  aboveGeneratedSection,
  isAlreadyAbove,
  removedItems,
  textCandidates,
  unique,
} from './text-candidates.ts';
import { headingWords } from './text-change.ts';
import {
  type CandidateContext,
  choosePlace,
  type Decide,
  type Refusal,
  tryCandidate,
} from './try-candidate.ts';
import type { Candidate, EditContext, Workspace } from './workspace.ts';

const unknownReason = 'no change of the sources that was tried gives exactly this text';
const halfMovedReason = 'it was moved, and only one half of the move has a place in the sources';
const flattenedReason =
  'it was moved, and the sources could have it there only as text, without the fields, comments and parameters that it is made of';

/**
 * Applies the edits of files to the sources in the workspace, one by one, and updates `base` of each file. If edits
 * contradict each other, or only a part of a move was applied, it starts again without these edits, so that the order
 * of files does not matter.
 */
export async function applyEdits(
  files: readonly EditedFile[],
  workspace: Workspace,
  decide: Decide,
): Promise<AbsorbedHunk[]> {
  const start = workspace.trial;
  const bases = files.map(({ base }) => base);
  const begin = (): Run => ({ workspace, files, decide, applied: [], failures: 0 });
  let run = begin();
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const moves = await movesOf(file, workspace);
    if ((await applyFile(file, run)) && !(moves && (await refuseWrongMoves(moves, file, run)))) continue;
    workspace.reset();
    workspace.trial = start;
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    run = begin();
    at = -1;
  }
  const refused: AbsorbedHunk[] = [];
  for (const file of files) {
    for (const hunk of await remainingEdits(file))
      refused.push(resultOf(hunk, file.path, { reason: reasonFor(hunk, file) }));
  }
  return [...run.applied.map(({ key, ...hunk }) => hunk), ...refused];
}

const addApplied = (
  hunk: Hunk,
  { path, base }: EditedFile,
  outcome: Pick<AbsorbedHunk, 'to' | 'isRelocated'>,
  { applied }: Run,
) => applied.push({ ...resultOf(hunk, path, outcome), key: hunkKey(base, hunk) });

/** Applies the edits of a file; returns `false` for an edit that contradicts another file. */
async function applyFile(file: EditedFile, run: Run): Promise<boolean> {
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
        for (const rest of await remainingEdits(file)) addApplied(rest, file, { to: [] }, run);
        file.base = [...file.disk];
        return true;
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
      return false;
    } else refuse(hunk, outcome.reason);
  }
  return true;
}

const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);

const structured = new Set(['field', 'array', 'object', 'string']);

/** The number of comments and parameters of the sources, and of values that are not plain text. */
function sizesOf({ trial, textOf }: Workspace): number[] {
  const sources = trial.compiled.sources.map(name => ({ name, text: textOf(name) ?? '' }));
  const all = sources.map(({ text }) => text).join('\n');
  const nodes = sources.filter(isPrs).flatMap(source => nodesOf(source));
  const values = nodes.filter(({ kind }) => structured.has(kind));
  return [all.split('#').length, all.split('{{').length, values.length];
}

/** The edits of a file that move lines, and what a move must keep. */
interface Moves {
  readonly hunks: readonly (Hunk & { readonly key: string })[];
  readonly sizes: readonly number[];
}

/** The edits of a file, if one of them removes a line that another one adds. */
async function movesOf(file: EditedFile, workspace: Workspace): Promise<Moves | undefined> {
  const hunks = await remainingEdits(file);
  const added = new Set(hunks.flatMap(hunk => wordsOf(hunk.added)));
  const moved = hunks.flatMap(hunk => wordsOf(hunk.removed)).filter(line => added.has(line));
  if (moved.length === 0) return undefined;
  // A move must keep all comments, parameters and values; a list item may move to another list.
  const isList = moved.every(line => /^(?:[-*+]|\d+\.) /.test(line));
  return {
    hunks: hunks.map(hunk => ({ ...hunk, key: hunkKey(file.base, hunk) })),
    sizes: sizesOf(workspace).slice(0, isList ? 2 : 3),
  };
}

/** Refuses applied edits of a file that are only half a move, or that lost something; returns whether there are any. */
async function refuseWrongMoves({ hunks, sizes }: Moves, file: EditedFile, run: Run): Promise<boolean> {
  const applied = run.applied.filter(one => one.file === file.path);
  if (applied.length === 0) return false;
  const halves = halfMoves(await remainingEdits(file), applied);
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason: halfMovedReason });
  if (halves.length > 0) return true;
  const after = sizesOf(run.workspace);
  if (sizes.every((size, at) => after[at]! >= size)) return false;
  for (const hunk of hunks) file.refused.set(hunk.key, { hunk, reason: flattenedReason });
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
  return { reason: refusal?.reason ?? placeReason(here, around) };
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

/** The reason of an edit that was refused: its own, or that of a part of it or of the other half of a move. */
function reasonFor(hunk: Hunk, { refused, base }: EditedFile): string {
  const own = refused.get(hunkKey(base, hunk));
  const linesOf = ({ removed, added }: Hunk) => [...removed, ...added].filter(line => !isBlank(line));
  const lines = new Set(linesOf(hunk));
  const parts = [...refused.values()].filter(one => linesOf(one.hunk).some(line => lines.has(line)));
  const isTelling = ({ reason }: { readonly reason: string }) =>
    reason !== unknownReason && reason !== halfMovedReason;
  const telling = [own, ...parts].find(one => one && isTelling(one));
  return (telling ?? own ?? parts[0])?.reason ?? unknownReason;
}

/** The reason of an edit that contradicts an edit of another file. */
const contradictionReason = (
  { file, line, added }: { readonly file: string; readonly line: number; readonly added: readonly string[] },
  { added: own }: Pick<Hunk, 'added'>,
): string => {
  const quote = (lines: readonly string[]) => JSON.stringify(lines.join(' ').trim());
  return `it says ${quote(own)} where ${file}:${line} says ${quote(added)}`;
};

const headingAdvice = '; under a heading of their own (`## …`) the lines have a place at the end of the file';

/** Why no candidate fits: what the place is made of, and where that can be edited. */
function placeReason(hunk: Hunk, around: EditContext): string {
  const { at, removed, added } = hunk;
  const isAdded = removed.every(isBlank);
  const lines = isAdded
    ? [nearestText(at - 1, -1, around), nearestText(at + removed.length, 1, around)]
    : removed.map((_, index) => at + index);
  const origins = lines.flatMap(line => (line === undefined ? [] : around.originsOf(line)));
  const remote = origins.find(({ registry }) => registry !== undefined);
  if (remote)
    return `it comes from ${remote.registry}, which is not part of this project: write \`@override ${remote.path} { … }\`, or \`@extend\` to add to it`;
  const layout = origins.find(({ file }) => file === undefined);
  if (layout && !isAdded) {
    const option = /^output\.heading$|: heading$/.test(layout.path)
      ? ': set `output.heading` in instr.yaml'
      : '';
    return `its words are those of ${layout.path}, not of the sources${option}`;
  }
  const own = origins.find(({ file }) => file !== undefined);
  if (!own) return unknownReason;
  const subject = isAdded ? 'the lines around it are' : 'it is';
  const hasHeading = added.some(line => headingWords(line) !== undefined);
  const heading =
    isAdded && !hasHeading && aboveGeneratedSection(hunk, around).length > 0 ? headingAdvice : '';
  const isSection = [...removed, ...added].some(line => /^## /.test(line));
  const order = isSection ? '; `output.sectionOrder` in instr.yaml sets the order of sections' : '';
  return `${unknownReason}: ${subject} laid out from \`${own.path}\`, which can be edited in ${own.file}:${own.line}${order}${heading}`;
}

/** Why an edit of an element of ours in a list of the user stays. */
function usersListReason({ at, removed }: Hunk, around: EditContext): string {
  const origins = removed.flatMap((_, index) => around.originsOf(at + index));
  const own = origins.find(({ file, registry }) => file !== undefined && registry === undefined);
  const place = own ? `: edit \`${own.path}\` in ${own.file}:${own.line} instead` : '';
  return `an edit of a generated part of a list in your own file looks like a new part of yours${place}`;
}

/** The nearest line with text from a place on. */
function nearestText(at: number, by: 1 | -1, { lines }: EditContext): number | undefined {
  let place = at;
  while (lines[place] !== undefined && isBlank(lines[place]!)) place += by;
  return lines[place] === undefined ? undefined : place;
}
