import type { Report } from '../diagnostics/diagnostic.ts';
import { variableMisplaced } from '../generated/diagnostics.ts';
import { hasReference, readableText } from '../text/variables.ts';
import { findBlock, takesReferences } from './catalogue.ts';
import type { Draft, EntryDraft, NodeDraft } from './draft.ts';

/**
 * Reports `env()` in fields where no tool fills in variables, and replaces it by its source text. Fields that the
 * catalogue does not know are a tool's own.
 */
export function checkReferences(draft: Draft, report: Report): void {
  for (const { name: block, entries } of draft.blocks.values()) {
    const hasPlaces = findBlock(block)?.entry?.fields.some(({ variables }) => variables) ?? false;
    for (const entry of entries) {
      const inEntry = hasPlaces && entry.kind === 'field' && entry.node.kind === 'object';
      if (!inEntry) check(entry.node, block, report);
      else checkFields(entry.node, block, report, 0);
    }
  }
}

/** Changes for single tools hold fields of the entry once more. */
function checkFields(node: NodeDraft, block: string, report: Report, depth: number): void {
  if (node.kind !== 'object') {
    check(node, block, report);
    return;
  }
  for (const [field, value] of node.fields) {
    const changes = depth === 0 && (field === 'tools' || field === 'targets') && value.kind === 'object';
    if (changes) for (const inner of value.fields.values()) checkFields(inner, block, report, 1);
    else if (!takesReferences(block, field)) check(value, `${block}.${field}`, report);
  }
}

function check(node: EntryDraft['node'], place: string, report: Report): void {
  if (node.kind === 'list') for (const item of node.items) check(item, place, report);
  else if (node.kind === 'object') for (const value of node.fields.values()) check(value, place, report);
  else if (typeof node.value === 'string' && hasReference(node.value)) {
    report(variableMisplaced({ place }, { span: node.steps.at(-1)!.span }));
    node.value = readableText(node.value);
  }
}
