import type { Report } from '../diagnostics/diagnostic.ts';
import type { PolicyDefinition } from '../generated/types/config.ts';
import type { Program } from '../resolve/program.ts';
import type { Span } from '../text/source.ts';
import type { PolicyCheck } from './kind.ts';
import { checkLayerBoundary } from './layer-boundary.ts';
import { checkPropertyProtection } from './property-protection.ts';
import { checkRegistryAllowlist } from './registry-allowlist.ts';

/** One check for each `kind` of the configuration schema. */
const checks: {
  readonly [Kind in PolicyDefinition['kind']]: PolicyCheck<Extract<PolicyDefinition, { kind: Kind }>>;
} = {
  'layer-boundary': checkLayerBoundary,
  'property-protection': checkPropertyProtection,
  'registry-allowlist': checkRegistryAllowlist,
};

/**
 * Reports violations of the policies of a configuration, at the offending line, with the protected declaration and
 * the policy as related places. `spanOf` gives places in the configuration. Asynchronous only because the glob
 * matcher is loaded when a policy has a pattern.
 */
export async function checkPolicies(
  program: Program,
  policies: readonly PolicyDefinition[] | undefined,
  spanOf: (path: readonly (string | number)[]) => Span | undefined,
  report: Report,
): Promise<void> {
  for (const [index, policy] of (policies ?? []).entries()) {
    const check = checks[policy.kind] as PolicyCheck<PolicyDefinition>;
    await check({ program, policy, place: spanOf(['policies', index, 'name']), report });
  }
}
