import { Option } from 'clipanion';
import { mayListPackages } from '../project/listed-packages.ts';
import type { Packages } from '../project/packages.ts';
import type { Compiling } from '../session/world.ts';

/** `--recursive` of every command that may be about many projects. */
export const recursiveOption = () =>
  Option.Boolean('--recursive', {
    description: 'Every project below this directory; --no-recursive: this one alone, whatever it lists.',
  });

/** The packages that a command is about; `undefined` when it is about one project, which is what most are. */
export async function whichPackages(
  context: Compiling,
  recursive: boolean | undefined,
): Promise<Packages | undefined> {
  if (recursive === false || (!recursive && !mayListPackages(context))) return undefined;
  const { findPackages } = await import('./core.ts');
  return findPackages(context, recursive);
}
