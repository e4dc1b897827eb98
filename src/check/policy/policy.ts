import type { PolicyDefinition } from '../../generated/types/config.ts';
import type { Program } from '../../resolve/program.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { checkExecutableSources } from './executables.ts';
import type { NamesOf, PolicyCheck, SpanOf } from './kind.ts';
import { checkLayerBoundary } from './layer-boundary.ts';
import { checkPropertyProtection } from './property-protection.ts';
import { checkRequiredSource } from './required-source.ts';
import { reportUnmatched } from './unmatched.ts';
import { reportExpired, reportWithWaivers, type Waiver } from './waivers.ts';

/** Policies about provenance in a program; registry allow-lists are checked before a source is loaded. */
type ProgramPolicy = Exclude<PolicyDefinition, { kind: 'registry-allowlist' }>;

/** One check per `kind`. Policies about registries are loaded on demand. */
const checks: {
  readonly [Kind in ProgramPolicy['kind']]: PolicyCheck<Extract<ProgramPolicy, { kind: Kind }>>;
} = {
  'layer-boundary': checkLayerBoundary,
  'property-protection': checkPropertyProtection,
  'required-source': checkRequiredSource,
  'executable-sources': checkExecutableSources,
};

/**
 * Checks a program against the policies of a configuration. Reports violations at the offending line, with
 * the protected declaration and the policy as related spans, and names in policies that match nothing.
 * `spanOf` gives spans in the configuration; `entry` is the id of the entry file of a whole program;
 * `namings` says how each policy names sources. Asynchronous only because glob and version matchers are
 * loaded on demand.
 */
export async function checkPolicies(
  program: Program,
  policies: readonly PolicyDefinition[] | undefined,
  spanOf: SpanOf,
  report: Report,
  entry?: string,
  namings: (index: number) => NamesOf = () => name => [name],
  waivers: readonly Waiver[] = [],
): Promise<void> {
  for (const [index, policy] of (policies ?? []).entries()) {
    if (policy.kind === 'registry-allowlist') continue;
    const check = checks[policy.kind] as PolicyCheck<ProgramPolicy>;
    const place = spanOf(['policies', index, 'name']);
    const reportUnexcused = reportWithWaivers(policy, waivers, report);
    await check({ program, policy, place, report: reportUnexcused, entry, namesOf: namings(index) });
  }
  if (entry !== undefined) reportExpired(waivers, spanOf, report);
  reportUnmatched(program, policies ?? [], spanOf, report, namings);
}
