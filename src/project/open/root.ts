import { dirname, isAbsolute } from 'node:path';
import { hostFailure } from '../../generated/diagnostics.ts';
import type { HostError } from '../../host/host.ts';
import { relativePath, withForwardSlashes } from '../../host/relative-path.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { isInGit } from '../../text/git-name.ts';
import { leavesRoot } from '../../text/paths.ts';
import { findConfig } from '../config/source.ts';
import type { ConfigContext } from '../session/world.ts';

/**
 * The root of the project: the folder of the configuration, else the working folder. A named configuration that does
 * not exist is reported.
 */
export function projectRoot(context: ConfigContext): { readonly root: string; readonly config?: string } {
  const { cwd, configPath } = context;
  const report = configPath === undefined ? () => {} : context.report;
  const found = findConfig(withForwardSlashes(cwd), configPath, context.disk, report);
  return found === undefined ? { root: cwd } : { root: dirname(found), config: found };
}

/** The `/`-separated path relative to the root; `undefined` outside. */
export function pathBelow(root: string, path: string): string | undefined {
  const rest = relativePath(root, path);
  // A folder may be named `~`.
  return rest === '' || isAbsolute(rest) || leavesRoot(`./${rest}`) ? undefined : rest;
}

/**
 * The path of a file relative to the real root; `undefined` outside the project and in Git folders, which may contain
 * credentials.
 */
export function placeInProject(realRoot: string, real: string): string | undefined {
  const place = pathBelow(realRoot, real);
  return place === undefined || isInGit(place) ? undefined : place;
}

/** Converts a host failure to a finding, with paths relative to the working folder. */
export function hostFinding({ path, message }: HostError, cwd: string): Diagnostic {
  const shown = relativePath(cwd, path) || '.';
  return hostFailure({ message: message.replaceAll(path, shown) }, { file: shown });
}
