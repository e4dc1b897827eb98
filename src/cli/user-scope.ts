import { Option } from 'clipanion';
import { conflictingOptions } from '../generated/diagnostics.ts';
import type { PrsCommand } from './command.ts';
import type { Invocation } from './invocation.ts';

/** The option that turns from a project to what belongs to a user. */
export const userOption = () =>
  Option.Boolean('--user', false, {
    description: 'What is yours in every project: your own configuration, and files in your home folder.',
  });

/** What of the options of a command is about projects alone. */
type OfProjects = Partial<Record<'recursive' | 'watch' | 'absorb' | 'diff', unknown>>;

/**
 * The world that a command works in: the one that it was given, or that of the user. `undefined`: this cannot be, which has
 * been reported.
 */
export async function inScope(
  command: PrsCommand & OfProjects & { readonly user: boolean },
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
