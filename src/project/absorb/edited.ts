import { sha256 } from '../../host/hash.ts';
import { textHash } from '../../plan/line-ends.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { FormedFile } from './data.ts';
import type { Hunk } from './hunks.ts';
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
  /** The file as it lies there. */
  readonly disk: readonly string[];
  /** What was generated, with the edits that are home already. */
  base: string[];
  /** Why edits stay, by what they are. */
  readonly refused: Map<string, Refused>;
}

/** The lines of a text, without the marks of Windows; `undefined` for what is no text. */
export function linesOfBytes(bytes: Uint8Array): string[] | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n').split('\n');
  } catch {
    return undefined;
  }
}

export const plannedLines = (entry: PlanEntry | undefined): string[] | undefined =>
  entry?.content && linesOfBytes(entry.content);

/**
 * What a file said when it was generated: what is planned now where the sources are those of then, else what the last
 * commit has. `undefined`: nobody knows.
 */
export async function baseOf(
  entry: PlanEntry,
  { files }: Manifest,
  root: string,
): Promise<string[] | undefined> {
  const recorded = files.get(entry.path)?.sha256;
  if (recorded === undefined || textHash(entry.content!, sha256) === recorded) return plannedLines(entry);
  const { lastCommitted } = await import('../../host/git.ts');
  const text = lastCommitted(root, entry.path);
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
  return bytes && textHash(bytes, sha256) === recorded ? linesOfBytes(bytes) : undefined;
}

/**
 * The record of ownership once edits are home: a file that holds no other edit is as it was generated, or as it was
 * adopted where what is planned only says the same.
 */
export function recordHome(manifest: Manifest, edited: readonly Edited[], { entries }: Trial): Manifest {
  const files = new Map(manifest.files);
  for (const { path, base, disk } of edited) {
    const owned = files.get(path);
    if (owned?.sha256 === undefined || base.join('\n') !== disk.join('\n')) continue;
    const known = textHash(new TextEncoder().encode(disk.join('\n')), sha256);
    const isAdopted = owned.adopted || entries.get(path)?.state === 'adopted';
    files.set(path, { ...owned, sha256: known, ...(isAdopted && { adopted: true }) });
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
