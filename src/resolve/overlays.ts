import { noteReplacement } from './changes.ts';
import type { NodeDraft, ObjectDraft } from './draft.ts';
import { type Merging, stepOf } from './merging.ts';
import { mayReplace } from './sealed.ts';

/** The fields of an entry that hold what it says for single tools. */
const overlays: ReadonlySet<string> = new Set(['tools', 'targets']);

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
