import { type OwnedFile, sorted } from './manifest.ts';
import type { PlanEntry } from './plan.ts';

/**
 * What this machine has written at a path, newest first. The manifest travels with version control: it forgets files
 * when branches are changed or merged, while the files themselves, ignored or kept, may stay. This record does not.
 */
export interface WrittenFile extends Pick<OwnedFile, 'targets' | 'build'> {
  readonly sha256: readonly string[];
}

/** What this machine wrote, by path. */
export type WrittenFiles = ReadonlyMap<string, WrittenFile>;

/** So many contents of a path are remembered. */
const remembered = 16;

/** Reads the record; one that is damaged counts as empty: it only ever adds to what the manifest says. */
export function readWritten(text: string | undefined): Map<string, WrittenFile> {
  const written = new Map<string, WrittenFile>();
  let data: unknown;
  try {
    data = JSON.parse(text ?? '{}');
  } catch {
    return written;
  }
  if (typeof data !== 'object' || data === null) return written;
  for (const [path, file] of Object.entries(data as Record<string, Partial<WrittenFile> | null>)) {
    const hashes: unknown = file?.sha256;
    const isRecord = Array.isArray(file?.targets) && Array.isArray(hashes);
    if (isRecord && hashes.every(hash => typeof hash === 'string')) written.set(path, file as WrittenFile);
  }
  return written;
}

/** The record after a run, as text; `undefined` when it says nothing new. */
export function printWritten(
  written: WrittenFiles,
  entries: readonly PlanEntry[],
  owned: ReadonlyMap<string, OwnedFile>,
): string | undefined {
  const next = new Map(written);
  for (const { path, action } of entries) {
    // What was there already, and equal, was written by somebody else.
    const file = action === 'write' ? owned.get(path) : undefined;
    const known = written.get(path)?.sha256 ?? [];
    if (file?.sha256 === undefined || known[0] === file.sha256) continue;
    const hashes = [file.sha256, ...known.filter(hash => hash !== file.sha256)].slice(0, remembered);
    const { targets, build } = file;
    next.set(path, { targets, ...(build !== undefined && { build }), sha256: hashes });
  }
  const isNew = [...next].some(([path, file]) => written.get(path) !== file);
  return isNew ? `${JSON.stringify(Object.fromEntries(sorted(next)))}\n` : undefined;
}
