import type { EmitResult } from '../../emit/emit.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import type { Build, ChosenBuilds } from '../open/builds.ts';
import type { Project } from '../open/open.ts';
import type { WithIsolation, WithReport } from '../session/world.ts';
import { onlyUnreported } from './only-new.ts';
import { type JoinedOutputs, joinLocal } from './outputs.ts';

/** A compile of the project as far as it has come. */
export interface SharedOutputs {
  readonly project: Project;
  readonly chosen: ChosenBuilds;
  readonly files: readonly OutputFile[];
  /** What has been reported. */
  readonly reported: readonly Diagnostic[];
}

/**
 * Compiles the project once more as one person wants it, and takes of it what is for this person alone: files that are
 * not committed, and what is said of targets that the project does not have.
 */
export async function addLocal<R extends EmitResult>(
  { project, chosen, files, reported }: SharedOutputs,
  compile: (build: Build, report: Report) => Promise<R>,
  context: WithReport & WithIsolation,
): Promise<JoinedOutputs & { readonly emitted: R; readonly requests: readonly TargetRequest[] }> {
  const shared = sharedIds(chosen);
  const emitted = await compile(chosen.local!, onlyUnreported(reported, context.report));
  const joined = joinLocal(project, files, emitted.files, chosen.local!.requests, context, context.report);
  const isOwn = ({ target }: { readonly target: string }) => !shared.has(target);
  return {
    ...joined,
    requests: chosen.local!.requests.filter(({ spec }) => !shared.has(spec.id)),
    emitted: {
      ...emitted,
      omissions: emitted.omissions.filter(isOwn),
      budgets: emitted.budgets.filter(isOwn),
      overlaps: emitted.overlaps.filter(({ request }) => !shared.has(request.spec.id)),
      placed: () => emitted.placed().filter(isOwn),
    },
  };
}

/** Ids of the targets of the project itself. */
const sharedIds = ({ builds }: ChosenBuilds): ReadonlySet<string> =>
  new Set(builds.flatMap(({ requests }) => requests.map(({ spec }) => spec.id)));
