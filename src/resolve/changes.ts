import { type BlockDraft, type NodeDraft, sameValue } from './draft.ts';
import type { Merging } from './merging.ts';
import type { Operation, Step } from './program.ts';

type Noting = Pick<Merging, 'run' | 'path' | 'bringing'> & { changes: number };

/** Notes that something was added to a value and left what was there. */
export function noteAddition(m: Noting, base: Pick<NodeDraft, 'steps'>, step: Step): void {
  m.changes++;
  push(m, base.steps, step, m.bringing && 'brought');
}

/**
 * Notes what a replacement takes away and what it adds, field by field: a policy about one field has nothing against
 * a new value that says the same there.
 */
export function noteReplacement(
  m: Noting,
  before: NodeDraft,
  after: NodeDraft | undefined,
  step: Step,
): void {
  m.changes++;
  walk(m, before, after, step);
}

/** The same for a whole block. */
export function noteBlockReplacement(m: Noting, before: BlockDraft, after: BlockDraft, step: Step): void {
  m.changes++;
  for (const entry of before.entries) {
    const place = entry.kind === 'field' ? after.places.get(entry.key) : undefined;
    if (entry.kind === 'field') {
      m.path.push(entry.key);
      const next = place === undefined ? undefined : after.entries[place]!.node;
      if (!next || !sameValue(entry.node, next)) walk(m, entry.node, next, step);
      m.path.pop();
    } else if (!after.entries.some(other => other.kind === entry.kind && sameValue(other.node, entry.node))) {
      push(m, entry.node.steps, step);
    }
  }
}

/**
 * Notes what was there before a file was brought and now stands beside what that file says: declaring first must not
 * be a way round a policy.
 */
export function noteKept(m: Noting, kept: NodeDraft, beside: NodeDraft, operation: Operation): void {
  const base = beside.steps[0]!;
  const own = kept.steps.find(({ layer }) => layer.reference !== base.layer.reference) ?? kept.steps[0]!;
  const isImporter = own.span.source === m.bringing?.span.source;
  if (own.layer.reference === base.layer.reference && !isImporter) return;
  const step = { operation, span: own.span, layer: own.layer };
  m.run.changes.push({ path: [...m.path], base, step, meeting: 'kept' });
}

function walk(m: Noting, before: NodeDraft, after: NodeDraft | undefined, step: Step): void {
  if (before.kind !== 'object' || before.fields.size === 0) {
    push(m, before.steps, step, m.bringing && 'brought');
    return;
  }
  const fields = after?.kind === 'object' ? after.fields : new Map<string, NodeDraft>();
  for (const [key, value] of before.fields) {
    const next = fields.get(key);
    if (next && sameValue(value, next)) continue;
    m.path.push(key);
    walk(m, value, next, step);
    m.path.pop();
  }
  for (const key of fields.keys()) {
    if (before.fields.has(key)) continue;
    m.path.push(key);
    push(m, before.steps, { ...step, operation: 'merge' }, m.bringing && 'brought');
    m.path.pop();
  }
}

function push(m: Noting, steps: readonly Step[], step: Step, meeting?: 'brought'): void {
  const base = steps[0]!;
  const others: Step[] = [];
  for (const other of steps) {
    const { layer, operation } = other;
    if (layer === base.layer || layer === step.layer || operation === 'merge') continue;
    if (!others.some(known => known.layer === layer)) others.push(other);
  }
  m.run.changes.push({
    path: [...m.path],
    base,
    ...(others.length > 0 && { others }),
    step,
    ...(meeting && { meeting }),
  });
}
