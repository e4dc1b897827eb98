import { lockLeftover } from '../generated/diagnostics.ts';
import type { Lock, LockEntry } from '../registry/lock.ts';
import type { ProjectRegistries } from './gather/registries.ts';
import { isFrozen, LOCK_FILE, openLock } from './lock.ts';
import type { Project } from './open/open.ts';
import { gatherOthers } from './other-builds.ts';
import type { WithDisk, WithEnvironment, WithIsolation, WithReport } from './session/world.ts';

/**
 * Reports a lock that cannot be read, also where nothing is imported; and in a run that may not change the lock, what it
 * pins and nothing uses any more. The builds that the run was not about are read too, without their findings, but only
 * where something seems to be left over.
 */
export async function checkLeftovers(
  project: Project,
  registries: ProjectRegistries,
  frozen: boolean | undefined,
  context: WithDisk & WithEnvironment & WithReport & WithIsolation,
): Promise<void> {
  if (context.isolated) return;
  const isRead = registries.lockState?.() !== undefined;
  if (isRead && !isFrozen(frozen, context.environment)) return;
  const present = await openLock(project.root, isRead ? { ...context, report: () => {} } : context);
  if (typeof present === 'string' || !isFrozen(frozen, context.environment)) return;
  if (leftovers(present.lock, registries.used()).length === 0) return;
  await gatherOthers(project, new Set(), registries, undefined, context);
  for (const what of leftovers(present.lock, registries.used())) {
    context.report(lockLeftover({ what }, { file: LOCK_FILE }));
  }
}

/** Sources and files of a lock that were not used, in words. */
function leftovers(lock: Lock, used: readonly LockEntry[]): string[] {
  const read = new Map(used.map(entry => [entry.source, entry]));
  return lock.entries.flatMap(({ source, files }) => {
    const entry = read.get(source);
    if (!entry) return [`\`${source}\``];
    return [...files.keys()].filter(path => !entry.files.has(path)).map(path => `\`${path}\` of ${source}`);
  });
}
