import { policyChanged, policyLowered } from '../../generated/diagnostics.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { removingField } from '../../text/diagnostics/fixes.ts';
import type { YamlFile } from '../../text/yaml.ts';
import { type Layer, policiesOf } from './chain.ts';
import { type Data, isData, type PolicyOrigin } from './merge.ts';

/**
 * Reports what a nearer file says otherwise about an inherited policy: it may make it an error, and nothing else. What
 * it wants beside it goes into a policy of its own, because policies add up.
 */
export function checkInherited(
  chain: readonly Layer[],
  origins: readonly PolicyOrigin[],
  report: Report,
): void {
  for (const places of origins) {
    const versions = places.map(({ file, index }) => ({
      ...chain[file]!.file,
      path: ['policies', index] as const,
      policy: policiesOf(chain[file]!.data)[index] as Data,
    }));
    for (const [at, near] of versions.entries()) compareVersions(near, versions.slice(at + 1), report);
  }
}

/** One policy as one file of the chain has it. */
interface Version extends Pick<YamlFile, 'source' | 'spanOf'> {
  readonly path: readonly ['policies', number];
  readonly policy: Data;
}

function compareVersions(near: Version, inherited: readonly Version[], report: Report): void {
  // What has no severity yet is no policy, but the beginning of one.
  const whole = inherited.find(({ policy }) => policy.severity !== undefined);
  if (!whole) return;
  for (const [key, value] of Object.entries(near.policy)) {
    if (key === 'name' || key === 'description') continue;
    const far = inherited.find(({ policy }) => policy[key] !== undefined) ?? whole;
    if (isSame(far.policy[key], value)) continue;
    const path = [...near.path, key];
    const place = far.spanOf([...far.path, key]) ?? far.spanOf(far.path);
    const related = place && [{ message: 'declared here', span: place }];
    const where = { span: near.spanOf(path) ?? near.spanOf(near.path), related };
    const holes = { policy: String(near.policy.name), inherited: far.source.name };
    if (key !== 'severity') report(policyChanged({ ...holes, field: key }, where));
    else if (value !== 'error') {
      const fixes = removingField(part => near.spanOf(path, part), 'severity');
      report(policyLowered(holes, { ...where, fixes }));
    }
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a policy says the same as one that is there. */
export const hasPolicy = (policies: readonly unknown[], policy: unknown): boolean =>
  policies.some(one => isData(one) && isSame(sorted(one), isData(policy) ? sorted(policy) : policy));

const sorted = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
