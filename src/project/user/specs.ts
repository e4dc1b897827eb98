import { relative, sep } from 'node:path';
import { userFolders } from '../../host/home.ts';
import { userSpec } from '../../spec/adapted.ts';
import { builtinIds, builtinSpec } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';

/**
 * The specs of all tools for what they read of a user, by id; tools of which nothing is known are left out. The environment
 * tells where their sources lie.
 */
export function specsOfUser(
  own: ReadonlyMap<string, LoadedSpec>,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, LoadedSpec> {
  const { root: home, config } = userFolders(environment);
  const below = relative(home, config).split(sep).join('/');
  const sources = below.startsWith('..') ? config.split(sep).join('/') : below;
  const all = new Map(builtinIds().map(id => [id, own.get(id) ?? builtinSpec(id)!]));
  for (const [id, spec] of own) all.set(id, spec);
  return new Map(
    [...all].flatMap(([id, spec]) => {
      const changed = userSpec(spec, sources);
      return changed ? [[id, changed] as const] : [];
    }),
  );
}
