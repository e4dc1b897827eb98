import type { OutputFile } from '../../kinds/output.ts';
import { isRead, readFields } from './data.ts';
import { type EditedFile, plannedLines, plannedText } from './edited-file.ts';
import type { Hunk } from './hunks.ts';
import { areLinesLeftBehind } from './owned-lines.ts';
import { isLeftBehind } from './owned-values.ts';
import { conflictingReason, invalidReason, lossReason, type Refusal, repetitionReason } from './reasons.ts';
import { lostElsewhere, lostFromSources, repeatedElsewhere } from './words.ts';
import type { Candidate, Kept, Trial, Workspace } from './workspace.ts';

/** An edit that candidates are tried for. */
export interface Attempt {
  readonly hunk: Hunk;
  readonly file: EditedFile;
  /** The planned text with the hunk. */
  readonly wanted: string;
  readonly before: Trial;
  readonly output: OutputFile | undefined;
  /** The edit is in fields, for which other files may have other words. */
  readonly isStrict: boolean;
}

/** A candidate that gives the wanted text; `undo` takes it back. */
export interface Fit extends Kept {
  readonly undo: () => void;
}

/**
 * Applies a candidate and compiles. It is kept when the file has the wanted text, or all of its text on the disk, no
 * errors are added, and nothing beyond the edit is lost or repeated; else it is undone. The refusal is `undefined` when
 * the text is another one.
 */
export async function tryCandidate(
  candidate: Candidate,
  attempt: Attempt,
  workspace: Workspace,
): Promise<Fit | Refusal | undefined> {
  const applied = workspace.apply(candidate);
  if (!applied) return undefined;
  const { undo, changes } = applied;
  const { hunk, file, wanted, before } = attempt;
  const refuse = (refusal: Refusal | undefined) => {
    undo();
    return refusal;
  };
  const otherwise = (text: string | undefined) =>
    refuse(isApplied(hunk, text?.split('\n')) ? conflictingReason : undefined);
  const disk = file.disk.join('\n');
  const preview = await workspace.preview(file.path, [wanted, disk]);
  if (preview !== 'possible')
    return preview.error ? refuse(invalidReason(preview.error)) : otherwise(preview.text);
  const compiled = await workspace.compile();
  const trial = typeof compiled !== 'string' && compiled.sound ? compiled : undefined;
  const text = plannedText(trial?.entries.get(file.path));
  const isWanted =
    text !== undefined && (text === wanted || text === disk || (await isNewlySame(text, attempt)));
  if (!trial || !isWanted || (await isUnmanaged(attempt, workspace))) {
    const error = typeof compiled === 'string' ? undefined : compiled.errors[0];
    return error ? refuse(invalidReason(error)) : otherwise(text);
  }
  const texts = [plannedTexts(before), plannedTexts(trial)] as const;
  const lost = [
    ...lostFromSources(changes, hunk.removed),
    ...lostElsewhere(...texts, file.path, hunk.removed),
  ];
  if (lost.length > 0) return refuse(lossReason(lost));
  const added = hunk.added.length > 0 ? hunk.added : linesInstead(hunk.removed, file);
  const edit = { removed: hunk.removed, added };
  const repeated = repeatedElsewhere(...texts, file.path, edit, attempt.isStrict);
  return repeated.length > 0 ? refuse(repetitionReason(repeated)) : { candidate, trial, undo };
}

/** Whether a text has the changed lines of a hunk, whatever its other lines are. */
const isApplied = ({ at, removed, added }: Hunk, lines: readonly string[] | undefined): boolean =>
  removed.length === added.length && added.every((line, index) => lines?.[at + index] === line);

/** Lines of the same field in a user's file: after an edit of an element the plan has ours and the edited one. */
function linesInstead(removed: readonly string[], { shared, disk }: EditedFile): readonly string[] {
  const fieldOf = (line: string) => /^\s*(?:"[^"]*":|[\w-]+ *[:=])?/.exec(line)![0];
  const fields = new Set(removed.map(fieldOf));
  return shared ? disk.filter(line => !removed.includes(line) && fields.has(fieldOf(line))) : [];
}

/** Whether a text means the wanted one in another layout, and the text before did not. */
async function isNewlySame(text: string, { wanted, file, before }: Attempt): Promise<boolean> {
  const last = plannedText(before.entries.get(file.path));
  const { isSame } = file;
  return (
    isSame !== undefined &&
    last !== undefined &&
    (await isSame(text, wanted)) &&
    !(await isSame(last, wanted))
  );
}

/** Whether the file has the wanted text only because the sources do not give the edited value any more. */
async function isUnmanaged({ output, file }: Attempt, workspace: Workspace): Promise<boolean> {
  if (output?.kind !== 'shared') return false;
  const now = await workspace.outputOf(file.path);
  if (output.format === 'lines') return areLinesLeftBehind(output, now, file.disk, file.linesBefore);
  const fields = await readFields(file, file.disk);
  return isRead(fields) && isLeftBehind(output, now, fields.data);
}

/** The generated files that exist, as texts. */
function plannedTexts({ entries }: Trial): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, entry] of entries) {
    const lines = entry.state === 'removed' ? undefined : plannedLines(entry);
    if (lines) texts.set(path, lines.join('\n'));
  }
  return texts;
}
