import { HostError } from '../host/host.ts';
import { decodeText } from '../text/bytes.ts';
import { projectRoot } from './open/root.ts';
import type { CompileContext } from './session/world.ts';

/**
 * Whether a configuration may list packages. A look at its text spares every other project a second reading, and the
 * search for packages, which is loaded for those that have some.
 */
export function mayListPackages(context: CompileContext): boolean {
  const { config } = projectRoot({ ...context, report: () => {} });
  if (config === undefined) return false;
  try {
    const bytes = context.disk.readBytes(config);
    const text = bytes && decodeText(bytes);
    return text?.includes('packages') === true && /\bpackages["']?\s*:/.test(text);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // The command that opens the project says why its configuration cannot be read.
    return false;
  }
}
