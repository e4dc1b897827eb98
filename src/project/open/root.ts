import { dirname, isAbsolute, relative, sep } from 'node:path';
import { hostFailure } from '../../generated/diagnostics.ts';
import type { HostError } from '../../host/host.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { isInGit } from '../../text/git-name.ts';
import { leavesRoot } from '../../text/paths.ts';
import { type ConfigReader, findConfig } from '../config/source.ts';
import type { ConfigContext, WithDisk } from '../session/world.ts';

/** Absolute paths of the configuration are `/`-separated, on Windows as well. */
export const withForwardSlashes = (path: string) => (sep === '/' ? path : path.split(sep).join('/'));

/** How the configuration is read from the disk. */
export const readerOf = ({ disk }: WithDisk): ConfigReader => ({
  read: path => disk.readBytes(path),
  exists: path => disk.stat(path) !== undefined,
});

/**
 * Absolute path of the project for commands that also work without a configuration: the directory of the
 * configuration when there is one, else the current directory. A configuration that the user named and that is not
 * there is reported.
 */
export function projectRoot(context: ConfigContext): { readonly root: string; readonly config?: string } {
  const { cwd, configPath } = context;
  const report = configPath === undefined ? () => {} : context.report;
  const found = findConfig(withForwardSlashes(cwd), configPath, readerOf(context), report);
  return found === undefined ? { root: cwd } : { root: dirname(found), config: found };
}

/** A path below the root, `/`-separated; `undefined` for one that is not below it. */
export function pathBelow(root: string, path: string): string | undefined {
  const rest = withForwardSlashes(relative(root, path));
  // A folder called `~` is one like others.
  return rest === '' || isAbsolute(rest) || leavesRoot(`./${rest}`) ? undefined : rest;
}

/**
 * The place of a file of a project: its real path below the real root. `undefined` for what lies outside, and for what
 * lies in a directory of Git, which may hold credentials and is no part of what a repository brings.
 */
export function placeInProject(realRoot: string, real: string): string | undefined {
  const place = pathBelow(realRoot, real);
  return place === undefined || isInGit(place) ? undefined : place;
}

/** A failure of the outside world as a finding; paths are shown relative to the directory that the user is in. */
export function hostFinding({ path, message }: HostError, cwd: string): Diagnostic {
  const shown = relative(cwd, path).split(sep).join('/') || '.';
  return hostFailure({ message: message.replaceAll(path, shown) }, { file: shown });
}
