import {
  guardCycle,
  guardTooDeep,
  requiredGuardUnknown,
  requiredSkillUnknown,
  skillCycle,
} from '../../generated/diagnostics.ts';
import type { Diagnostic, DiagnosticPlace, Severity } from '../../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../../text/diagnostics/fixes.ts';
import { groupBy } from '../../text/group.ts';
import type { Span } from '../../text/source.ts';
import { fieldOf, lastSpan, namedEntries, scalarsOf } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

export const guardRequires: Rule = {
  name: 'guard-requires',
  severity: 'error',
  help: 'What a guard requires must exist and not lead back to it; a warning where the depth limit cuts a chain.',
  check: context => {
    const requirements = checkRequires('guards', context, {
      advice: 'Declare it in `@guards`, or remove it from `requires`.',
      unknown: (guard, required, where) => requiredGuardUnknown({ guard, required }, where),
      cycle: (chain, _guard, span) => guardCycle({ chain }, { span }),
    });
    const depth = context.options.guardRequiresDepth;
    for (const [{ to, span }, guard] of cutOff(requirements, depth))
      context.report(guardTooDeep({ guard, required: to, depth }, { span, severity: 'warning' }));
  },
};

export const skillRequires: Rule = {
  name: 'skill-requires',
  severity: 'error',
  help: 'What a skill requires must exist and not lead back to it; a warning for imported `SKILL.md` files.',
  check: context => {
    // A skill of a registry must not block the project: its finding is not an error.
    const severityOf = (skill: string): Severity =>
      context.program.skills.get(skill)?.source === undefined ? 'error' : 'warning';
    checkRequires('skills', context, {
      advice: 'Declare it in `@skills`, import it with `@use`, or remove it from `requires`.',
      unknown: (skill, required, where) =>
        requiredSkillUnknown({ skill, required }, { ...where, severity: severityOf(skill) }),
      cycle: (chain, skill, span) => skillCycle({ chain }, { severity: severityOf(skill), span }),
    });
  },
};

/** A name in the `requires` of an entry. */
interface Requirement {
  readonly from: string;
  readonly to: string;
  /** The span of the name, as exactly as provenance tells. */
  readonly span: Span | undefined;
}

interface Findings {
  readonly advice: string;
  readonly unknown: (from: string, to: string, where: DiagnosticPlace) => Diagnostic;
  /** `from` is the entry that closes the cycle. */
  readonly cycle: (chain: string, from: string, span: Span | undefined) => Diagnostic;
}

/** Reports unknown names and cycles. Returns the other requirements, or none when there is a cycle. */
function checkRequires(block: string, { program, report }: RuleContext, findings: Findings): Requirement[] {
  const entries = namedEntries(program, block);
  const names = new Set(entries.map(({ name }) => name));
  const requirements = entries.flatMap(({ name, node }) => {
    const list = fieldOf(node, 'requires');
    return scalarsOf(list).map(
      (item): Requirement => ({
        from: name,
        to: String(item.value),
        span: lastSpan(item) ?? lastSpan(list),
      }),
    );
  });
  for (const { from, to, span } of requirements)
    if (!names.has(to)) report(findings.unknown(from, to, unknownNameAt(span, to, names, findings.advice)));
  const cycles = findCycles(requirements);
  for (const { chain, closing } of cycles)
    report(findings.cycle(chain.join(' → '), closing.from, closing.span));
  return cycles.length > 0 ? [] : requirements.filter(({ to }) => names.has(to));
}

/** Each cycle of requirements once, as names in order, with the requirement that closes it. */
export function findCycles(
  requirements: readonly Requirement[],
): { chain: string[]; closing: Requirement }[] {
  const next = groupBy(requirements, ({ from }) => from);
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

/**
 * Requirements that exceed the depth for some guard and are not reached on a shorter path, once each, with the
 * first such guard.
 */
function cutOff(requirements: readonly Requirement[], depth: number): ReadonlyMap<Requirement, string> {
  const next = groupBy(requirements, ({ from }) => from);
  const cut = new Map<Requirement, string>();
  for (const guard of next.keys()) {
    const reached = new Set([guard]);
    let level = [guard];
    for (let step = 0; step < depth; step++) {
      const names = level.flatMap(name => (next.get(name) ?? []).map(({ to }) => to));
      level = [...new Set(names)].filter(name => !reached.has(name));
      for (const name of level) reached.add(name);
    }
    for (const requirement of level.flatMap(name => next.get(name) ?? []))
      if (!reached.has(requirement.to) && !cut.has(requirement)) cut.set(requirement, guard);
  }
  return cut;
}
