import { renaming } from '../../diagnostics/fixes.ts';
import { requiredSkillUnknown, skillCycle } from '../../generated/diagnostics.ts';
import { didYouMean } from '../../text/similar.ts';
import { namedEntries } from '../nodes.ts';
import { findCycles, requirementsOf } from '../requires.ts';
import type { Rule } from '../rule.ts';

/** Skills that build on others. */
export const skillRequires: Rule = {
  name: 'skill-requires',
  severity: 'error',
  help: 'What a skill requires must exist and not lead back to it.',
  check: ({ program, report }) => {
    const entries = namedEntries(program, 'skills');
    const names = entries.map(entry => entry.name);
    const known = new Set(names);
    const requirements = requirementsOf(entries);
    for (const { from, to, span } of requirements) {
      if (known.has(to)) continue;
      const hint = `${didYouMean(to, names)}Declare it in \`@skills\`, import it with \`@use\`, or remove it from \`requires\`.`;
      report(
        requiredSkillUnknown({ skill: from, required: to }, { span, hint, fixes: renaming(span, to, names) }),
      );
    }
    for (const { chain, closing } of findCycles(requirements)) {
      report(skillCycle({ chain: chain.join(' → ') }, { span: closing.span }));
    }
  },
};
