import { lastingItem } from '../generated/diagnostics.ts';
import { isLasting } from './catalogue.ts';
import { type BlockDraft, fieldOf, keyOf, list, setField } from './draft.ts';
import { appendList } from './lists.ts';
import { below, type MergeContext } from './merge-context.ts';
import type { ListNode, Node } from './program.ts';

/** Whether the merged value is a list whose items no other file can remove. */
export const isLastingPath = ({ path: [block, field, ...names] }: MergeContext): boolean =>
  names.length === 0 && isLasting(block, field);

/** Appends to a lasting list. A single text counts as a list of it: no other type replaces the items. */
export function mergeLasting(base: Node, incoming: Node, m: MergeContext): Node {
  const [before, after] = [asList(base), asList(incoming)];
  if (!before || !after) return base;
  if (m.forced?.has(incoming)) reportRemoved(before, after, m);
  return appendList(before, after, false, m);
}

/** The replacement of a lasting list, with the items of other files, whose removal is reported. */
export function keepLasting(base: Node | undefined, fresh: Node, m: MergeContext): Node {
  const [before, after] = [base && asList(base), asList(fresh)];
  const removed = before ? reportRemoved(before, after, m) : [];
  if (removed.length === 0) return fresh;
  return list([...removed, ...(after?.items ?? [])], (after ?? fresh).steps);
}

/** Keeps the items of the lasting lists of a block that is replaced as a whole. */
export function keepLastingFields(base: BlockDraft, fresh: BlockDraft, m: MergeContext): void {
  for (const entry of base.entries) {
    if (entry.kind !== 'field' || !isLasting(base.name, entry.key)) continue;
    const empty = list([], fresh.steps);
    const next = fieldOf(fresh, entry.key) ?? empty;
    const kept = below(m, [entry.key], () => keepLasting(entry.node, next, m));
    if (kept !== empty) setField(fresh, entry.key, kept);
  }
}

/** Reports and returns the items of other files that a list lacks. */
function reportRemoved(before: ListNode, after: ListNode | undefined, m: MergeContext): Node[] {
  const known = new Set(after?.items.map(keyOf));
  const step = after?.steps.at(-1) ?? before.steps.at(-1)!;
  const removed = before.items.filter(
    item => item.steps[0]!.span.source.name !== step.span.source.name && !known.has(keyOf(item)),
  );
  for (const item of removed) {
    const related = [{ message: 'it is listed here', span: item.steps[0]!.span }];
    const holes = { item: item.kind === 'scalar' ? String(item.value) : 'an item', path: m.path.join('.') };
    m.run.report(lastingItem(holes, { span: step.span, related }));
  }
  return removed;
}

function asList(node: Node): ListNode | undefined {
  if (node.kind === 'list') return node;
  return node.kind === 'scalar' && node.value !== null ? list([node], node.steps) : undefined;
}
