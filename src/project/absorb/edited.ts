import { sha256 } from '../../host/hash.ts';
import { textHash } from '../../plan/line-ends.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { encodeText, textIn } from '../../text/bytes.ts';
import type { FormedFile } from './data.ts';
import { type Hunk, hunksOf, withHunk } from './hunks.ts';
import type { Trial } from './trial.ts';

/** An edit that stays; `again`: it may be tried anew when others have come home. */
export interface Refused {
  readonly hunk: Hunk;
  readonly reason: string;
  readonly again?: boolean;
}

/** A generated file that somebody edited, while its edits come home. */
export interface Edited extends FormedFile {
  readonly shared: boolean;
  /** The file as it lies there, laid out as it would be generated where its layout is the user's. */
  readonly disk: readonly string[];
  /** The file as it lies there. */
  readonly written: readonly string[];
  /** What was generated, with the edits that are home already. */
  base: string[];
  /** `base` is what the sources said when the run began: nothing of them changed since it was generated. */
  readonly isOfNow: boolean;
  /** Lines of the user that were there before in a file of lines; `undefined`: nobody knows. */
  readonly linesBefore?: ReadonlySet<string> | undefined;
  /** It was adopted in a layout of the user. */
  readonly hasOwnLayout?: boolean | undefined;
  /** Whether a text says the same as another one, whatever their layout. */
  readonly saysSame?: ((one: string, other: string) => Promise<boolean>) | undefined;
  /** Why edits stay, by what they are. */
  readonly refused: Map<string, Refused>;
}

/** The lines of a text, without the marks of Windows; `undefined` for what is no text. */
export const linesOfBytes = (bytes: Uint8Array): string[] | undefined =>
  textIn(bytes)?.replaceAll('\r\n', '\n').split('\n');

/** The lines of a file as a compile would write it; `undefined` where it writes no text. */
export const plannedLines = (entry: PlanEntry | undefined): string[] | undefined =>
  entry?.content && linesOfBytes(entry.content);

/**
 * What a file said when it was generated: what is planned now where the sources are those of then, as the record says,
 * else what the last commit has. `undefined`: nobody knows.
 */
export async function baseOf(
  entry: PlanEntry,
  { files }: Manifest,
  root: string,
): Promise<{ readonly base: string[]; readonly isOfNow: boolean } | undefined> {
  const { sha256: recorded, planned } = files.get(entry.path) ?? {};
  const now = plannedLines(entry);
  if (now && (recorded === undefined || textHash(entry.content!, sha256) === (planned ?? recorded)))
    return { base: now, isOfNow: true };
  const { lastCommitted } = await import('../../host/git.ts');
  const text = lastCommitted(root, entry.path);
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
  const base = bytes && textHash(bytes, sha256) === recorded ? linesOfBytes(bytes) : undefined;
  return base && { base, isOfNow: false };
}

/** Lines that a file of lines had before it was edited: those of the last commit, and none where it was made by a compile. */
export async function linesBefore(
  { path, shared }: PlanEntry,
  { files }: Manifest,
  root: string,
): Promise<ReadonlySet<string> | undefined> {
  if (shared?.format !== 'lines') return undefined;
  const { lastCommitted } = await import('../../host/git.ts');
  const text = lastCommitted(root, path);
  if (text !== undefined) return new Set(text.split('\n').map(line => line.trim()));
  return files.get(path)?.created ? new Set() : undefined;
}

/** The edits of a file that are not home. Where its layout is the user's, that alone is no edit. */
export async function editsLeft({ base, disk, hasOwnLayout, saysSame }: Edited): Promise<Hunk[]> {
  const hunks = await hunksOf(base, disk);
  if (!saysSame || !hasOwnLayout) return hunks;
  const before = base.join('\n');
  const found: Hunk[] = [];
  for (const hunk of hunks) if (!(await saysSame(withHunk(base, hunk).join('\n'), before))) found.push(hunk);
  return found;
}

/**
 * The record of ownership once edits are home: a file that holds no other edit is as it was generated, or as it was
 * adopted where what is planned only says the same. Of one that does the record says what the changed sources make of
 * it, so that what is left is known later, too; not where edits of other files are part of that.
 */
export function recordHome(
  manifest: Manifest,
  edited: readonly Edited[],
  { compiled, entries }: Trial,
): Manifest {
  const files = new Map(manifest.files);
  for (const { path, base, disk, written, isOfNow } of edited) {
    const [owned, now] = [files.get(path), compiled.manifest?.files.get(path)];
    if (owned?.sha256 === undefined || now?.sha256 === undefined) continue;
    const sha = textHash(encodeText(written.join('\n')), sha256);
    const isHome = base.join('\n') === disk.join('\n');
    if (isHome && now.sha256 !== sha) {
      const { planned: _planned, adopted: _adopted, ...rest } = owned;
      files.set(path, { ...rest, sha256: sha });
    } else if (isHome || (isOfNow && plannedLines(entries.get(path))?.join('\n') === base.join('\n')))
      files.set(path, now);
  }
  return { ...manifest, files };
}

/**
 * Where a hunk of a text stands in another one made of the same sources. `home`: its words stand there already.
 * `other`: something else does. Otherwise the index of its first line.
 */
export async function locateHunk(
  { at, removed, added }: Hunk,
  base: readonly string[],
  planned: readonly string[],
): Promise<number | 'home' | 'other'> {
  const { diffArrays } = await import('diff');
  const places = new Map<number, number>([[-1, -1]]);
  let [old, next] = [0, 0];
  for (const { added: came, removed: went, count } of diffArrays([...base], [...planned])) {
    if (came) next += count;
    else if (went) old += count;
    else for (let n = 0; n < count; n++) places.set(old++, next++);
  }
  places.set(base.length, planned.length);
  let [low, high] = [at - 1, at + removed.length];
  while (!places.has(low)) low--;
  while (!places.has(high)) high++;
  const here = planned.slice(places.get(low)! + 1, places.get(high)!);
  const lines = (middle: readonly string[]) =>
    [...base.slice(low + 1, at), ...middle, ...base.slice(at + removed.length, high)].join('\n');
  if (here.join('\n') === lines(removed) && here.length === high - low - 1)
    return places.get(low)! + 1 + (at - low - 1);
  return here.join('\n') === lines(added) ? 'home' : 'other';
}
