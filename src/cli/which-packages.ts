import { Option } from 'clipanion';
import type { Packages } from '../project/packages.ts';
import type { CompileContext } from '../project/session/world.ts';

/** The `--recursive` option of commands that support several projects. */
export const recursiveOption = () =>
  Option.Boolean('--recursive', {
    description: 'Every project below this folder; --no-recursive: only this one, even if it lists packages.',
  });

/** The packages of a command; `undefined` when it is about a single project. */
export async function selectPackages(
  context: CompileContext,
  recursive: boolean | undefined,
): Promise<Packages | undefined> {
  if (recursive === false) return undefined;
  const { findPackages, mayListPackages } = await import('./core.ts');
  if (!recursive && !mayListPackages(context)) return undefined;
  return findPackages(context, recursive);
}
