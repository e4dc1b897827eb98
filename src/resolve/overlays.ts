import { entryFieldsOf } from './catalogue.ts';
import { below, type MergeContext, noteReplacement, stepOf } from './merge-context.ts';
import type { Node, ObjectNode } from './program.ts';
import { mayReplace } from './sealed.ts';

/** The fields of an entry that may hold its overlays: changes for single tools, by the name of the tool. */
const overlayFields = ['tools', 'targets'];

/**
 * The fields of an entry that hold overlays. A list or a text is a field of the entry itself; so are switches where
 * the block has such a field.
 */
export const overlaysIn = (
  block: string,
  { fields }: Pick<ObjectNode, 'fields'>,
): (readonly [string, ObjectNode])[] =>
  overlayFields.flatMap(field => {
    const node = fields.get(field);
    return node && holdsOverlays(block, field, node) ? [[field, node] as const] : [];
  });

function holdsOverlays(block: string, field: string, node: Node): node is ObjectNode {
  const spec = entryFieldsOf(block)?.find(({ name }) => name === field);
  if (node.kind !== 'object' || !spec) return false;
  const hasSwitches = field === 'tools' && spec.types.some(type => type !== 'object');
  return !hasSwitches || [...node.fields.values()].some(({ kind }) => kind === 'object');
}

/** Whether an overlay excludes the entry from its tool. */
export const isLeftOut = (node: Node): boolean => node.kind === 'scalar' && node.value === false;

/** Whether a field applies to an entry as a whole and cannot be changed for one tool. */
export const ofWholeEntry = (block: string, field: string, node: Node): boolean =>
  field === 'targets' || field === 'except' || (field === 'tools' && holdsOverlays(block, field, node));

/**
 * Records what the overlays of a declaration replace in an entry: for their tools they change its fields, which
 * policies and seals are about. `false` when a seal forbids one of them.
 */
export function noteOverlays(base: ObjectNode, key: string, value: Node, m: MergeContext): boolean {
  if (!overlayFields.includes(key) || value.kind !== 'object') return true;
  const [block, name] = m.path as [string, string];
  let isAllowed = true;
  for (const [tool, changes] of value.fields) {
    for (const [field, node] of changes.kind === 'object' ? changes.fields : []) {
      if (block === 'skills' && !mayReplace(base, name, field, node.steps[0]!.span, m)) isAllowed = false;
      const current = base.fields.get(field);
      if (current) below(m, [tool, field], () => noteReplacement(m, current, node, stepOf(node, 'replace')));
    }
  }
  return isAllowed;
}
