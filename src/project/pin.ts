import type { Compiling } from '../session/world.ts';
import { type RecordedExecutable, recordExecutables } from './executables.ts';
import { projectRegistries } from './gather/registries.ts';
import { type Locked, type LockRequest, lockProject } from './lock.ts';
import { openProject, type Unusable, watchErrors } from './open/open.ts';
import { gatherProgram } from './program.ts';

/** What a lock changed, or `undefined` when something is wrong, which has been reported; then it is as it was. */
export interface Pinned {
  readonly root: string;
  readonly locked: Locked | undefined;
}

/**
 * Writes the lock of the project from everything that its builds read. `update` names the sources that move; the
 * others stay where they are. What is read has to be there in full; whether rules and policies agree with it is asked
 * of the pinned sources later, and a new version may be what mends it.
 */
export async function pinSources(
  update: LockRequest['update'],
  context: Compiling,
): Promise<Pinned | Unusable> {
  const { report, failed } = watchErrors(context.report);
  const watched = { ...context, report };
  const project = await openProject(watched);
  if (!project) return 'no-configuration';
  const { config } = project.loaded;
  const builds = Object.values(config.builds ?? {});
  const entries = new Set([config.input.entry, ...builds.flatMap(({ entry }) => entry ?? [])]);
  const executables: RecordedExecutable[] = [];
  const locked = await lockProject(
    {
      root: project.root,
      ...(update !== undefined && { update }),
      executables: () => executables,
      isPerson: update === undefined && context.environment.CI !== 'true',
      load: async from => {
        const registries = projectRegistries(project, { locking: { from } }, watched);
        for (const entry of entries)
          executables.push(...recordExecutables(await gatherProgram(project, entry, registries, watched)));
        return failed() ? undefined : registries.used();
      },
    },
    watched,
  );
  return { root: project.root, locked };
}
