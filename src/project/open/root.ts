import { dirname } from 'node:path';
import { hostFailure } from '../../generated/diagnostics.ts';
import type { HostError } from '../../host/host.ts';
import { relativePath, withForwardSlashes } from '../../host/relative-path.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { findConfig } from '../config/source.ts';
import type { InDirectory, WithDisk, WithReport } from '../session/world.ts';

/**
 * The root of the project: the folder of the configuration, else the working folder. A named configuration that does
 * not exist is reported.
 */
export function projectRoot(context: WithDisk & WithReport & InDirectory): {
  readonly root: string;
  readonly config?: string;
} {
  const { cwd, configPath } = context;
  const report = configPath === undefined ? () => {} : context.report;
  const found = findConfig(withForwardSlashes(cwd), configPath, context.disk, report);
  return found === undefined ? { root: cwd } : { root: dirname(found), config: found };
}

/** Converts a host failure to a finding, with paths relative to the working folder. */
export function hostFinding({ path, message }: HostError, cwd: string): Diagnostic {
  const shown = relativePath(cwd, path) || '.';
  return hostFailure({ message: message.replaceAll(path, shown) }, { file: shown });
}
