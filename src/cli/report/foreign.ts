import type { Compiled } from '../../project/compile.ts';
import type { ForeignOutcome } from '../../project/move-in/foreign.ts';
import { plural } from './files.ts';
import { madeText } from './made.ts';

/** What a conversion of another compiler's sources gives in `--json`. */
export const foreignData = ({ title, files, targets, left, beside, errors }: ForeignOutcome) => ({
  converted: {
    from: title,
    files: files.map(({ path }) => path),
    targets,
    left,
    beside: beside.map(({ path, tools }) => ({ path, tools })),
    errors: errors.map(({ code, message }) => ({ code, message })),
  },
});

/** How many of the files that stay are named. */
const shown = 20;

/** What was converted, what was not, and what to do now. */
export function foreignText(
  { title, files, targets, left, beside, taken, errors }: ForeignOutcome,
  dryRun: boolean,
  planned?: Compiled,
): string {
  const lines = [
    `${plural(taken.length, 'source')} of ${title} for ${targets.join(', ') || 'no tool'}.`,
    madeText(
      files.map(({ path }) => ({ path, state: 'new' })),
      dryRun,
      planned,
    ).trimEnd(),
  ];
  if (left.length > 0) {
    lines.push('Not taken:', ...left.map(({ path, reason }) => `  ${path}: ${reason}`));
  }
  if (beside.length > 0) {
    const rest = beside.length - shown;
    lines.push(
      'Still read by tools, and nothing replaces them; remove those that were generated:',
      ...beside.slice(0, shown).map(({ path, tools }) => `  ${path}: ${tools.join(', ')}`),
      ...(rest > 0 ? [`  and ${rest} more (--json lists them)`] : []),
    );
  }
  if (errors.length > 0) {
    const told = errors.map(({ message, file, span }) => `  ${span?.source.name ?? file ?? ''}: ${message}`);
    lines.push(
      `${plural(errors.length, 'error')} in the way of a compile; \`prs validate\` shows where:`,
      ...told,
    );
  }
  lines.push(
    `What ${title} generated is output from now on; \`prs compile --force\` takes it over and keeps copies of what changes. Its own sources can then be removed.`,
    'Next: `prs compile --dry-run` shows what changes.',
  );
  return `${lines.join('\n')}\n`;
}
