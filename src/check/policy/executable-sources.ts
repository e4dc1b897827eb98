import { executableNotAllowed } from '../../generated/diagnostics.ts';
import type { ExecutableSourcesPolicy } from '../../generated/types/config.ts';
import { executablesOf } from './executables.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { longestCover } from './layer.ts';

/** Reports executable content from registries that are not allowed to provide it. */
export const checkExecutableSources: PolicyCheck<ExecutableSourcesPolicy> = context => {
  const { policy, program, report, namesOf } = context;
  const allowed = policy.allowed.map(prefix => `\`${prefix}\``).join(', ') || 'the project itself';
  for (const { name, word, layers, span } of executablesOf(program)) {
    for (const { reference } of layers) {
      if (longestCover(policy.allowed, namesOf(reference)) !== undefined) continue;
      const holes = { name, word, reference, policy: policy.name, allowed };
      report(executableNotAllowed(holes, findingOf(context, span)));
    }
  }
};
