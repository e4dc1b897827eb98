import { lastingItem, negationUnmatched } from '../generated/diagnostics.ts';
import { removalFix, renameFix } from '../text/diagnostics/fixes.ts';
import { isAppendOnly } from './catalogue.ts';
import { type BlockDraft, fieldOf, keyOf, list, setField } from './draft.ts';
import {
  type MergeContext,
  noteAddition,
  noteReplacement,
  recordKept,
  stepOf,
  withPath,
} from './merge-context.ts';
import type { ListNode, Node } from './program.ts';
import type { Run } from './run.ts';

/**
 * Appends the items that the list does not contain. With `names` the items are names: `./x` equals `x`, and
 * `!x` removes `x`.
 */
export function appendList(base: ListNode, incoming: ListNode, names: boolean, m: MergeContext): ListNode {
  const key = names ? nameKey : keyOf;
  const before = names ? removeItems(base, incoming, m) : base;
  const known = new Set(before.items.map(key));
  if (m.importStep) {
    const later = new Set(incoming.items.map(key));
    if (before.items.some(item => !later.has(key(item)))) recordKept(m, before, incoming, 'append');
  }
  const fresh = incoming.items.filter(item => !(names && isNegation(item)) && !known.has(key(item)));
  if (fresh.length === 0) return before;
  const step = stepOf(incoming, 'append');
  noteAddition(m, base, step);
  return { ...before, items: [...before.items, ...fresh], steps: [...before.steps, step] };
}

function removeItems(base: ListNode, incoming: ListNode, m: MergeContext): ListNode {
  const negations = incoming.items.filter(isNegation);
  if (negations.length === 0) return base;
  const known = new Set(base.items.map(nameKey));
  const removed = new Map(negations.map(item => [nameKey(item).slice(1), item]));
  for (const [name, item] of removed) {
    if (known.has(name)) continue;
    reportNegation(item, m.path.join('.'), m.run, [...known]);
    removed.delete(name);
  }
  if (removed.size === 0) return base;
  const items = base.items.filter(item => !removed.has(nameKey(item)));
  const first = base.items.find(item => removed.has(nameKey(item)))!;
  const step = stepOf(removed.get(nameKey(first))!, 'remove');
  noteReplacement(m, base, undefined, step);
  return { ...base, items, steps: [...base.steps, step] };
}

/** Reports a `!x` without an `x` in the list; `names` are the names in the list. */
export function reportNegation(
  item: Node,
  path: string,
  { report }: Run,
  names: readonly string[] = [],
): void {
  const entry = nameKey(item).slice(1);
  const { span } = item.steps[0]!;
  const fixes = [...renameFix(span, entry, names), removalFix(`Remove \`!${entry}\``, span)];
  report(negationUnmatched({ entry, path }, { span, fixes }));
}

/** Whether an item has the form `!name`, which removes `name`. */
export const isNegation = (node: Node): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && node.value.startsWith('!');

/** Normalizes names and paths: `./a` to `a`, `!./a` to `!a`. */
function nameKey(node: Node): string {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return keyOf(node);
  return node.value.replace(/^(!?)(?:\.\/)+/, '$1');
}

/** Whether the merged value is an append-only list. */
export const isAppendOnlyPath = ({ path: [block, field, ...names] }: MergeContext): boolean =>
  names.length === 0 && isAppendOnly(block, field);

/**
 * Appends to an append-only list. A single text counts as a list of one; values of other types are ignored.
 */
export function mergeAppendOnly(base: Node, incoming: Node, m: MergeContext): Node {
  const [before, after] = [asList(base), asList(incoming)];
  if (!before || !after) return base;
  if (m.forced?.has(incoming)) reportRemoved(before, after, m);
  return appendList(before, after, false, m);
}

/**
 * The replacement of an append-only list: the new items plus the items of other files, whose removal is
 * reported.
 */
export function keepAppendOnly(base: Node | undefined, fresh: Node, m: MergeContext): Node {
  const [before, after] = [base && asList(base), asList(fresh)];
  const removed = before ? reportRemoved(before, after, m) : [];
  if (removed.length === 0) return fresh;
  return list([...removed, ...(after?.items ?? [])], (after ?? fresh).steps);
}

/** Keeps the items of append-only lists in a block that is replaced as a whole. */
export function keepAppendOnlyFields(base: BlockDraft, fresh: BlockDraft, m: MergeContext): void {
  for (const entry of base.entries) {
    if (entry.kind !== 'field' || !isAppendOnly(base.name, entry.key)) continue;
    const empty = list([], fresh.steps);
    const next = fieldOf(fresh, entry.key) ?? empty;
    const kept = withPath(m, [entry.key], () => keepAppendOnly(entry.node, next, m));
    if (kept !== empty) setField(fresh, entry.key, kept);
  }
}

/** Reports and returns the items of other files that are missing in a new list. */
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
