import { unknownBlock as finding } from '../../generated/diagnostics.ts';
import { blockNames, findBlock } from '../../resolve/catalogue.ts';
import { replaceWordFix } from '../../text/diagnostics/fixes.ts';
import { suggest } from '../../text/similar.ts';
import { sourceUnits } from '../documents.ts';
import type { Rule } from '../rule.ts';

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
        report(
          finding(
            { block: name },
            { span: nameSpan, hint, fixes: meant ? replaceWordFix(nameSpan, name, meant) : [] },
          ),
        );
      }
    }
  },
};

/** The shortest name of a block that begins with a word. */
const shortestFrom = (word: string): string | undefined =>
  blockNames.filter(name => name.startsWith(word)).sort((a, b) => a.length - b.length)[0];
