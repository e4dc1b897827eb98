import { variableMisplaced } from '../generated/diagnostics.ts';
import { hasReference, readableText } from '../text/variables.ts';
import { findBlock, takesReferences } from './catalogue.ts';
import { type Draft, list, object } from './draft.ts';
import type { Entry, Node, ScalarNode } from './program.ts';
import type { Run } from './run.ts';

/**
 * Reports `env()` in fields where no tool fills in variables, and replaces it with its source text. Fields that the
 * catalogue does not know belong to a tool.
 */
export function checkReferences(draft: Draft, run: Run): void {
  for (const block of draft.blocks.values()) {
    const { name } = block;
    const hasPlaces = findBlock(name)?.entry?.fields.some(({ variables }) => variables) ?? false;
    block.entries = block.entries.map((entry): Entry => {
      if (entry.kind === 'text') return { ...entry, node: withoutReference(entry.node, name, run) };
      const isChecked = hasPlaces && entry.kind === 'field' && entry.node.kind === 'object';
      const node = isChecked ? checkFields(entry.node, name, run) : withoutReferences(entry.node, name, run);
      return { ...entry, node };
    });
  }
}

/** Overlays for single tools hold fields of the entry once more. */
function checkFields(node: Node, block: string, run: Run, isOverlay = false): Node {
  if (node.kind !== 'object') return withoutReferences(node, block, run);
  const fields = [...node.fields].map(([field, value]): [string, Node] => {
    if (!isOverlay && (field === 'tools' || field === 'targets') && value.kind === 'object') {
      const overlays = [...value.fields].map(
        ([tool, changes]) => [tool, checkFields(changes, block, run, true)] as const,
      );
      return [field, object(overlays, value.steps)];
    }
    return [
      field,
      takesReferences(block, field) ? value : withoutReferences(value, `${block}.${field}`, run),
    ];
  });
  return object(fields, node.steps);
}

function withoutReferences(node: Node, place: string, run: Run): Node {
  if (node.kind === 'list')
    return list(
      node.items.map(item => withoutReferences(item, place, run)),
      node.steps,
    );
  if (node.kind === 'object')
    return object(
      [...node.fields].map(([key, value]) => [key, withoutReferences(value, place, run)] as const),
      node.steps,
    );
  return withoutReference(node, place, run);
}

function withoutReference(node: ScalarNode, place: string, { report }: Run): ScalarNode {
  if (typeof node.value !== 'string' || !hasReference(node.value)) return node;
  report(variableMisplaced({ place }, { span: node.steps.at(-1)!.span }));
  return { ...node, value: readableText(node.value) };
}
