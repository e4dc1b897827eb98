import type { NamesOf } from '../../check/policy/kind.ts';
import { type Waiver, waiversFor } from '../../check/policy/waivers.ts';
import { recordExternalInput } from '../../host/outside.ts';
import { referenceNamer } from '../../registry/naming.ts';
import type { RegistrySettings } from '../../registry/settings.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { WithClock } from '../session/world.ts';

/**
 * How each policy of a configuration calls sources: by what the configuration that declares it says about registries.
 * Without registries or without policies there are no other names.
 */
export function policyNamings(
  config: LoadedConfig['config'],
  policyRegistries: LoadedConfig['policyRegistries'],
  root: string,
): (index: number) => NamesOf {
  if (!config.policies?.length) return () => name => [name];

  const own = config as RegistrySettings;
  const namings = policyRegistries.map(theirs => referenceNamer(own, theirs as RegistrySettings, root));
  return index => namings[index]!;
}

/** The waivers that concern a project today; where there are any, a run says something about its day alone. */
export function waiversOf(
  { config }: Pick<LoadedConfig, 'config'>,
  context: Partial<WithClock>,
): readonly Waiver[] {
  if (!config.policies?.some(({ waivers = [] }) => waivers.length > 0)) return [];
  recordExternalInput('day');
  return waiversFor(config.policies, { project: config.id, today: dayOf(context) });
}

/** The day of a run in UTC. */
export const dayOf = ({ clock = () => new Date() }: Partial<WithClock>): string =>
  clock().toISOString().slice(0, 10);
