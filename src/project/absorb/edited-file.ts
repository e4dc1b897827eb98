import { sha256 } from '../../host/hash.ts';
import { textHash } from '../../plan/canonical.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { encodeText } from '../../text/bytes.ts';
import { lastCommitted } from '../git/queries.ts';
import type { FormedFile } from './fields.ts';
import { type Hunk, hunksOf, withHunk } from './hunks.ts';
import { type Comparer, linesOfBytes, type TrialResult } from './workspace.ts';

/** A generated file that was edited. */
export interface EditedFile extends FormedFile {
  /** The file on the disk. */
  readonly disk: readonly string[];
  /** The generated text with the edits that were applied. */
  base: string[];
  /** The sources did not change between the last compile and this run. */
  readonly isCurrent: boolean;
  /** The file was adopted in the user's layout. */
  readonly hasOwnLayout?: boolean | undefined;
  readonly isSame?: Comparer | undefined;
  /** Refused edits by `hunkKey`. */
  readonly refused: Map<string, { readonly hunk: Hunk; readonly reason: string }>;
}

/** The lines of a file as a compile would write it; `undefined` where it writes no text. */
export const plannedLines = (entry: PlanEntry | undefined): string[] | undefined =>
  entry?.content && linesOfBytes(entry.content);

export const plannedText = (entry: PlanEntry | undefined): string | undefined =>
  plannedLines(entry)?.join('\n');

/**
 * Opens an edited file; `undefined` where its generated text is unknown. That is the planned text if it matches the
 * manifest, otherwise the text of the last commit.
 */
export function openEdited(
  entry: PlanEntry,
  disk: readonly string[],
  { files }: Manifest,
  root: string,
  isSame: Comparer | undefined,
): EditedFile | undefined {
  const { path, shared, content } = entry;
  const { sha256: recorded, planned, adopted } = files.get(path) ?? {};
  const isCurrent =
    content !== undefined && (recorded === undefined || textHash(content, sha256) === (planned ?? recorded));
  const current = isCurrent ? plannedLines(entry) : undefined;
  const base = current ?? committedLines(root, path, recorded);
  if (!base) return undefined;
  return {
    path,
    ...(shared && { format: shared.format }),
    disk,
    base,
    isCurrent: current !== undefined,
    isSame,
    hasOwnLayout: adopted,
    refused: new Map(),
  };
}

function committedLines(root: string, path: string, recorded: string | undefined): string[] | undefined {
  const text = lastCommitted(root, path);
  const bytes = text === undefined ? undefined : encodeText(text);
  return bytes && textHash(bytes, sha256) === recorded ? linesOfBytes(bytes) : undefined;
}

/**
 * The edits of a file that are not applied yet. If the layout is the user's, a difference only of layout is no edit.
 */
export async function remainingEdits({ base, disk, hasOwnLayout, isSame }: EditedFile): Promise<Hunk[]> {
  if (!isSame || !hasOwnLayout) return hunksOf(base, disk);
  const [end, diskEnd] = [frontEnd(base), frontEnd(disk)];
  // Front matter is one edit: its fields may be in another order.
  const front = { at: 1, removed: base.slice(1, end), added: disk.slice(1, diskEnd) };
  const hunks =
    end === 0 || diskEnd === 0
      ? hunksOf(base, disk)
      : [
          front,
          ...hunksOf(base.slice(end), disk.slice(diskEnd)).map(hunk => ({ ...hunk, at: hunk.at + end })),
        ];
  const found: Hunk[] = [];
  for (const hunk of hunks)
    if (!(await isSame(withHunk(base, hunk).join('\n'), base.join('\n')))) found.push(hunk);
  return found;
}

/** Index of the line that ends front matter; 0 where there is none. */
const frontEnd = (lines: readonly string[]): number =>
  lines[0] === '---' ? Math.max(0, lines.indexOf('---', 1)) : 0;

/**
 * The manifest after edits were applied. A file without further edits counts as generated, or as adopted when the
 * planned text only has the same meaning. For a file with further edits, the output of the changed sources is
 * recorded, so that a later run finds the remaining edits; but not when it includes edits of other files.
 */
export function recordApplied(
  manifest: Manifest,
  edited: readonly EditedFile[],
  refused: ReadonlySet<string>,
  { compiled, entries }: TrialResult,
): Manifest {
  const files = new Map(manifest.files);
  for (const { path, base, disk, isCurrent } of edited) {
    const [owned, now] = [files.get(path), compiled.manifest?.files.get(path)];
    if (owned?.sha256 === undefined || now?.sha256 === undefined) continue;
    const sha = textHash(encodeText(disk.join('\n')), sha256);
    const isApplied = !refused.has(path);
    if (isApplied && now.sha256 !== sha) {
      const { planned: _planned, adopted: _adopted, ...rest } = owned;
      files.set(path, { ...rest, sha256: sha });
    } else if (isApplied || (isCurrent && plannedText(entries.get(path)) === base.join('\n')))
      files.set(path, now);
  }
  return { ...manifest, files };
}

/**
 * The position of a hunk in another text of the same sources: the index of its first line, `applied` when its lines
 * are there already, `changed` when the text differs there.
 */
export function locateHunk(
  { at, removed, added }: Hunk,
  base: readonly string[],
  planned: readonly string[],
): number | 'applied' | 'changed' {
  const end = at + removed.length;
  const endOf = (hunk: Hunk) => hunk.at + hunk.removed.length;
  const growth = (hunks: readonly Hunk[]) =>
    hunks.reduce((sum, hunk) => sum + hunk.added.length - hunk.removed.length, 0);
  const changes = hunksOf(base, planned);
  const shift = growth(changes.filter(change => endOf(change) < at));
  const touching = changes.filter(change => change.at <= end && endOf(change) >= at);
  if (touching.length === 0) return at + shift;
  const [low, high] = [Math.min(at, touching[0]!.at), Math.max(end, endOf(touching.at(-1)!))];
  const here = planned.slice(low + shift, high + shift + growth(touching));
  const edited = [...base.slice(low, at), ...added, ...base.slice(end, high)];
  return here.join('\n') === edited.join('\n') ? 'applied' : 'changed';
}
