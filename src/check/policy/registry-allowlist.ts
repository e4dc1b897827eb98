import { registryNotAllowed } from '../../generated/diagnostics.ts';
import type { PolicyDefinition } from '../../generated/types/config.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { Span } from '../../text/source.ts';
import { findingOf, type NamesOf, type SpanOf } from './kind.ts';
import { longestCover } from './names.ts';
import { reportWithWaivers, type Waiver } from './waivers.ts';

/**
 * Whether a registry reference may be followed. It is checked by the address that it resolves to before
 * anything is fetched. Every violation is reported; a policy with severity warning does not refuse anything.
 */
export function isReferenceAllowed(
  reference: string,
  span: Span,
  policies: readonly PolicyDefinition[] | undefined,
  spanOf: SpanOf,
  report: Report,
  namings: (index: number) => NamesOf = () => name => [name],
  waivers: readonly Waiver[] = [],
): boolean {
  let admitted = true;
  for (const [index, policy] of (policies ?? []).entries()) {
    if (policy.kind !== 'registry-allowlist') continue;
    if (longestCover(policy.allowed, namings(index)(reference)) !== undefined) continue;
    const allowed = policy.allowed.map(prefix => `\`${prefix}\``).join(', ') || 'the project itself';
    const place = spanOf(['policies', index, 'name']);
    let isExcused = false;
    const reportUnexcused = reportWithWaivers(policy, waivers, report, () => {
      isExcused = true;
    });
    reportUnexcused(
      registryNotAllowed({ reference, policy: policy.name, allowed }, findingOf({ policy, place }, span)),
    );
    if (policy.severity === 'error' && !isExcused) admitted = false;
  }
  return admitted;
}
