import { type RecordedExecutable, recordExecutables } from './executables.ts';
import { projectRegistries } from './gather/registries.ts';
import { joinEntries, type Locked, type LockRequest, lockProject } from './lock.ts';
import { type OpenFailure, openProject, watchErrors } from './open/open.ts';
import { projectRoot } from './open/root.ts';
import { entriesOf } from './other-builds.ts';
import { gatherProgram } from './program.ts';
import type { CompileContext } from './session/world.ts';

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
  context: CompileContext,
  { preview = false }: { readonly preview?: boolean } = {},
): Promise<Pinned | OpenFailure> {
  const { report, failed } = watchErrors(context.report);
  const watched = { ...context, report };
  const { root, config: configPath } = projectRoot(context);
  let unusable = configPath === undefined;
  if (unusable) {
    // Says that there is none.
    await openProject(watched);
    return 'no-configuration';
  }
  const executables: RecordedExecutable[] = [];
  const locked = await lockProject(
    {
      root,
      ...(update !== undefined && { update }),
      executables: () => executables,
      isPerson: !preview && update === undefined && context.environment.CI !== 'true',
      preview,
      load: async from => {
        const project = await openProject(watched, { locking: { from } });
        unusable = !project;
        if (!project) return undefined;
        // What the configuration itself was read from is the same for its sources.
        const pinned = {
          ...from,
          entries: joinEntries([...(from?.entries ?? []), ...project.usedByConfig()]),
        };
        const registries = projectRegistries(project, { locking: { from: pinned } }, watched);
        for (const entry of entriesOf(project))
          executables.push(...recordExecutables(await gatherProgram(project, entry, registries, watched)));
        return failed() ? undefined : registries.used();
      },
    },
    watched,
  );
  return unusable ? 'no-configuration' : { root, locked };
}
