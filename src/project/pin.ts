import { lockLeftover } from '../generated/diagnostics.ts';
import type { Lock, LockEntry } from '../registry/lock.ts';
import { watchErrors } from '../text/diagnostics/report.ts';
import { type RecordedExecutable, recordExecutables } from './executables.ts';
import { projectRegistries } from './gather/registries.ts';
import {
  isFrozen,
  joinEntries,
  LOCK_FILE,
  type Locked,
  type LockRequest,
  lockProject,
  openLock,
  type ProjectRegistries,
} from './lock.ts';
import { type OpenFailure, openProject, type Project } from './open/open.ts';
import { projectRoot } from './open/root.ts';
import { entriesOf, gatherProgram } from './program.ts';
import type {
  CompileContext,
  WithDisk,
  WithEnvironment,
  WithIsolation,
  WithReport,
} from './session/world.ts';

/** The result of locking; without `locked`, an error was reported and the lock file is unchanged. */
export interface Pinned {
  readonly root: string;
  readonly locked: Locked | undefined;
}

/**
 * Locks everything that the builds of the project read. `update` names the sources to update. Sources must be complete,
 * but rules and policies are not checked, because a new version may be the fix.
 */
export async function pinSources(
  update: LockRequest['update'],
  context: CompileContext,
  preview = false,
): Promise<Pinned | OpenFailure> {
  const { report, failed } = watchErrors(context.report);
  const watched = { ...context, report };
  const { root, config: configPath } = projectRoot(context);
  if (configPath === undefined) {
    // Reports that there is no configuration.
    await openProject(watched);
    return 'no-configuration';
  }
  let isUsable = true;
  const locked = await lockProject(
    {
      root,
      ...(update !== undefined && { update }),
      isPerson: !preview && update === undefined && context.environment.CI !== 'true',
      preview,
      load: async from => {
        const project = await openProject(watched, { locking: { from } });
        isUsable = project !== undefined;
        if (!project) return undefined;
        // Sources of the configuration keep their versions.
        const pinned = {
          ...from,
          entries: joinEntries([...(from?.entries ?? []), ...project.usedByConfig()]),
        };
        const registries = projectRegistries(project, { locking: { from: pinned } }, watched);
        const executables: RecordedExecutable[] = [];
        for (const entry of entriesOf(project.loaded.config))
          executables.push(...recordExecutables(await gatherProgram(project, entry, registries, watched)));
        return failed() ? undefined : { used: registries.used(), executables };
      },
    },
    watched,
  );
  return isUsable ? { root, locked } : 'no-configuration';
}

/**
 * Reads the programs of other builds without reporting, because a lock covers all builds. Adds executables to `found`.
 */
export async function gatherOthers(
  project: Project,
  read: ReadonlySet<string>,
  registries: ProjectRegistries,
  found: RecordedExecutable[] | undefined,
  context: WithDisk & WithReport & WithIsolation,
): Promise<void> {
  for (const entry of entriesOf(project.loaded.config)) {
    if (read.has(entry)) continue;
    const gathered = await gatherProgram(project, entry, registries, { ...context, report: () => {} });
    found?.push(...recordExecutables(gathered));
  }
}

/**
 * Reports a damaged lock, also if nothing is imported. In a frozen run, reports pinned sources that nothing uses; other
 * builds are only read if there seem to be any.
 */
export async function checkUnusedPins(
  project: Project,
  registries: ProjectRegistries,
  frozen: boolean | undefined,
  context: WithDisk & WithEnvironment & WithReport & WithIsolation,
): Promise<void> {
  if (context.isolated) return;
  const isRead = registries.lockState?.() !== undefined;
  if (isRead && !isFrozen(frozen, context.environment)) return;
  const present = openLock(project.root, isRead ? { ...context, report: () => {} } : context);
  if (typeof present === 'string' || !isFrozen(frozen, context.environment)) return;
  if (leftovers(present.lock, registries.used()).length === 0) return;
  await gatherOthers(project, new Set(), registries, undefined, context);
  for (const what of leftovers(present.lock, registries.used())) {
    context.report(lockLeftover({ what }, { file: LOCK_FILE }));
  }
}

/** Sources and files of a lock that were not used. */
function leftovers(lock: Lock, used: readonly LockEntry[]): string[] {
  const read = new Map(used.map(entry => [entry.source, entry]));
  return lock.entries.flatMap(({ source, files }) => {
    const entry = read.get(source);
    if (!entry) return [`\`${source}\``];
    return [...files.keys()].filter(path => !entry.files.has(path)).map(path => `\`${path}\` of ${source}`);
  });
}
