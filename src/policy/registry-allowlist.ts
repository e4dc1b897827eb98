import { registryNotAllowed } from '../generated/diagnostics.ts';
import type { RegistryAllowlistPolicy } from '../generated/types/config.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { longestCover } from './layer.ts';

/** Reports what is inherited or used from a registry below none of the allowed prefixes. */
export const checkRegistryAllowlist: PolicyCheck<RegistryAllowlistPolicy> = context => {
  const { policy, program, report } = context;
  for (const { to, span } of program.imports) {
    if (!to.remote || longestCover(policy.allowed, to.reference) !== undefined) continue;
    const allowed = policy.allowed.map(prefix => `\`${prefix}\``).join(', ') || 'the project itself';
    report(
      registryNotAllowed({ reference: to.reference, policy: policy.name, allowed }, findingOf(context, span)),
    );
  }
};
