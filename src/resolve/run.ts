import { expansionTooLarge } from '../generated/diagnostics.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { megabyte, megabytes } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import type { Draft } from './draft.ts';
import type { Change, Unit } from './program.ts';

/** The maximum size of the text that merging and templates insert, in UTF-16 code units. */
const expansionLimit = 100 * megabyte;

/** The maximum number of files of a program. */
export const unitLimit = 100_000;

/** The maximum number of additional results: a parameterized file has one for each set of arguments. */
export const instanceLimit = 10_000;

/** The maximum depth of inheritance and imports. */
export const depthLimit = 100;

/** The state shared by all files of one resolution. */
export type Run = ReturnType<typeof newRun>;

/** The files of a program, and what the configuration and the environment set for them. */
export interface RunInput {
  readonly units: ReadonlyMap<string, Unit>;
  readonly env: (name: string) => string | undefined;
  readonly skillTargets?: Readonly<Record<string, string>> | undefined;
}

export const newRun = ({ units, env, skillTargets = {} }: RunInput, report: Report) => ({
  units,
  report,
  env,
  skillTargets,
  changes: [] as Change[],
  /** Results by file and arguments: a file that several references lead to is resolved once. */
  results: new Map<string, Draft>(),
  /** Ids of documents by name. */
  documents: new Map<string, string>(),
  reached: new Set<string>(),
  /** The files that are being resolved, each of which imports the next. */
  visits: [] as Unit[],
  /** Keys of findings that are reported once. */
  reported: new Set<string>(),
  /** Whether a source contains `env()`. */
  hasReferences: false,
  expanded: 0,
});

/** Counts inserted text. Returns `false`, and reports one error, when the limit is exceeded. */
export function spendBudget(run: Run, length: number, span: Span): boolean {
  run.expanded += length;
  if (run.expanded <= expansionLimit) return true;
  reportOnce(run, 'expansion', expansionTooLarge({ what: `${megabytes(expansionLimit)} of text` }, { span }));
  return false;
}

/** Reports a finding the first time that its key is seen. */
export function reportOnce(run: Run, key: string, finding: Diagnostic): void {
  if (isFirst(run, key)) run.report(finding);
}

/** Whether findings with this key are not reported yet. */
export function isFirst({ reported }: Run, key: string): boolean {
  const isNew = !reported.has(key);
  reported.add(key);
  return isNew;
}
