import type { BlockDraft, Draft, NodeDraft, Owner } from './draft.ts';
import type { Operation, Step } from './program.ts';
import type { Run } from './run.ts';

/** Which of two entries of one name replaces the other whole; `undefined` when they are merged field by field. */
export type Meeting = 'first' | 'later' | undefined;

/** The merging of one declaration, or of one imported file, into a draft. */
export interface Merging {
  readonly run: Run;
  readonly owner: Owner;
  /** What a replacement is called in the provenance. */
  readonly replacing: Operation;
  /** Values written `key!:`, which replace instead of merging. */
  readonly forced: ReadonlySet<NodeDraft> | undefined;
  /** The resolved file that is merged, and the declaration that brings it; a file that was only found has none. */
  readonly from: Draft | undefined;
  readonly bringing: Step | undefined;
  /** Skills of which one version replaced the other whole: only the files of that version count. */
  settled: Map<string, Meeting> | undefined;
  /** The place that is being merged. */
  readonly path: string[];
  /** Counts changes, so that callers see whether there was one. */
  changes: number;
}

/** Prepares the merging of a declaration; `replacing` is the operation that is noted where it replaces a value. */
export const merging = (
  run: Run,
  owner: Owner,
  replacing: Operation = 'replace',
  { forced, from, bringing }: Partial<Pick<Merging, 'forced' | 'from' | 'bringing'>> = {},
): Merging => ({
  run,
  owner,
  replacing,
  forced,
  from,
  bringing,
  settled: undefined,
  path: [],
  changes: 0,
});

/** The step by which `incoming` changed something. */
export function stepOf(incoming: NodeDraft | BlockDraft, operation: Operation): Step {
  const { span, layer } = incoming.steps[0]!;
  return { operation, span, layer };
}
