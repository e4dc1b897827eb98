import { lineWord, posixCommand, posixWord, powershellCommand } from '../../text/shell.ts';
import { hasReference } from '../../text/variables.ts';

/** How a command gets to the project root before it runs. */
export interface RootAccess {
  readonly env?: string;
  readonly cwd?: 'project' | 'git';
}

/**
 * A command for a shell that first changes to `directory` (relative to the project root, empty for the root itself). By a
 * variable of the tool it is one for POSIX shells, and does not run where the variable is missing: it must not act on
 * another directory. By Git it is one that the shells of Windows read as well, as far as they can be told the arguments.
 */
export function shellInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  const command = posixCommand(argv);
  const below = directory === '' ? '' : `/${directory}`;
  if (root?.env) return `cd "\${${root.env}:?}"${below === '' ? '' : posixCommand([below])} && ${command}`;
  if (root?.cwd === 'project')
    return below === '' ? command : `cd ${posixCommand([directory])} && ${command}`;
  return commandInProject(argv, directory, root)
    .map(word => (hasReference(word) ? posixWord(word) : lineWord(word)))
    .join(' ');
}

/** How a command for POSIX shells begins that is not to run where a tool sets this variable. */
export const leaving = (variable: string): string => `test -z "$${variable}" || exit 0; `;

/** The alias by which Git is told what to run; no program of Git's may have the name. */
export const rootAlias = 'prs-root';

/** What an alias of Git begins with: its shell command runs at the root, and in a working tree beside others with `GIT_DIR` set. */
export const rootShell = '!unset GIT_DIR; ';

/**
 * The same as an argument list that needs no shell: Git runs an alias in a shell of its own at the root of the repository, on
 * every system, where `sh` is no program that others find on Windows. Outside of a repository it runs where it is started.
 */
export function commandInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string[] {
  // The folder in which Git was started is the project already.
  const start = root?.cwd === 'project' ? '"./$GIT_PREFIX"' : '';
  const go = directory === '' ? '' : `cd ${start}${posixCommand([directory])} && `;
  return ['git', '-c', `alias.${rootAlias}=${rootShell}${go}exec`, rootAlias, ...argv];
}

/** The same for PowerShell. */
export function powershellInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  const command = powershellCommand(argv);
  const quoted = directory === '' ? '' : powershellCommand([directory]);
  // PowerShell knows the home folder where the system sets no such variable.
  const start = root?.env === 'HOME' ? '$HOME' : `$env:${root?.env}`;
  if (root?.env)
    return `Set-Location "${start}"; ${quoted === '' ? '' : `Set-Location ${quoted}; `}${command}`;
  if (root?.cwd === 'project') return quoted === '' ? command : `Set-Location ${quoted}; ${command}`;
  return `Set-Location (git rev-parse --show-toplevel); ${quoted === '' ? '' : `Set-Location ${quoted}; `}${command}`;
}
