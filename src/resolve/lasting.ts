import { lastingItem } from '../generated/diagnostics.ts';
import { isLasting } from './catalogue.ts';
import {
  type BlockDraft,
  type Draft,
  fieldOf,
  keyOf,
  type ListDraft,
  list,
  type NodeDraft,
  own,
  setField,
} from './draft.ts';
import { appendList } from './lists.ts';
import type { Merging } from './merging.ts';

/** Whether the place that is being merged is a list whose items stay. */
export const meetsLasting = ({ path: [block, field, ...below] }: Merging): boolean =>
  below.length === 0 && isLasting(block, field);

/** A single text is a list of it: nothing that is listed gives way to a value of another type. */
export function mergeLasting(base: NodeDraft, incoming: NodeDraft, m: Merging): NodeDraft {
  const [before, after] = [asList(base), asList(incoming)];
  if (!before || !after) return base;
  if (m.forced?.has(incoming)) reportTaken(before, after, m);
  return appendList(before, after, false, m);
}

/** What replaces a lasting list holds the items of other files, too; that it does not is reported. */
export function keepLasting(
  base: NodeDraft | undefined,
  fresh: NodeDraft,
  draft: Draft,
  m: Merging,
): NodeDraft {
  const [before, after] = [base && asList(base), asList(fresh)];
  if (!before) return fresh;
  const taken = reportTaken(before, after, m);
  if (taken.length === 0) return fresh;
  const kept = after ? own(after, draft.owner) : list([], fresh.steps, draft.owner);
  kept.items = [...taken, ...kept.items];
  delete kept.seen;
  return kept;
}

/** The same for a block that is replaced whole. */
export function keepLastingFields(base: BlockDraft, fresh: BlockDraft, draft: Draft, m: Merging): void {
  for (const entry of base.entries) {
    if (entry.kind !== 'field' || !isLasting(base.name, entry.key)) continue;
    m.path.push(entry.key);
    const empty = list([], fresh.steps, draft.owner);
    const kept = keepLasting(entry.node, fieldOf(fresh, entry.key) ?? empty, draft, m);
    if (kept !== empty) setField(fresh, entry.key, kept);
    m.path.pop();
  }
}

/** The items of other files that a list lacks. */
function reportTaken(before: ListDraft, after: ListDraft | undefined, m: Merging): NodeDraft[] {
  const said = new Set((after?.items ?? []).map(keyOf));
  const step = after?.steps.at(-1) ?? before.steps.at(-1)!;
  const taken = before.items.filter(item => {
    const isOther = item.steps[0]!.span.source.name !== step.span.source.name;
    return isOther && !said.has(keyOf(item));
  });
  for (const item of taken) {
    const related = [{ message: 'it is listed here', span: item.steps[0]!.span }];
    const holes = { item: item.kind === 'scalar' ? String(item.value) : 'an item', path: m.path.join('.') };
    m.run.report(lastingItem(holes, { span: step.span, related }));
  }
  return taken;
}

function asList(node: NodeDraft): ListDraft | undefined {
  if (node.kind === 'list') return node;
  return node.kind === 'scalar' && node.value !== null ? list([node], node.steps, node.owner) : undefined;
}
