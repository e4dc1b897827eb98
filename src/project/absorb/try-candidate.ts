import type { OutputFile } from '../../kinds/output.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { type EditedFile, plannedText } from './edited-file.ts';
import { type FieldsOfEdit, isRead, isStaleValue } from './fields.ts';
import type { Hunk, SourceLine } from './hunks.ts';
import { isString, nodesOf } from './prs-source.ts';
import {
  type Candidate,
  changedLines,
  comparerOf,
  type SourceChange,
  type TrialResult,
  type Workspace,
} from './workspace.ts';

/** Why a candidate was not applied; of several reasons the one with the highest rank is reported. */
export interface Refusal {
  readonly reason: string;
  readonly rank: number;
}

const quote = (words: readonly string[]) => JSON.stringify(words.slice(0, 6).join(' '));

const lossReason = (words: readonly string[]): Refusal => ({
  reason: `the sources would lose more with it than the edit removes (${quote(words)}); to remove an item from the sources, delete its own file and run \`prs absorb\` with its name`,
  rank: 3,
});

const repetitionReason = (words: readonly string[]): Refusal => ({
  reason: `other files would say ${quote(words)} twice with it: the source has one value for what was edited in one place only`,
  rank: 2,
});

/** A message without its full stop, as a part of a reason. */
export const withoutStop = (message: string): string => message.replace(/\.$/, '');

const invalidReason = ({ message }: Diagnostic): Refusal => ({
  reason: `the changed sources would be wrong: ${withoutStop(message)}`,
  rank: 1,
});

/** An edit for which candidates are tried. */
export interface CandidateContext {
  readonly hunk: Hunk;
  readonly file: EditedFile;
  /** The planned text with the hunk applied. */
  readonly expected: string;
  /** The fields of the file with all edits. */
  readonly onDisk: FieldsOfEdit['onDisk'];
  readonly output: OutputFile | undefined;
  /** The edit is in fields, whose values other files may write differently. */
  readonly isStrict: boolean;
}

/** A candidate that produces the wanted text; `undo` reverts it. */
interface AcceptedCandidate {
  /** Where sources changed. */
  readonly to: readonly SourceLine[];
  readonly trial: TrialResult;
  readonly candidate: Candidate;
  readonly undo: () => void;
}

/**
 * Applies a candidate and compiles. It is kept when the file gets the wanted text, or exactly the text on disk, no
 * errors are added, and no other content is lost or repeated; otherwise it is undone. The refusal is `undefined` when
 * the text differs.
 */
export async function tryCandidate(
  candidate: Candidate,
  attempt: CandidateContext,
  workspace: Workspace,
): Promise<AcceptedCandidate | Refusal | undefined> {
  const applied = workspace.apply(candidate);
  if (!applied) return undefined;
  const { undo, changes } = applied;
  const { hunk, file, expected } = attempt;
  const before = workspace.trial;
  const refuse = (refusal: Refusal | undefined) => {
    undo();
    return refusal;
  };
  const disk = file.disk.join('\n');
  const compiled = await workspace.compile();
  if (typeof compiled === 'string') return refuse(undefined);
  if (!compiled.sound) return refuse(compiled.errors[0] && invalidReason(compiled.errors[0]));
  const text = plannedText(compiled.entries.get(file.path));
  const isWanted =
    text !== undefined && (text === expected || text === disk || (await isNewlySame(text, attempt, before)));
  const made = isWanted ? await workspace.outputOf(file.path) : undefined;
  if (!made || isUnmanaged(attempt, made) || !(await isMade(made, [expected, disk])))
    return refuse(undefined);
  const others = changedTexts(before, compiled, file.path);
  const lost = [
    ...lostFromSources(changes, hunk.removed),
    ...lostFromOthers(others, [...hunk.removed, file.path]),
  ];
  if (lost.length > 0) return refuse(lossReason(lost));
  const repeated = repeatedInOthers(others, hunk, attempt.isStrict);
  return repeated.length > 0
    ? refuse(repetitionReason(repeated))
    : { candidate, to: changedLines(changes), trial: compiled, undo };
}

