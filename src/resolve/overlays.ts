import { entryFieldsOf } from './catalogue.ts';
import { noteReplacement } from './changes.ts';
import type { NodeDraft, ObjectDraft } from './draft.ts';
import { type Merging, stepOf } from './merging.ts';
import type { Node, ObjectNode } from './program.ts';
import { mayReplace } from './sealed.ts';

/** The fields of an entry that hold what it says for single tools. */
const overlayFields = ['tools', 'targets'];
const overlays: ReadonlySet<string> = new Set(overlayFields);

/**
 * The fields of an entry that hold what it says for single tools, by the names of tools. A list or a text is a field of
 * the entry itself; so are switches where the block has such a field.
 */
export function overlaysIn(
  block: string,
  { fields }: Pick<ObjectNode, 'fields'>,
): (readonly [string, ObjectNode])[] {
  const found: (readonly [string, ObjectNode])[] = [];
  for (const field of overlayFields) {
    const node = fields.get(field);
    if (node && holdsOverlays(block, field, node)) found.push([field, node]);
  }
  return found;
}

function holdsOverlays(block: string, field: string, node: Node): node is ObjectNode {
  const spec = entryFieldsOf(block)?.find(({ name }) => name === field);
  if (node.kind !== 'object' || !spec) return false;
  const hasSwitches = field === 'tools' && spec.types.some(type => type !== 'object');
  return !hasSwitches || [...node.fields.values()].some(({ kind }) => kind === 'object');
}

/** Whether an overlay says that the entry is not for that tool. */
export const isLeftOut = (node: Node): boolean => node.kind === 'scalar' && node.value === false;

/** Fields that apply to an entry as a whole and cannot be changed for one tool. */
export const ofWholeEntry = (block: string, field: string, node: Node): boolean =>
  field === 'targets' || field === 'except' || (field === 'tools' && holdsOverlays(block, field, node));

/**
 * Notes what the changes for single tools that a declaration brings replace in an entry: for these tools they are
 * changes of its fields, which policies and seals are about. `false` when a seal forbids one of them.
 */
export function noteOverlays(base: ObjectDraft, key: string, value: NodeDraft, m: Merging): boolean {
  if (!overlays.has(key) || value.kind !== 'object') return true;
  const [block, name] = m.path as [string, string];
  let allowed = true;
  for (const [tool, changes] of value.fields) {
    for (const [field, node] of changes.kind === 'object' ? changes.fields : []) {
      const { span } = node.steps[0]!;
      if (block === 'skills' && !mayReplace(base, name, field, span, m)) allowed = false;
      const there = base.fields.get(field);
      if (!there) continue;
      m.path.push(tool, field);
      noteReplacement(m, there, node, stepOf(node, 'replace'));
      m.path.length -= 2;
    }
  }
  return allowed;
}
