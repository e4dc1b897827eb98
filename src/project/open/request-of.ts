import { readRequest } from '../../emit/request.ts';
import { conventions } from '../../generated/conventions.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import { findSpec, optionOwners } from '../../spec/load.ts';
import type { ConfiguredTarget } from '../config/targets.ts';
import type { WithReport } from '../session/world.ts';
import type { Project } from './open.ts';

/**
 * A target as its settings want it; `undefined` when it is off, or its settings are wrong, which has been reported at
 * the place that `spanOf` gives.
 */
export function requestOf(
  { name, config: settings, path }: ConfiguredTarget,
  { loaded, custom }: Project,
  spanOf: Project['loaded']['spanOf'],
  report: WithReport['report'],
  build?: string,
): TargetRequest | undefined {
  if (settings?.enabled === false) return undefined;
  const spec = findSpec(name, custom, report, spanOf(path, 'key'));
  if (!spec) return undefined;
  const own = loaded.config.customConventions ?? {};
  const context = {
    conventions: [...Object.keys(conventions.conventions), ...Object.keys(own)],
    ...(build !== undefined && { build }),
    optionOwners: () => optionOwners(custom),
    spanOf,
  };
  return readRequest(spec, settings, path as (string | number)[], context, report);
}