/** Whether a text has the wanted meaning in another layout, and the previous text did not. */
async function isNewlySame(
  text: string,
  { expected, file }: CandidateContext,
  before: TrialResult,
): Promise<boolean> {
  const last = plannedText(before.entries.get(file.path));
  const { isSame } = file;
  return (
    isSame !== undefined &&
    last !== undefined &&
    (await isSame(text, expected)) &&
    !(await isSame(last, expected))
  );
}

/** Whether an output says one of the texts; the planned text may keep the layout of the user. */
async function isMade(made: OutputFile, texts: readonly string[]): Promise<boolean> {
  const text = made.kind === 'whole' ? made.content : undefined;
  if (typeof text !== 'string' || texts.includes(text)) return true;
  const isSame = comparerOf(made);
  for (const one of texts) if (await isSame?.(one, text)) return true;
  return false;
}

/** Whether the file has the wanted text only because the sources no longer produce the edited value. */
const isUnmanaged = ({ output, onDisk }: CandidateContext, made: OutputFile): boolean =>
  output?.kind === 'shared' && isRead(onDisk) && isStaleValue(output, made, onDisk.data);

/** Another generated file before and after a change of the sources; `after` is missing when it disappears. */
interface ChangedText {
  readonly file: string;
  readonly before: string;
  readonly after: string | undefined;
}

function changedTexts(before: TrialResult, after: TrialResult, path: string): ChangedText[] {
  const textOf = (entry: PlanEntry | undefined) =>
    entry?.state === 'removed' ? undefined : plannedText(entry);
  return [...before.entries].flatMap(([file, entry]) => {
    const [text, changed] = [textOf(entry), textOf(after.entries.get(file))];
    const isChanged = file !== path && text !== undefined && text !== changed;
    return isChanged ? [{ file, before: text, after: changed }] : [];
  });
}

/** A possible place for a hunk. */
export interface Choice {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The source line at this place, or the line before it. */
  readonly context: string;
}

/**
 * Decides where a hunk with several possible places goes: a function that returns the index of the place, or
 * `undefined` for none; `likeliest` takes the first place, and `certain` refuses the hunk.
 */
export type Decide =
  | ((hunk: Hunk, file: string, choices: readonly Choice[]) => Promise<number | undefined>)
  | 'certain'
  | 'likeliest';

/** The chosen place for a hunk, which is applied; or the reason why there is none. */
export async function choosePlace(
  first: AcceptedCandidate,
  candidates: readonly Candidate[],
  attempt: CandidateContext,
  workspace: Workspace,
  decide: Decide,
): Promise<AcceptedCandidate | string> {
  if (decide === 'likeliest') return first;
  first.undo();
  const fits = await alternativePlaces(first, candidates, attempt, workspace);
  const choices = fits.map(fit => choiceOf(fit, workspace));
  const places = choices.map(({ file, line }) => `${file}:${line}`).join(' and ');
  if (fits.length > 1 && decide === 'certain')
    return `it fits at ${places}; \`prs absorb\` on a terminal asks`;
  const chosen =
    fits.length === 1 || decide === 'certain' ? 0 : await decide(attempt.hunk, attempt.file.path, choices);
  if (chosen === undefined) return `it fits at ${places}, and none of them was chosen`;
  workspace.apply(fits[chosen]!.candidate);
  return fits[chosen]!;
}

const maxTries = 16;

/** The places at which the candidates change the sources differently; none of them is applied on return. */
async function alternativePlaces(
  first: AcceptedCandidate,
  candidates: readonly Candidate[],
  attempt: CandidateContext,
  workspace: Workspace,
): Promise<AcceptedCandidate[]> {
  const accepted = [first];
  // Later entries of a `Map` replace earlier ones, so the most likely candidate comes last.
  const byWords = new Map(candidates.toReversed().map(candidate => [bareText(candidate), candidate]));
  byWords.delete(bareText(first.candidate));
  for (const candidate of [...byWords.values()].reverse().slice(0, maxTries)) {
    const outcome = await tryCandidate(candidate, attempt, workspace);
    if (!outcome || !('undo' in outcome)) continue;
    outcome.undo();
    const [here] = outcome.to;
    const isOther = ({ to: [there] }: AcceptedCandidate) =>
      here?.file !== there?.file || here?.line !== there?.line;
    if (accepted.every(isOther)) accepted.push(outcome);
  }
  return accepted;
}

