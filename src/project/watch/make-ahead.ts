import { HostError } from '../../host/host.ts';
import type { Session } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import type { CompileRequest } from '../compile.ts';
import { projectRegistries } from '../gather/registries.ts';

/**
 * Has a session make what the next compile will ask it for, so that it finds that made. Nothing is told or written: the
 * compile asks the disk again whether all of it stands, and says what is wrong.
 */
export async function makeAhead(
  request: CompileRequest,
  context: Compiling,
  session: Session,
): Promise<void> {
  const report = () => {};
  const { frozen, layout } = request;
  try {
    const project = await session.project(report, { frozen });
    if (!project) return;
    const chosen = await session.builds(project, request, report);
    if (chosen === 'wrong-request') return;
    const registries = projectRegistries(project, { frozen }, { ...context, disk: session.disk, report });
    for (const build of chosen.builds) {
      const isLocal = build.disabled !== undefined;
      const loaded = await session.program(project, build.entry, registries, report, { isLocal });
      const model = await session.model(loaded, project, build, report);
      await session.outputs(model, build, project, loaded.sources, report, { layout });
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}
