/** Data without prototypes, as the YAML reader returns it. */
export type Data = Record<string, unknown>;

/** Whether a value is an object, not a list or a scalar. */
export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges `near` over `far`: objects are merged recursively, other values are replaced. Returns a new value. */
export function mergeData(far: unknown, near: unknown): unknown {
  if (!isData(far) || !isData(near)) return near;
  const result: Data = Object.assign(Object.create(null), far);
  for (const [key, value] of Object.entries(near))
    result[key] = key in far ? mergeData(far[key], value) : value;
  return result;
}

/** The origins of a merged policy, the nearest first: index of the file in the chain, and index in that file. */
export type PolicyOrigin = readonly { readonly file: number; readonly index: number }[];

/**
 * Joins the policies of a chain by name. The chain starts with the nearest file; inherited policies come first.
 * Policies with the same name and kind are merged; `checkInherited` reports changes that are not allowed.
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
