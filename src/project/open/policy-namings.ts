import type { NamesOf } from '../../check/policy/kind.ts';
import { isReferenceAllowed } from '../../check/policy/registry-allowlist.ts';
import { type Waiver, waiversFor } from '../../check/policy/waivers.ts';
import { recordExternalInput } from '../../host/outside.ts';
import { referenceNamer } from '../../registry/naming.ts';
import type { Span } from '../../text/source.ts';
import type { LoadedConfig } from '../config/load.ts';
import { type CompileContext, dayOf, type WithClock } from '../session/world.ts';

/**
 * Returns, for each policy, a function from a source to its names. The registry settings of the configuration that
 * declares the policy define the names.
 */
export function policyNamings({ config, policyRegistries, root }: LoadedConfig): (index: number) => NamesOf {
  if (!config.policies?.length) return () => name => [name];

  const namings = policyRegistries.map(theirs => referenceNamer(config, theirs, root));
  return index => namings[index]!;
}

/** Returns a function that tells whether the policies allow a reference to a registry. Violations are reported. */
export function referenceGuard(
  loaded: LoadedConfig,
  context: Pick<CompileContext, 'clock' | 'report'>,
): (reference: string, at: Span) => boolean {
  const { config, spanOf } = loaded;
  const [namings, waivers] = [policyNamings(loaded), waiversOf(loaded, context)];
  return (reference, at) =>
    isReferenceAllowed(reference, at, config.policies, spanOf, context.report, namings, waivers);
}

/** The waivers that apply to the project today. If there are any, the result of a run depends on the date. */
export function waiversOf({ config }: Pick<LoadedConfig, 'config'>, context: WithClock): readonly Waiver[] {
  if (!config.policies?.some(({ waivers = [] }) => waivers.length > 0)) return [];
  recordExternalInput('day');
  return waiversFor(config.policies, { project: config.id, today: dayOf(context) });
}
