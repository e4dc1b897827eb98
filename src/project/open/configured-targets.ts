import type { TargetSpec } from '../../generated/types/target.ts';
import { resolveTargetName } from '../../spec/load.ts';
import { targetEntries } from '../config/targets.ts';
import type { CompileContext } from '../session/world.ts';
import type { Known } from './known-specs.ts';
import { openConfig } from './open.ts';

/** The tools of a configuration that is there; `undefined` after its faults were reported. */
export async function configuredTargets(
  { specs, custom }: Pick<Known, 'specs' | 'custom'>,
  context: CompileContext,
): Promise<TargetSpec[] | undefined> {
  const loaded = await openConfig(context);
  if (!loaded) return undefined;
  const ids = new Set(targetEntries(loaded.config, []).map(({ name }) => resolveTargetName(name, custom)));
  return specs.filter(({ id }) => ids.has(id));
}
