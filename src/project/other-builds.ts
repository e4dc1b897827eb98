import type { RecordedExecutable } from './executables.ts';
import { recordExecutables } from './executables.ts';
import type { ProjectRegistries } from './gather/registries.ts';
import type { Project } from './open/open.ts';
import { gatherProgram } from './program.ts';
import type { WithDisk, WithIsolation, WithReport } from './session/world.ts';

/** The entry files of the ordinary compile and of all builds: what a lock pins is what all of them read. */
export function entriesOf({ loaded: { config } }: Project): Set<string> {
  const builds = Object.values(config.builds ?? {});
  return new Set([config.input.entry, ...builds.flatMap(({ entry }) => entry ?? [])]);
}

/**
 * Reads the programs of the builds that a run is not about, without their findings, because a lock is about all of them.
 * What of them can run is added to `found`.
 */
export async function gatherOthers(
  project: Project,
  read: ReadonlySet<string>,
  registries: ProjectRegistries,
  found: RecordedExecutable[] | undefined,
  context: WithDisk & WithReport & WithIsolation,
): Promise<void> {
  for (const entry of entriesOf(project)) {
    if (read.has(entry)) continue;
    const gathered = await gatherProgram(project, entry, registries, { ...context, report: () => {} });
    if (!found) continue;

    found.push(...recordExecutables(gathered));
  }
}
