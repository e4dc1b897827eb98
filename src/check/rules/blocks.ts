import {
  emptyBlock as emptyFinding,
  guardWithoutText,
  unknownBlock as unknownFinding,
} from '../../generated/diagnostics.ts';
import { blockNames, findBlock } from '../../resolve/catalogue.ts';
import type { BodyItem } from '../../syntax/ast.ts';
import { replaceWordFix } from '../../text/diagnostics/fixes.ts';
import { suggest } from '../../text/similar.ts';
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
        report(emptyFinding({ block: declaration.name }, { span: declaration.nameSpan }));
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

/** Unknown blocks are allowed, because a newer version may know them, but most are misspelt. */
export const unknownBlock: Rule = {
  name: 'unknown-block',
  severity: 'warning',
  help: 'Blocks have a name the language knows; others become sections of their own.',
  check: ({ program, report }) => {
    for (const { document } of sourceUnits(program)) {
      for (const declaration of document.declarations) {
        if (declaration.kind !== 'block' || findBlock(declaration.name)) continue;
        const { name, nameSpan } = declaration;
        const meant = suggest(name, blockNames) ?? (name.length > 2 ? shortestFrom(name) : undefined);
        const hint = meant
          ? `Did you mean \`@${meant}\`?`
          : 'Use a block of the language; `@knowledge` takes any text.';
        const fixes = meant ? replaceWordFix(nameSpan, name, meant) : [];
        report(unknownFinding({ block: name }, { span: nameSpan, hint, fixes }));
      }
    }
  },
};

/** The shortest name of a block that begins with a word. */
const shortestFrom = (word: string): string | undefined =>
  blockNames.filter(name => name.startsWith(word)).sort((a, b) => a.length - b.length)[0];
