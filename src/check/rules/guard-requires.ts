import { guardCycle, guardTooDeep, requiredGuardUnknown } from '../../generated/diagnostics.ts';
import { renameFix } from '../../text/diagnostics/fixes.ts';
import { didYouMean } from '../../text/similar.ts';
import { namedEntries } from '../nodes.ts';
import { findCycles, type Requirement, requirementsOf } from '../requires.ts';
import type { Rule } from '../rule.ts';

/** Reports requirements of guards that do not exist, form a cycle, or exceed the depth limit. */
export const guardRequires: Rule = {
  name: 'guard-requires',
  severity: 'error',
  help: 'What a guard requires must exist and not lead back to it; a warning where the depth limit cuts a chain.',
  check: ({ program, options, report }) => {
    const entries = namedEntries(program, 'guards');
    const names = entries.map(entry => entry.name);
    const known = new Set(names);
    const requirements = requirementsOf(entries);
    for (const { from, to, span } of requirements) {
      if (known.has(to)) continue;
      const hint = `${didYouMean(to, names)}Declare it in \`@guards\`, or remove it from \`requires\`.`;
      report(
        requiredGuardUnknown(
          { guard: from, required: to },
          { span, hint, fixes: renameFix(span, to, names) },
        ),
      );
    }
    const cycles = findCycles(requirements);
    for (const { chain, closing } of cycles) {
      report(guardCycle({ chain: chain.join(' → ') }, { span: closing.span }));
    }
    if (cycles.length === 0) {
      const depth = options.guardRequiresDepth ?? 3;
      for (const cut of cutOff(
        requirements.filter(({ to }) => known.has(to)),
        depth,
      )) {
        report(
          guardTooDeep(
            { guard: cut.guard, required: cut.at.to, depth },
            { span: cut.at.span, severity: 'warning' },
          ),
        );
      }
    }
  },
};

/** Requirements that exceed the depth for some guard and are not reached on a shorter path, once each. */
function cutOff(requirements: readonly Requirement[], depth: number): { guard: string; at: Requirement }[] {
  const next = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    next.set(requirement.from, [...(next.get(requirement.from) ?? []), requirement]);
  }
  const found = new Map<Requirement, string>();
  for (const guard of next.keys()) {
    const reached = new Set([guard]);
    let level = [guard];
    for (let step = 0; step < depth; step++) {
      const names = level.flatMap(name => (next.get(name) ?? []).map(({ to }) => to));
      level = [...new Set(names)].filter(name => !reached.has(name));
      for (const name of level) reached.add(name);
    }
    for (const requirement of level.flatMap(name => next.get(name) ?? [])) {
      if (!reached.has(requirement.to) && !found.has(requirement)) found.set(requirement, guard);
    }
  }
  return [...found].map(([at, guard]) => ({ guard, at }));
}
