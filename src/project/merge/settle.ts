import { join } from 'node:path';
import { addToIndex, conflictsInGit, mergedByDriver } from '../../host/git.ts';
import type { Disk } from '../../host/host.ts';
import { manifestPath } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { driverName } from './merge-file.ts';

/** States of files that are as the sources make them. */
const asCompiled: ReadonlySet<PlanEntry['state']> = new Set(['new', 'unchanged', 'changed']);

/**
 * Tells Git that generated files are right as they were compiled, where a merge left them in conflict without asking the
 * driver: a branch moved or removed them. Before the list of files that are merged by compiling is brought up to date.
 * Gives the files.
 */
export function settleConflicts(root: string, entries: readonly PlanEntry[], disk: Disk): string[] {
  const conflicts = conflictsInGit(root);
  if (conflicts.length === 0) return [];
  const planned = new Map(entries.map(entry => [entry.path, entry]));
  const ours = new Set(mergedByDriver(root, conflicts, driverName));
  const settled = conflicts.filter(path => {
    const entry = planned.get(path);
    if (entry && entry.state !== 'removed') return asCompiled.has(entry.state) && !entry.shared;
    return (entry !== undefined || ours.has(path)) && !disk.lstat(join(root, path));
  });
  const record = settled.length > 0 && disk.lstat(join(root, manifestPath)) ? [manifestPath] : [];
  return settled.length > 0 && addToIndex(root, [...settled, ...record]) ? settled.sort() : [];
}
