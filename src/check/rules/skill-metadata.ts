import {
  skillDescriptionLong,
  skillDescriptionMissing,
  skillNameInvalid,
} from '../../generated/diagnostics.ts';
import type { ObjectNode, Program, SkillOrigin } from '../../resolve/program.ts';
import { type Fix, replacingIn } from '../../text/diagnostics/fixes.ts';
import { fieldOf, firstSpan, lastSpan, namedEntries, objectEntries, textOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

const maxName = 64;
const maxDescription = 1024;

/** The requirements of the Agent Skills format. */
export const skillMetadata: Rule = {
  name: 'skill-metadata',
  severity: 'error',
  help: 'Skill names have at most 64 characters of `a-z 0-9 -`, and a description of at most 1024; a warning for imported `SKILL.md` files.',
  check: ({ program, report }) => {
    for (const { name, node } of objectEntries(program, 'skills')) {
      const severity = isImported(program.skills.get(name)) ? 'warning' : 'error';
      const problem = nameProblem(name);
      if (problem) {
        const span = firstSpan(node);
        report(
          skillNameInvalid({ name, problem }, { severity, span, fixes: usableName(program, name, node) }),
        );
      }
      const description = fieldOf(node, 'description');
      const text = textOf(description)?.trim() ?? '';
      if (text === '') report(skillDescriptionMissing({ name }, { severity, span: firstSpan(node) }));
      else if ([...text].length > maxDescription) {
        const span = lastSpan(description);
        report(
          skillDescriptionLong({ name, length: [...text].length, limit: maxDescription }, { severity, span }),
        );
      }
    }
  },
};

const isImported = (origin: SkillOrigin | undefined): boolean => origin?.source !== undefined;

/** A fix that renames a skill to a valid name, when it is declared in one place and the name is not taken. */
function usableName(program: Program, name: string, { steps }: ObjectNode): readonly Fix[] {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  const usable = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  if (steps.length > 1 || usable === '' || nameProblem(usable) !== undefined) return [];
  if (namedEntries(program, 'skills').some(entry => entry.name === usable)) return [];
  return replacingIn(steps[0]?.span, `Name it \`${usable}\``, name, usable);
}

/** An alias before the name (`team.review`) becomes part of the folder name and is checked with it. */
function nameProblem(name: string): string | undefined {
  const folder = name.replace(/\./g, '-');
  if (folder.length > maxName) return `has ${folder.length} characters; ${maxName} are allowed`;
  if (!/^[a-z0-9-]+$/.test(folder)) return 'may hold only a-z, 0-9 and `-`';
  if (/^-|-$|--/.test(folder)) return 'may not begin or end with `-`, nor hold two in a row';
  return undefined;
}
