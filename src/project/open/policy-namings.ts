import type { NamesOf } from '../../check/policy/kind.ts';
import { referenceNamer } from '../../registry/naming.ts';
import type { RegistrySettings } from '../../registry/settings.ts';
import type { LoadedConfig } from '../config/load.ts';

/**
 * How each policy of a configuration calls sources: by what the configuration that declares it says about registries.
 * Without registries or without policies there are no other names.
 */
export async function policyNamings(
  config: LoadedConfig['config'],
  policyRegistries: LoadedConfig['policyRegistries'],
  root: string,
): Promise<(index: number) => NamesOf> {
  if (!config.policies?.length) return () => name => [name];

  const own = config as RegistrySettings;
  const namings = policyRegistries.map(theirs => referenceNamer(own, theirs as RegistrySettings, root));
  return index => namings[index]!;
}
