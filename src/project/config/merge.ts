/** Plain data without prototypes, as the YAML reader gives it. */
export type Data = Record<string, unknown>;

/** Whether a value is an object of data, not a list or a scalar. */
export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `near` over `far`: objects merge deeply, everything else is replaced. Neither is changed. */
export function mergeData(far: unknown, near: unknown): unknown {
  if (!isData(far) || !isData(near)) return near;
  const result: Data = Object.assign(Object.create(null), far);
  for (const [key, value] of Object.entries(near))
    result[key] = key in far ? mergeData(far[key], value) : value;
  return result;
}

/** Where a merged policy comes from: file (index into the chain) and its index there, the nearest first. */
export type PolicyOrigin = readonly { readonly file: number; readonly index: number }[];

/**
 * Joins the policy lists of a chain by name. The chain begins with the nearest file, as `extends` does; inherited
 * policies come first. A policy of the same kind merges with its namesake; what it may not say is for `checkInherited`.
 */
export function joinPolicies(lists: readonly (readonly unknown[])[]): {
  policies: unknown[];
  origins: PolicyOrigin[];
} {
  const policies: unknown[] = [];
  const origins: PolicyOrigin[] = [];
  for (let file = lists.length - 1; file >= 0; file--) {
    const inherited = new Map(policies.map((policy, at) => [isData(policy) ? policy.name : undefined, at]));
    for (const [index, policy] of lists[file]!.entries()) {
      const name = isData(policy) ? policy.name : undefined;
      const twin = inherited.get(name);
      if (twin === undefined || typeof name !== 'string') {
        policies.push(policy);
        origins.push([{ file, index }]);
        continue;
      }
      const far = policies[twin] as Data;
      policies[twin] = far.kind === (policy as Data).kind ? mergeData(far, policy) : policy;
      origins[twin] = [{ file, index }, ...origins[twin]!];
    }
  }
  return { policies, origins };
}
