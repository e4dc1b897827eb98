import type { Node } from '../resolve/program.ts';
import type { Span } from '../text/source.ts';
import { fieldOf, lastSpan, type NamedEntry, scalarsOf } from './nodes.ts';

/** An entry of `@skills` or `@guards` and a name in its `requires`. */
export interface Requirement {
  readonly from: string;
  readonly to: string;
  /** The span of the name, as exactly as provenance tells. */
  readonly span: Span | undefined;
}

/** All `requires` of the entries, in order. */
export function requirementsOf(entries: readonly NamedEntry[]): Requirement[] {
  return entries.flatMap(({ name, node }) => {
    const list: Node | undefined = fieldOf(node, 'requires');
    return scalarsOf(list).map(item => ({
      from: name,
      to: String(item.value),
      span: lastSpan(item) ?? lastSpan(list),
    }));
  });
}

/** Each cycle of requirements once, as names in order, with the requirement that closes it. */
export function findCycles(
  requirements: readonly Requirement[],
): { chain: string[]; closing: Requirement }[] {
  const next = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    const list = next.get(requirement.from);
    if (list) list.push(requirement);
    else next.set(requirement.from, [requirement]);
  }
  const cycles: { chain: string[]; closing: Requirement }[] = [];
  const done = new Set<string>();
  for (const start of next.keys()) {
    // Depth first without recursion, because a chain may contain all entries.
    const stack: { name: string; at: number }[] = done.has(start) ? [] : [{ name: start, at: 0 }];
    const open = new Map<string, number>(stack.length > 0 ? [[start, 0]] : []);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const requirement = next.get(top.name)?.[top.at];
      top.at += 1;
      if (!requirement) {
        done.add(top.name);
        open.delete(top.name);
        stack.pop();
        continue;
      }
      const depth = open.get(requirement.to);
      if (depth !== undefined) {
        const chain = [...stack.slice(depth).map(item => item.name), requirement.to];
        cycles.push({ chain, closing: requirement });
      } else if (!done.has(requirement.to)) {
        open.set(requirement.to, stack.length);
        stack.push({ name: requirement.to, at: 0 });
      }
    }
  }
  return cycles;
}
