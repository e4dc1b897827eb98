import { type CompileRequest, compileProject } from '../project/compile.ts';
import type { CompileContext } from '../project/session/world.ts';
import { fewLines } from '../text/names.ts';
import { prompts } from './prompts.ts';

/**
 * Asks whether to remove originals of a migration that no output replaces. Does not ask when there are none.
 */
export async function mayRemoveOriginals(request: CompileRequest, context: CompileContext): Promise<boolean> {
  const quiet = { ...context, report: () => {}, progress: () => {} };
  const planned = await compileProject({ ...request, mode: 'plan', force: false }, quiet);
  if (typeof planned === 'string' || planned.broken || planned.originals.length === 0) return true;
  const { confirm } = await prompts();
  const paths = planned.originals.map(({ path }) => `  ${path}`);
  const head =
    'What these files say is in the sources by now, and tools would read it twice. Remove them? Copies are kept.';
  const answer = await confirm({
    message: [head, ...fewLines(paths, 12, rest => `  and ${rest} more`)].join('\n'),
  });
  return answer === true;
}
