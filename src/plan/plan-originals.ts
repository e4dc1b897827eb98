import { textHash } from './line-ends.ts';
import type { OwnedFile } from './manifest.ts';
import type { Original, PlanEntry } from './plan.ts';
import { type PlanContext, type PlanInput, removedBase } from './plan-context.ts';

/** What becomes of the originals of a migration. */
interface PlannedOriginals {
  /** Files that are removed. */
  readonly entries: readonly PlanEntry[];
  /** Files that could be. */
  readonly remaining: readonly Original[];
  /** The record when the run is through. */
  readonly record: ReadonlyMap<string, string>;
}

/**
 * Decides about files that a migration read and that no output replaces. One that is gone, or ours by now, is
 * forgotten. One that a tool of this run reads in addition to its outputs is listed, or removed when that is wanted;
 * never one that was edited since, that a link leads to, or that the compile reads.
 */
export async function planOriginals(
  input: PlanInput,
  files: ReadonlyMap<string, OwnedFile>,
  planned: readonly PlanEntry[],
  context: PlanContext,
): Promise<PlannedOriginals> {
  const { followLinks, isSource } = context;
  const entries: PlanEntry[] = [];
  const remaining: Original[] = [];
  const record = new Map<string, string>();
  // A link that stays would lead nowhere.
  const linked = new Set(
    planned.filter(({ action }) => action === 'keep').map(entry => followLinks(entry.path).end),
  );
  for (const [path, hash] of input.manifest.originals) {
    const before = input.present(path);
    if (!before || files.has(path)) continue;
    record.set(path, hash);
    const isOwn =
      before.kind === 'file' && followLinks(path).end === path && !isSource(path) && !linked.has(path);
    if (!isOwn || textHash(before.read(), input.hash) !== hash) continue;
    const targets = (await input.readersOf?.(path)) ?? [];
    if (targets.length === 0) continue;
    if (!input.removeOriginals) {
      remaining.push({ path, targets });
      continue;
    }
    record.delete(path);
    const removed = removedBase(path, { targets }, before, context);
    entries.push({ ...removed, action: 'delete', original: true, takeover: true });
  }
  return { entries, remaining, record };
}
