import { Option } from 'clipanion';
import { conflictingOptions } from '../generated/diagnostics.ts';
import type { PrsCommand } from './command.ts';
import type { Invocation } from './invocation.ts';

/** The option that selects the user's configuration instead of a project. */
export const userOption = () =>
  Option.Boolean('--user', false, {
    description: 'Your user-level configuration, and the files in your home folder.',
  });

/** The options of a command that only apply to projects. */
type ProjectOptions = Partial<Record<'recursive' | 'watch' | 'absorb' | 'diff', unknown>>;

/**
 * The context of a command: the given one, or that of the user. `undefined` after reporting an invalid
 * combination.
 */
export async function contextInScope(
  command: PrsCommand & ProjectOptions & { readonly user: boolean },
  context: Invocation['context'],
): Promise<Invocation['context'] | undefined> {
  if (!command.user) return context;
  const others = ['config', 'recursive', 'watch', 'absorb', 'diff'] as const;
  const other = others.find(name => command[name]);
  if (other !== undefined) {
    context.report(conflictingOptions({ first: '--user', second: `--${other}` }));
    return undefined;
  }
  const { forUser } = await import('./core.ts');
  return forUser(context);
}
