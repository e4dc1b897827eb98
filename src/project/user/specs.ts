import { builtinIds, builtinSpec } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { userSpec } from '../../spec/user-spec.ts';

/** The specs of all tools for what they read of a user, by id; tools of which nothing is known are left out. */
export function specsOfUser(own: ReadonlyMap<string, LoadedSpec>): ReadonlyMap<string, LoadedSpec> {
  const all = new Map(builtinIds().map(id => [id, own.get(id) ?? builtinSpec(id)!]));
  for (const [id, spec] of own) all.set(id, spec);
  return new Map(
    [...all].flatMap(([id, spec]) => {
      const changed = userSpec(spec);
      return changed ? [[id, changed] as const] : [];
    }),
  );
}
