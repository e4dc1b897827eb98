import { unusedParameter } from '../../generated/diagnostics.ts';
import type { Rule } from '../rule.ts';

/** Not an error: unused parameters are rendered as a section of their own. */
export const unusedParam: Rule = {
  name: 'unused-param',
  severity: 'info',
  help: 'A parameter that no `{{…}}` uses becomes a section of the output; say so.',
  check: ({ program, report }) => {
    for (const { name, used, span } of program.parameters) {
      if (!used) report(unusedParameter({ name }, { span }));
    }
  },
};
