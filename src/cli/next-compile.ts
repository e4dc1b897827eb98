import type { Compiled } from '../project/compile.ts';
import type { CompileContext } from '../project/session/world.ts';

/** The plan of the first compile after `init` or `migrate`; `undefined` while the sources have errors. */
export async function planNextCompile(
  dryRun: boolean,
  context: CompileContext,
): Promise<Compiled | undefined> {
  if (dryRun) return undefined;
  const { compileProject } = await import('./core.ts');
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report: () => {} });
  return typeof compiled === 'string' || compiled.broken ? undefined : compiled;
}
