import {
  agentDescriptionMissing,
  agentNameInvalid,
  agentSkillUnknown,
  skillDescriptionLong,
  skillDescriptionMissing,
  skillNameInvalid,
} from '../../generated/diagnostics.ts';
import { isAgentName } from '../../resolve/markdown.ts';
import { unknownNameAt } from '../../text/diagnostics/fixes.ts';
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
      const span = firstSpan(node);
      if (!isAgentName(name)) report(agentNameInvalid({ name }, { span }));
      if (!textOf(fieldOf(node, 'description'))?.trim()) report(agentDescriptionMissing({ name }, { span }));
      // Front matter may contain comma-separated lists: `skills: review, release`.
      for (const item of scalarsOf(fieldOf(node, 'skills')))
        for (const skill of splitList(String(item.value))) {
          if (skills.has(skill)) continue;
          const advice = 'Declare it in `@skills`, or remove it from the agent.';
          const where = unknownNameAt(lastSpan(item), skill, skills, advice);
          const fixes = item.value === skill ? where.fixes : [];
          report(agentSkillUnknown({ agent: name, skill }, { ...where, severity: 'warning', fixes }));
        }
    }
  },
};

const maxName = 64;
const maxDescription = 1024;

/** The requirements of the Agent Skills format. */
export const skillMetadata: Rule = {
  name: 'skill-metadata',
  severity: 'error',
  help: 'Skill names have at most 64 characters of `a-z 0-9 -`, and a description of at most 1024; a warning for imported `SKILL.md` files.',
  check: ({ program, report }) => {
    for (const { name, node } of objectEntries(program, 'skills')) {
      const isImported = program.skills.get(name)?.source !== undefined;
      const severity = isImported ? 'warning' : 'error';
      const problem = skillNameProblem(name);
      if (problem) report(skillNameInvalid({ name, problem }, { severity, span: firstSpan(node) }));
      const description = fieldOf(node, 'description');
      const { length } = [...(textOf(description)?.trim() ?? '')];
      if (length === 0) report(skillDescriptionMissing({ name }, { severity, span: firstSpan(node) }));
      else if (length > maxDescription) {
        const holes = { name, length, limit: maxDescription };
        report(skillDescriptionLong(holes, { severity, span: lastSpan(description) }));
      }
    }
  },
};

/** An alias before the name (`team.review`) becomes part of the folder name and is checked with it. */
function skillNameProblem(name: string): string | undefined {
  const folder = name.replace(/\./g, '-');
  if (folder.length > maxName) return `has ${folder.length} characters; ${maxName} are allowed`;
  if (!/^[a-z0-9-]+$/.test(folder)) return 'may hold only a-z, 0-9 and `-`';
  if (/^-|-$|--/.test(folder)) return 'may not begin or end with `-`, nor hold two in a row';
  return undefined;
}
