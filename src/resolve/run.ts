import type { Report } from '../diagnostics/diagnostic.ts';
import { expansionTooLarge } from '../generated/diagnostics.ts';
import { megabyte, megabytes } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import type { Draft, NodeDraft } from './draft.ts';
import type { Change, Resource, Unit } from './program.ts';

/** Text that merging and templates may make, in UTF-16 units. */
const expansionLimit = 100 * megabyte;

/** Files a program may have. */
export const unitLimit = 100_000;

/** How many more results than files there may be: templates give one for each set of arguments. */
export const instanceLimit = 10_000;

/** How deep files may inherit and use one another. */
export const depthLimit = 100;

/** One file being resolved, for the chain that a cycle prints. */
export interface Visit {
  readonly id: string;
  readonly name: string;
}

/** What all of one resolution shares. */
export interface Run {
  readonly units: ReadonlyMap<string, Unit>;
  readonly report: Report;
  readonly env: (name: string) => string | undefined;
  readonly skillTargets: Readonly<Record<string, string>>;
  readonly changes: Change[];
  /** Files that items of `references` stand for. */
  readonly resources: WeakMap<NodeDraft, Resource>;
  /** Results of files that more than one reference leads to, by file and arguments. */
  readonly results: Map<string, Draft>;
  readonly manyUses: ReadonlySet<string>;
  /** Names of documents with the file that has each. */
  readonly documents: Map<string, string>;
  readonly reached: Set<string>;
  readonly visits: Visit[];
  /** Keys of findings that are reported once. */
  readonly told: Set<string>;
  /** Whether `env()` stands somewhere. */
  references: boolean;
  expanded: number;
  instances: number;
}

/** Counts text that was made; `false`, and one error, once it is too much. */
export function spend(run: Run, length: number, span: Span): boolean {
  run.expanded += length;
  if (run.expanded <= expansionLimit) return true;
  once(run, 'expansion', () => {
    run.report(expansionTooLarge({ what: `${megabytes(expansionLimit)} of text` }, { span }));
  });
  return false;
}

/** Does something the first time that a key is given, and nothing later. */
export function once(run: Run, key: string, say: () => void): void {
  if (run.told.has(key)) return;
  run.told.add(key);
  say();
}
