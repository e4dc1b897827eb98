import type { Compiled } from '../../project/compile.ts';
import type { InitAnswers, InitFile } from '../../project/init/init.ts';
import { fewNames } from '../../text/names.ts';
import { createdData, createdFilesText } from './made.ts';

/** The files of a new project as JSON members. */
export const initData = (files: readonly InitFile[]): { readonly files: readonly object[] } => ({
  files: files.map(({ content: text, ...file }) => createdData({ ...file, text })),
});

/** What `prs init` did, or would do. */
export interface InitReport {
  readonly files: readonly InitFile[];
  readonly answers: InitAnswers;
  /** Existing instruction files. */
  readonly instructions: readonly string[];
  readonly dryRun: boolean;
  /** The plan of the next compile, if there is one. */
  readonly planned: Compiled | undefined;
}

/** What was done, and what to do next. */
export function initNotes(report: InitReport): string {
  const { files, answers, dryRun, planned } = report;
  const next = dryRun ? 'Nothing was written.\n' : nextSteps(report);
  return `Project ${answers.name} for ${answers.targets.join(', ')}.\n${createdFilesText(files, dryRun, planned)}${next}`;
}

const forYourself =
  'For yourself alone there may be an instr.local.yaml: further targets, servers of your own, what you switch off.\n';

function nextSteps({ instructions }: InitReport): string {
  const next = (command: string) => `Next: edit .instr/project.prs, then run \`${command}\``;
  if (instructions.length === 0) return `${next('prs compile')}.\n${forYourself}`;
  const names = fewNames(instructions);
  return (
    `${next('prs compile')}.\n` +
    `There are instructions already: ${names}. They are never overwritten without --force.\n` +
    '`prs migrate` makes sources of them, as they are.\n'
  );
}
