import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { type Compiled, compileProject } from './compile.ts';
import type { CompileContext } from './session/world.ts';
import type { SourceFile } from './write/write-sources.ts';
import { withFiles } from './write/written-disk.ts';

/** What a compile says and would do if files were written. */
export interface Tried {
  readonly findings: readonly Diagnostic[];
  /** What it would do; `undefined` where it does not come that far. */
  readonly compiled: Compiled | undefined;
}

/** Compiles a project as if files were written; nothing is. */
export async function tryFiles(
  files: readonly SourceFile[],
  root: string,
  context: CompileContext,
): Promise<Tried> {
  const findings: Diagnostic[] = [];
  const disk = withFiles(files, root, context.disk);
  const report = (finding: Diagnostic) => void findings.push(finding);
  const compiled = await compileProject({ mode: 'plan' }, { ...context, disk, report, progress: () => {} });
  return { findings, compiled: typeof compiled === 'string' ? undefined : compiled };
}

/** Paths of the files that it would write or keep. */
export const plannedPaths = ({ compiled }: Tried): ReadonlySet<string> =>
  new Set((compiled?.entries ?? []).map(({ path }) => path));
