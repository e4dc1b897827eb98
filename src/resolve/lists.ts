import { removing, renaming } from '../diagnostics/fixes.ts';
import { negationUnmatched } from '../generated/diagnostics.ts';
import { keyOf } from './draft.ts';
import { type MergeContext, noteAddition, noteKept, noteReplacement, stepOf } from './merge-context.ts';
import type { ListNode, Node } from './program.ts';
import type { Run } from './run.ts';

/**
 * Appends what the list does not have yet. With `names` the items are names or paths: `./x` is `x`, and `!x` removes
 * `x` first.
 */
export function appendList(base: ListNode, incoming: ListNode, names: boolean, m: MergeContext): ListNode {
  const key = names ? nameKey : keyOf;
  const before = names ? removeItems(base, incoming, m) : base;
  const known = new Set(before.items.map(key));
  if (m.importStep) {
    const later = new Set(incoming.items.map(key));
    if (before.items.some(item => !later.has(key(item)))) noteKept(m, before, incoming, 'append');
  }
  const fresh = incoming.items.filter(item => !(names && isNegation(item)) && !known.has(key(item)));
  if (fresh.length === 0) return before;
  const step = stepOf(incoming, 'append');
  noteAddition(m, base, step);
  return { ...before, items: [...before.items, ...fresh], steps: [...before.steps, step] };
}

/** Removes what `!x` names and reports a negation that names no item. */
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

/** Reports a `!x` without an `x` in the list; `names` are those that it has. */
export function reportNegation(
  item: Node,
  path: string,
  { report }: Run,
  names: readonly string[] = [],
): void {
  const entry = nameKey(item).slice(1);
  const { span } = item.steps[0]!;
  const fixes = [...renaming(span, entry, names), removing(`Remove \`!${entry}\``, span)];
  report(negationUnmatched({ entry, path }, { span, fixes }));
}

/** Whether an item is `!name`, which removes `name`. */
export const isNegation = (node: Node): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && node.value.startsWith('!');

/** Names and paths by their meaning: `./a` is `a`, `!./a` is `!a`. */
function nameKey(node: Node): string {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return keyOf(node);
  return node.value.replace(/^(!?)(?:\.\/)+/, '$1');
}
