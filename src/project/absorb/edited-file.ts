import { lastCommitted } from '../../host/git.ts';
import { sha256 } from '../../host/hash.ts';
import { textHash } from '../../plan/canonical.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { encodeText, textIn } from '../../text/bytes.ts';
import type { FormedFile } from './fields.ts';
import { type Hunk, hunksOf, isBlank, trimBlankLines, withHunk } from './hunks.ts';
import type { Comparer, Trial } from './workspace.ts';

/** An edit that was refused; `retry`: it may be tried again after others were applied. */
export interface Refused {
  readonly hunk: Hunk;
  readonly reason: string;
  readonly retry?: boolean;
}

/** A generated file that somebody edited. */
export interface EditedFile extends FormedFile {
  readonly shared: boolean;
  /** The file on the disk, in the generated layout where the user has a layout of their own. */
  readonly disk: readonly string[];
  /** The file on the disk as it is. */
  readonly written: readonly string[];
  /** The generated text with the edits that were applied. */
  base: string[];
  /** The sources did not change between the last compile and this run. */
  readonly isCurrent: boolean;
  /** The file was adopted in the user's layout. */
  readonly hasOwnLayout?: boolean | undefined;
  readonly isSame?: Comparer | undefined;
  /** Refused edits by `hunkKey`. */
  readonly refused: Map<string, Refused>;
}

/** The lines of a text without carriage returns; `undefined` for binary content. */
export const linesOfBytes = (bytes: Uint8Array): string[] | undefined =>
  textIn(bytes)?.replaceAll('\r\n', '\n').split('\n');

/** The lines of a file as a compile would write it; `undefined` where it writes no text. */
export const plannedLines = (entry: PlanEntry | undefined): string[] | undefined =>
  entry?.content && linesOfBytes(entry.content);

export const plannedText = (entry: PlanEntry | undefined): string | undefined =>
  plannedLines(entry)?.join('\n');

/** Opens an edited file; `undefined` where its generated text is unknown. */
export async function openEdited(
  entry: PlanEntry,
  disk: readonly string[],
  manifest: Manifest,
  root: string,
  isSame: Comparer | undefined,
): Promise<EditedFile | undefined> {
  const generated = await generatedText(entry, manifest, root);
  if (!generated) return undefined;
  const { path, shared } = entry;
  const hasOwnLayout = manifest.files.get(path)?.adopted;
  return {
    path,
    shared: shared !== undefined,
    ...(shared && { format: shared.format }),
    disk: hasOwnLayout && isSame ? await inLayoutOf(disk, generated.base, isSame) : disk,
    written: disk,
    ...generated,
    isSame,
    hasOwnLayout,
    refused: new Map(),
  };
}

/** The text of a file when it was generated: the planned one where the record matches it, else the last commit's. */
async function generatedText(
  entry: PlanEntry,
  { files }: Manifest,
  root: string,
): Promise<Pick<EditedFile, 'base' | 'isCurrent'> | undefined> {
  const { sha256: recorded, planned } = files.get(entry.path) ?? {};
  const now = plannedLines(entry);
  if (now && (recorded === undefined || textHash(entry.content!, sha256) === (planned ?? recorded)))
    return { base: now, isCurrent: true };

  const text = lastCommitted(root, entry.path);
  const bytes = text === undefined ? undefined : encodeText(text);
  const base = bytes && textHash(bytes, sha256) === recorded ? linesOfBytes(bytes) : undefined;
  return base && { base, isCurrent: false };
}

/** The edits of a file that are not applied. A difference of layout alone is no edit where the layout is the user's. */
export async function editsLeft({ base, disk, hasOwnLayout, isSame }: EditedFile): Promise<Hunk[]> {
  const hunks = hunksOf(base, disk);
  if (!isSame || !hasOwnLayout) return hunks;
  const found: Hunk[] = [];
  for (const hunk of hunks)
    if (!(await isSame(withHunk(base, hunk).join('\n'), base.join('\n')))) found.push(hunk);
  return found;
}

/**
 * The manifest after edits were applied. A file without other edits counts as generated or, where the planned text only
 * means the same, as adopted. A file that has some is recorded with what the changed sources give, so that a later run
 * knows the rest; not where edits of other files are part of that.
 */
export function recordApplied(
  manifest: Manifest,
  edited: readonly EditedFile[],
  { compiled, entries }: Trial,
): Manifest {
  const files = new Map(manifest.files);
  for (const { path, base, disk, written, isCurrent } of edited) {
    const [owned, now] = [files.get(path), compiled.manifest?.files.get(path)];
    if (owned?.sha256 === undefined || now?.sha256 === undefined) continue;
    const sha = textHash(encodeText(written.join('\n')), sha256);
    const isApplied = base.join('\n') === disk.join('\n');
    if (isApplied && now.sha256 !== sha) {
      const { planned: _planned, adopted: _adopted, ...rest } = owned;
      files.set(path, { ...rest, sha256: sha });
    } else if (isApplied || (isCurrent && plannedText(entries.get(path)) === base.join('\n')))
      files.set(path, now);
  }
  return { ...manifest, files };
}

/**
 * Where a hunk of a text stands in another text of the same sources: the index of its first line, `applied` where its
 * lines are there already, `changed` where something else is.
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

/** Lines in the layout of the generated file: equal fields of front matter are spelled and ordered as there. */
async function inLayoutOf(
  lines: readonly string[],
  generated: readonly string[],
  isSame: Comparer,
): Promise<readonly string[]> {
  const [own, other] = [frontFields(lines), frontFields(generated)];
  if (!own || !other) return lines;
  const front = (said: readonly string[]) => `---\n${said.join('\n')}\n---\n`;
  const fields: string[] = [];
  for (const [key, said] of other.fields) {
    const present = own.fields.get(key) ?? [];
    own.fields.delete(key);
    fields.push(...((await isSame(front(present), front(said))) ? said : present));
  }
  const body = trimBlankLines(own.body);
  const words = trimBlankLines(other.body);
  if (body.length === 0 || words.length === 0)
    return ['---', ...fields, ...[...own.fields.values()].flat(), '---', ...own.body];
  const first = other.body.findIndex(line => !isBlank(line));
  const rest = [...other.body.slice(0, first), ...body, ...other.body.slice(first + words.length)];
  return ['---', ...fields, ...[...own.fields.values()].flat(), '---', ...rest];
}

/** The lines of each field of front matter, and those below it; `undefined` where comments stand among the fields. */
function frontFields(lines: readonly string[]) {
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1) return undefined;
  const fields = new Map<string, string[]>();
  let field: string[] | undefined;
  for (const line of lines.slice(1, end)) {
    const key = /^([\w-]+):/.exec(line)?.[1];
    if (key !== undefined) {
      field = [line];
      fields.set(key, field);
    } else if (field && /^(?:\s|-(?:\s|$)|$)/.test(line)) field.push(line);
    else return undefined;
  }
  return { fields, body: lines.slice(end + 1) };
}