/** The texts of a candidate without blank lines, quotes and commas, so that candidates that differ only in layout are equal. */
const bareText = (candidate: Candidate): string =>
  JSON.stringify(
    [...candidate].map(([path, text = '']) => [path, text.replace(/["',]|\s*\n\s*/g, ' ').split(/\s+/)]),
  );

function choiceOf({ candidate, to }: AcceptedCandidate, workspace: Workspace): Choice {
  const { file, line } = to[0]!;
  const lines = workspace.textOf(file)?.split('\n') ?? [];
  const isInsertion = (candidate.get(file) ?? '').split('\n').length > lines.length;
  const context = isInsertion ? lines.slice(0, line - 1).findLast(one => one.trim() !== '') : lines[line - 1];
  return { file, line, context: (context ?? '').trim() };
}

/** A text with fewer words is a name, a pattern or a list value, which each tool may write differently. */
const minProse = 3;

/** Lower-case words; camel-case names are split. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map(word => word.toLowerCase());

/** Words of a text that another text lacks although the edit does not remove them. */
function lostWords(before: string, after: string, removed: readonly string[]): string[] {
  const kept = new Set([after, ...removed].flatMap(wordsOf));
  return [...new Set(wordsOf(before))].filter(word => !kept.has(word));
}

/**
 * Words that the sources would lose. Example: deleting a line that only names an item must not delete the text of the
 * item, which other tools have.
 */
const lostFromSources = (changes: readonly SourceChange[], removed: readonly string[]): string[] =>
  changes.flatMap(({ path, before = '', after = '' }) => lostWords(proseOf(path, before), after, removed));

/** The prose of a source: Markdown without field names, and sentences of a `.prs` source. */
function proseOf(file: string, text: string): string {
  if (isMarkdownPath(file)) {
    const { lines } = readFrontMatter(text);
    return text
      .split('\n')
      .map((line, at) => (at < lines ? line.replace(/^[\w-]+:/, '') : line))
      .join('\n');
  }
  if (!file.endsWith('.prs')) return '';
  const texts = nodesOf({ name: file, text }).filter(isString);
  return texts
    .flatMap(({ value }) => value.split('\n'))
    .filter(line => wordsOf(line).length >= minProse)
    .join('\n');
}

/** Words that another generated file would lose. */
function lostFromOthers(others: readonly ChangedText[], removed: readonly string[]): string[] {
  const gone = new Set(removed.flatMap(wordsOf));
  for (const { file, before, after } of others) {
    const lost = lostWords(withoutComments(before), after ?? '', removed);
    const isDeletedItem = after === undefined && gone.has(wordsOf(file).at(-2) ?? '');
    if (lost.length >= minProse && !isDeletedItem) return lost;
  }
  return [];
}

/** A text without the comments of its front matter, which are the user's when the file has its own layout. */
function withoutComments(text: string): string {
  const { lines } = readFrontMatter(text);
  const isKept = (line: string, at: number) => at >= lines || !/^\s*#/.test(line);
  return text.split('\n').filter(isKept).join('\n');
}

/**
 * Words that another generated file would repeat although the edit does not add them: a value with two outputs was
 * split, and the file now contains both. `isStrict`: also words that are new in the file.
 */
function repeatedInOthers(
  others: readonly ChangedText[],
  { removed, added }: Hunk,
  isStrict: boolean,
): string[] {
  const [came, gone] = [countWords(added.join('\n')), countWords(removed.join('\n'))];
  for (const { before, after = '' } of others) {
    const had = countWords(before);
    const more = [...countWords(after)].filter(([word, count]) => {
      const old = had.get(word) ?? 0;
      return (isStrict || old > 0) && count > old && (came.get(word) ?? 0) <= (gone.get(word) ?? 0);
    });
    if (more.length >= (isStrict ? 1 : minProse)) return more.map(([word]) => word);
  }
  return [];
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
