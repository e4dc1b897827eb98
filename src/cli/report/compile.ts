import type { Compiled } from '../../project/compile.ts';
import { countStates, fileData, fileTable, omissionList, plural } from './files.ts';

export interface CompileView {
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly verbose: boolean;
  readonly milliseconds: number;
}

/** The members of the JSON object for compile. */
export function compileData({ entries, omissions }: Compiled): Record<string, unknown> {
  return { files: entries.map(fileData), omissions };
}

/** The line that says what happened, below the table of files where one was asked for. */
export function compileText(compiled: Compiled, view: CompileView): string {
  const { entries, omissions } = compiled;
  const details = view.dryRun || view.verbose;
  return [
    ...(details && entries.length > 0 ? [`${fileTable(entries)}\n`] : []),
    ...(details && omissions.length > 0 ? [`${omissionList(omissions)}\n`] : []),
    `${summary(compiled, view)}\n`,
  ].join('');
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
