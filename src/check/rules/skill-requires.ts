import { requiredSkillUnknown, skillCycle } from '../../generated/diagnostics.ts';
import type { Severity } from '../../text/diagnostics/diagnostic.ts';
import { renameFix } from '../../text/diagnostics/fixes.ts';
import { didYouMean } from '../../text/similar.ts';
import { namedEntries } from '../nodes.ts';
import { findCycles, requirementsOf } from '../requires.ts';
import type { Rule } from '../rule.ts';

/** Checks `requires` of skills. */
export const skillRequires: Rule = {
  name: 'skill-requires',
  severity: 'error',
  help: 'What a skill requires must exist and not lead back to it; a warning for imported `SKILL.md` files.',
  check: ({ program, report }) => {
    const entries = namedEntries(program, 'skills');
    const names = entries.map(entry => entry.name);
    const known = new Set(names);
    const requirements = requirementsOf(entries);
    // A skill of a registry must not block the project: its finding is not an error.
    const severityOf = (skill: string): Severity =>
      program.skills.get(skill)?.source === undefined ? 'error' : 'warning';
    for (const { from, to, span } of requirements) {
      if (known.has(to)) continue;
      const hint = `${didYouMean(to, names)}Declare it in \`@skills\`, import it with \`@use\`, or remove it from \`requires\`.`;
      const severity = severityOf(from);
      const where = { span, hint, severity, fixes: renameFix(span, to, names) };
      report(requiredSkillUnknown({ skill: from, required: to }, where));
    }
    for (const { chain, closing } of findCycles(requirements)) {
      report(
        skillCycle({ chain: chain.join(' → ') }, { severity: severityOf(closing.from), span: closing.span }),
      );
    }
  },
};
