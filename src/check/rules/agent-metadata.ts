import { agentDescriptionMissing, agentNameInvalid, agentSkillUnknown } from '../../generated/diagnostics.ts';
import type { ObjectNode, Program } from '../../resolve/program.ts';
import { type Fix, replacingIn, unknownNameAt } from '../../text/diagnostics/fixes.ts';
import { splitList } from '../../text/split-list.ts';
import { fieldOf, firstSpan, lastSpan, namedEntries, objectEntries, scalarsOf, textOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Tools select an agent by its description and address it by its name. */
export const agentMetadata: Rule = {
  name: 'agent-metadata',
  severity: 'error',
  help: 'Agents need a name of letters, digits, `-` and `_`, a description, and skills that exist.',
  check: ({ program, report }) => {
    const skills = new Set(namedEntries(program, 'skills').map(entry => entry.name));
    for (const { name, node } of objectEntries(program, 'agents')) {
      if (!isUsable(name))
        report(agentNameInvalid({ name }, { span: firstSpan(node), fixes: usableName(program, name, node) }));
      if (!textOf(fieldOf(node, 'description'))?.trim()) {
        report(agentDescriptionMissing({ name }, { span: firstSpan(node) }));
      }
      const named = scalarsOf(fieldOf(node, 'skills')).flatMap(skill =>
        // Front matter may contain comma-separated lists: `skills: review, release`.
        splitList(String(skill.value)).map(wanted => ({ skill, wanted })),
      );
      for (const { skill, wanted } of named) {
        if (skills.has(wanted)) continue;
        const advice = 'Declare it in `@skills`, or remove it from the agent.';
        const { fixes, ...where } = unknownNameAt(lastSpan(skill), wanted, skills, advice);
        const isAlone = skill.value === wanted;
        report(
          agentSkillUnknown(
            { agent: name, skill: wanted },
            { ...where, severity: 'warning', fixes: isAlone ? fixes : [] },
          ),
        );
      }
    }
  },
};

const isUsable = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

/**
 * A fix that renames an agent to a valid name, when it is declared in one place and the name is not taken.
 */
function usableName(program: Program, name: string, { steps }: ObjectNode): readonly Fix[] {
  const usable = name.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
  if (steps.length > 1 || !isUsable(usable)) return [];
  if (namedEntries(program, 'agents').some(entry => entry.name === usable)) return [];
  return replacingIn(steps[0]?.span, `Name it \`${usable}\``, name, usable);
}
