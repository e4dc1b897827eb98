import type { Budget } from '../../emit/limits.ts';
import type { Compiled } from '../../project/compile.ts';
import { countStates, fileData, fileTable, omissionList, plural, table } from './files.ts';

export interface CompileView {
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly verbose: boolean;
  readonly milliseconds: number;
}

/** The members of the JSON object for compile. */
export function compileData({ entries, omissions, budgets }: Compiled): Record<string, unknown> {
  return { files: entries.map(fileData), omissions, budgets };
}

/** The line that says what happened, below the table of files where one was asked for. */
export function compileText(compiled: Compiled, view: CompileView): string {
  const { entries, omissions } = compiled;
  const details = view.dryRun || view.verbose;
  return [
    ...(details && entries.length > 0 ? [`${fileTable(entries)}\n`] : []),
    ...(details && omissions.length > 0 ? [`${omissionList(omissions)}\n`] : []),
    ...budgetLines(compiled.budgets, details),
    `${summary(compiled, view)}\n`,
  ].join('');
}

/** From this share of a limit on, a target's budget is always shown. */
const worthShowing = 0.8;

/** What the tools load in every session: all of them for those who look closer, else those near their limit. */
function budgetLines(budgets: readonly Budget[], all: boolean): string[] {
  const rows = budgets
    .filter(budget => all || share(budget) >= worthShowing)
    .map(budget => [
      budget.target,
      `${budget.characters} characters`,
      `about ${budget.tokens} tokens`,
      budget.limit ? `${Math.round(share(budget) * 100)} % of ${budget.limit.max} ${budget.limit.unit}` : '',
    ]);
  return rows.length > 0 ? [`${table([['always loaded', '', '', ''], ...rows])}\n`] : [];
}

/** How much of its limit a target uses. Lines cannot be told from characters: such a limit is not counted. */
function share({ characters, tokens, limit }: Budget): number {
  if (!limit || limit.unit === 'lines') return 0;
  return (limit.unit === 'tokens' ? tokens : characters) / limit.max;
}

function summary(compiled: Compiled, { dryRun, check, milliseconds }: CompileView): string {
  const { entries, omissions, targets, written, work } = compiled;
  const facts = [
    countStates(entries),
    plural(targets.length, 'target'),
    ...(omissions.length > 0 ? [plural(omissions.length, 'omission')] : []),
    `${Math.round(milliseconds)} ms`,
  ].join(' · ');
  if (check) return `${work ? 'Out of date' : 'Up to date'}: ${facts}`;
  if (dryRun) return `Nothing written (--dry-run): ${facts}`;
  return written ? facts : `Nothing written: ${facts}`;
}
