import { requiredGuardMissing } from '../../generated/diagnostics.ts';
import { didYouMean } from '../../text/similar.ts';
import { namedEntries } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const requiredGuards: Rule = {
  name: 'required-guards',
  severity: 'error',
  help: 'Guards that `validation.requiredGuards` names must be present.',
  check: ({ program, options, report }) => {
    const names = namedEntries(program, 'guards').map(entry => entry.name);
    // Globs and text directly in the block form a rule with the name of the block.
    const own = program.blocks.get('guards')?.entries.some(({ kind }) => kind === 'text');
    if (own || names.includes('globs') || names.includes('content')) names.push('guards');
    for (const [index, guard] of (options.requiredGuards ?? []).entries()) {
      if (names.includes(guard)) continue;
      const hint = `${didYouMean(guard, names)}Add \`${guard}: { … }\` to \`@guards\`, or remove the name from \`validation.requiredGuards\`.`;
      report(
        requiredGuardMissing(
          { guard },
          { hint, span: options.spanOf?.(['validation', 'requiredGuards', index]) },
        ),
      );
    }
  },
};
