import { sha256 } from '../../host/hash.ts';
import type { InitAnswers, InitFile } from '../../project/init/init.ts';
import type { MigrateOutcome } from '../../project/move-in/migrate.ts';
import { fewNames } from '../../text/names.ts';
import { migrateText } from './migrate.ts';

/** The files of a new project as members of the JSON object. */
export function initData(files: readonly InitFile[]): { files: readonly object[] } {
  const encoder = new TextEncoder();
  return {
    files: files.map(({ path, state, content }) => {
      const bytes = encoder.encode(content);
      return { path, targets: [], state, mode: '0644', bytes: bytes.length, sha256: sha256(bytes) };
    }),
  };
}

export interface InitReport {
  readonly files: readonly InitFile[];
  readonly answers: InitAnswers;
  /** Instruction files that were there before. */
  readonly instructions: readonly string[];
  /** What their import did, when they were imported. */
  readonly imported: MigrateOutcome | undefined;
  readonly dryRun: boolean;
}

/** What was done, for people, and what to do next. */
export function initNotes(report: InitReport): string {
  const { files, answers, imported, dryRun } = report;
  const lines = files
    .filter(({ state }) => state !== 'unchanged')
    .map(({ path, state }) => {
      const verb = dryRun
        ? `would ${state === 'new' ? 'write' : 'change'}`
        : state === 'new'
          ? 'wrote'
          : 'changed';
      return `  ${verb} ${path}\n`;
    });
  const next = dryRun ? 'Nothing was written.\n' : nextSteps(report);
  const rest = imported ? migrateText(imported, dryRun) : next;
  return `Project ${answers.name} for ${answers.targets.join(', ')}.\n${lines.join('')}${rest}`;
}

function nextSteps({ answers, instructions }: InitReport): string {
  const next = (command: string) => `Next: edit .instr/project.prs, then run \`${command}\``;
  if (instructions.length === 0) return `${next('prs compile')}.\n`;
  const names = fewNames(instructions);
  if (answers.existing === 'replace')
    return `${next('prs compile --force')}:\nit replaces ${names} and keeps copies; \`prs undo\` takes it back.\n`;
  return (
    `${next('prs compile')}.\n` +
    `There are instructions already: ${names}. They are never overwritten without --force.\n` +
    '`prs migrate --static` brings their content into the sources.\n'
  );
}
