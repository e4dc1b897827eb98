import type { Report } from '../diagnostics/diagnostic.ts';
import type { PolicyDefinition } from '../generated/types/config.ts';
import type { Program } from '../resolve/program.ts';
import type { PolicyCheck, SpanOf } from './kind.ts';
import { checkLayerBoundary } from './layer-boundary.ts';
import { checkPropertyProtection } from './property-protection.ts';
import { reportUnmatched } from './unmatched.ts';

/** Policies about who declared and who changed what; the other kind is asked before a source becomes part of a program. */
type ProgramPolicy = Exclude<PolicyDefinition, { kind: 'registry-allowlist' }>;

/** One check for each `kind`. */
const checks: {
  readonly [Kind in ProgramPolicy['kind']]: PolicyCheck<Extract<ProgramPolicy, { kind: Kind }>>;
} = {
  'layer-boundary': checkLayerBoundary,
  'property-protection': checkPropertyProtection,
};

/**
 * Reports what a program changes against the policies of a configuration, at the offending line, with the protected declaration and
 * the policy as related places, and what policies name that is nowhere. `spanOf` gives places in the configuration. Asynchronous only because the glob
 * matcher is loaded when a policy has a pattern.
 */
export async function checkPolicies(
  program: Program,
  policies: readonly PolicyDefinition[] | undefined,
  spanOf: SpanOf,
  report: Report,
): Promise<void> {
  for (const [index, policy] of (policies ?? []).entries()) {
    if (policy.kind === 'registry-allowlist') continue;
    const check = checks[policy.kind] as PolicyCheck<ProgramPolicy>;
    await check({ program, policy, place: spanOf(['policies', index, 'name']), report });
  }
  reportUnmatched(program, policies ?? [], spanOf, report);
}
