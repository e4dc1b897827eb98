import { relative, sep } from 'node:path';
import { hostFailure } from '../../generated/diagnostics.ts';
import type { HostError } from '../../host/host.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';

/** A failure of the outside world as a finding; paths are shown relative to the directory that the user is in. */
export function hostFinding({ path, message }: HostError, cwd: string): Diagnostic {
  const shown = relative(cwd, path).split(sep).join('/') || '.';
  return hostFailure({ message: message.replaceAll(path, shown) }, { file: shown });
}
