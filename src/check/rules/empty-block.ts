import { emptyBlock as finding, guardWithoutText } from '../../generated/diagnostics.ts';
import type { BodyItem } from '../../syntax/ast.ts';
import { sourceUnits } from '../documents.ts';
import { fieldOf, firstSpan, objectEntries, scalarsOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Reports blocks without any content. */
export const emptyBlock: Rule = {
  name: 'empty-block',
  severity: 'warning',
  help: 'A block should hold something, and a guard should say something.',
  check: ({ program, report }) => {
    for (const { document } of sourceUnits(program)) {
      for (const declaration of document.declarations) {
        if (declaration.kind !== 'block' || declaration.name === 'meta') continue;
        if (declaration.body.items.some(hasContent)) continue;
        report(finding({ block: declaration.name }, { span: declaration.nameSpan }));
      }
    }
    for (const { name, node } of objectEntries(program, 'guards')) {
      const says = ['content', 'description', 'requires'].some(key =>
        scalarsOf(fieldOf(node, key)).some(({ value }) => String(value ?? '').trim() !== ''),
      );
      if (!says) report(guardWithoutText({ guard: name }, { span: firstSpan(node) }));
    }
  },
};

/** Titles alone and blank texts produce no output. */
function hasContent(item: BodyItem): boolean {
  if (item.kind === 'header') return false;
  return item.kind !== 'text' || item.value.value.trim() !== '';
}
