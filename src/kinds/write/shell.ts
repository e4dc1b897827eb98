import { posixCommand, powershellCommand } from '../../text/shell.ts';

/** How a command gets to the project root before it runs. */
export interface RootAccess {
  readonly env?: string;
  readonly cwd?: 'project' | 'git';
}

/**
 * A POSIX command that first changes to `directory` (relative to the project root, empty for the root itself).
 * When the root cannot be found the command does not run: it must not act on another directory.
 */
export function posixInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  return posixFromRoot(posixCommand(argv), directory, root);
}

/** The same for what is a POSIX command already. */
export function posixFromRoot(command: string, directory: string, root: RootAccess | undefined): string {
  const below = directory === '' ? '' : `/${directory}`;
  if (root?.env) return `cd "\${${root.env}:?}"${below === '' ? '' : posixCommand([below])} && ${command}`;
  if (root?.cwd === 'project')
    return below === '' ? command : `cd ${posixCommand([directory])} && ${command}`;
  return `cd "$(git rev-parse --show-toplevel)"${below === '' ? '' : posixCommand([below])} && ${command}`;
}

/** The same for PowerShell. */
export function powershellInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  const command = powershellCommand(argv);
  const quoted = directory === '' ? '' : powershellCommand([directory]);
  if (root?.env)
    return `Set-Location "$env:${root.env}"; ${quoted === '' ? '' : `Set-Location ${quoted}; `}${command}`;
  if (root?.cwd === 'project') return quoted === '' ? command : `Set-Location ${quoted}; ${command}`;
  return `Set-Location (git rev-parse --show-toplevel); ${quoted === '' ? '' : `Set-Location ${quoted}; `}${command}`;
}
