import type { OutputFile } from '../kinds/output.ts';
import { projectRegistries } from './gather/registries.ts';
import type { BuildChoice } from './open/builds.ts';
import type { Project } from './open/open.ts';
import type { Session } from './session/session.ts';
import type { CompileContext } from './session/world.ts';

/** How outputs are made for a look at them. */
interface OutputLook {
  /** Gets findings about the outputs; those about the sources go to the report of the world. */
  readonly report: CompileContext['report'];
  /** With the origins of lines. */
  readonly trace: boolean;
  /** Without the rules. */
  readonly unchecked?: boolean;
  /** Whether sources were found to be wrong, so that nothing is made of them. */
  readonly isBroken?: () => boolean;
}

/** The formatted output files of each chosen build, one build after the other. */
export async function* outputsOfBuilds(
  project: Project,
  choice: BuildChoice,
  session: Session,
  world: CompileContext,
  { report, trace, unchecked = false, isBroken = () => false }: OutputLook,
): AsyncGenerator<readonly OutputFile[]> {
  const chosen = await session.builds(project, choice, report);
  const registries = projectRegistries(project, {}, world);
  for (const build of chosen === 'wrong-request' ? [] : chosen.builds) {
    const loaded = await session.program(project, build.entry, registries, world.report, { unchecked });
    if (isBroken()) return;
    const model = await session.model(loaded, project, build, report, { trace });
    const { sources } = loaded;
    const { files } = await session.formattedOutputs(model, build, project, sources, report, { trace });
    yield files;
  }
}
