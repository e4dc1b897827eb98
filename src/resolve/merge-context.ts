import type { Layer } from '../text/layer.ts';
import type { Draft } from './draft.ts';
import { type BlockDraft, fieldOf, sameValue } from './draft.ts';
import type { Change, Node, Operation, ProvenanceStep } from './program.ts';
import type { Run } from './run.ts';

/** Which of two entries with the same name replaces the other completely. */
export type Precedence = 'first' | 'later';

/** The context of merging one declaration or one imported file into a draft. */
export interface MergeContext {
  readonly run: Run;
  /** The operation to record in the provenance when a value is replaced. */
  readonly replacing: Operation;
  /** Values written as `key!:`, which replace instead of merging. */
  readonly forced?: ReadonlySet<Node>;
  /** The resolved file being merged; absent for a declaration. */
  readonly from?: Draft;
  /** The declaration that imports the file; absent for a discovered file. */
  readonly importStep?: ProvenanceStep | undefined;
  /** Skills of which one version replaced the other completely: only the files of that version are kept. */
  readonly winners: Map<string, Precedence>;
  /** Set for a block of a file: entries of which a value of the same file was replaced and reported. */
  readonly hiding?: Set<string>;
  readonly path: string[];
  changes: number;
}

/** Creates the context for merging a declaration or a file. */
export const mergeContext = (
  run: Run,
  options: Partial<Pick<MergeContext, 'replacing' | 'forced' | 'from' | 'importStep' | 'hiding'>> = {},
): MergeContext => ({ run, replacing: 'replace', winners: new Map(), path: [], changes: 0, ...options });

/** Runs `action` with `keys` appended to the path. */
export function withPath<T>({ path }: MergeContext, keys: readonly string[], action: () => T): T {
  path.push(...keys);
  const result = action();
  path.length -= keys.length;
  return result;
}

/** The provenance step with which `incoming` changes something. */
export function stepOf({ steps }: Pick<Node, 'steps'>, operation: Operation): ProvenanceStep {
  return { ...steps[0]!, operation };
}

/** Records an addition to a value, for policies. */
export function noteAddition(m: MergeContext, base: Pick<Node, 'steps'>, step: ProvenanceStep): void {
  m.changes++;
  record(m, base.steps, step, m.importStep && 'brought');
}

/**
 * Records what a replacement removes and adds, field by field, because a policy about one field does not
 * apply to its siblings.
 */
export function noteReplacement(
  m: MergeContext,
  before: Node,
  after: Node | undefined,
  step: ProvenanceStep,
): void {
  m.changes++;
  compare(m, before, after, step);
}

/** Records the replacement of a whole block. */
export function noteBlockReplacement(
  m: MergeContext,
  before: BlockDraft,
  after: BlockDraft,
  step: ProvenanceStep,
): void {
  m.changes++;
  for (const entry of before.entries) {
    if (entry.kind === 'field') {
      const next = fieldOf(after, entry.key);
      if (!sameValue(entry.node, next)) withPath(m, [entry.key], () => compare(m, entry.node, next, step));
    } else if (!after.entries.some(other => other.kind === entry.kind && sameValue(other.node, entry.node)))
      record(m, entry.node.steps, step);
  }
}

/**
 * Records a value that remains next to an imported one, so that a declaration before the import cannot evade
 * a policy.
 */
export function recordKept(m: MergeContext, kept: Node, incoming: Node, operation: Operation): void {
  const base = incoming.steps[0]!;
  const own = kept.steps.find(({ layer }) => layer.reference !== base.layer.reference) ?? kept.steps[0]!;
  const isImporter = own.span.source === m.importStep?.span.source;
  if (own.layer.reference === base.layer.reference && !isImporter) return;
  m.run.changes.push({ path: [...m.path], base, step: { ...own, operation }, meeting: 'kept' });
}

function compare(m: MergeContext, before: Node, after: Node | undefined, step: ProvenanceStep): void {
  const meeting = m.importStep && 'brought';
  if (before.kind !== 'object' || before.fields.size === 0) {
    record(m, before.steps, step, meeting);
    return;
  }
  const fields = after?.kind === 'object' ? after.fields : new Map<string, Node>();
  for (const [key, value] of before.fields) {
    const next = fields.get(key);
    if (!sameValue(value, next)) withPath(m, [key], () => compare(m, value, next, step));
  }
  for (const key of fields.keys())
    if (!before.fields.has(key))
      withPath(m, [key], () => record(m, before.steps, { ...step, operation: 'merge' }, meeting));
}

function record(
  m: MergeContext,
  steps: readonly ProvenanceStep[],
  step: ProvenanceStep,
  meeting?: Change['meeting'],
): void {
  const base = steps[0]!;
  const others = new Map<Layer, ProvenanceStep>();
  for (const other of steps) {
    const { layer, operation } = other;
    if (layer === base.layer || layer === step.layer || operation === 'merge') continue;
    if (!others.has(layer)) others.set(layer, other);
  }
  m.run.changes.push({
    path: [...m.path],
    base,
    ...(others.size > 0 && { others: [...others.values()] }),
    step,
    ...(meeting && { meeting }),
  });
}
