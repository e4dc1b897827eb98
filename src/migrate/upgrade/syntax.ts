import type { Value } from '../../syntax/ast.ts';
import { newestSyntax } from '../../text/version.ts';
import type { Upgrade } from './edit.ts';

/** `syntax` in `@meta` names the newest version. */
export const raiseSyntax: Upgrade = {
  since: newestSyntax,
  name: `syntax is ${newestSyntax}`,
  edits: ({ declarations }) =>
    declarations.flatMap(declaration =>
      declaration.kind === 'block' && declaration.name === 'meta'
        ? declaration.body.items.flatMap(item =>
            item.kind === 'field' &&
            item.key === 'syntax' &&
            item.value &&
            valueText(item.value) !== newestSyntax
              ? [
                  {
                    start: item.value.span.start,
                    end: item.value.span.end,
                    text: quotedAs(item.value, newestSyntax),
                  },
                ]
              : [],
          )
        : [],
    ),
};

/** In the quotes of the value that is replaced; a number becomes a text. */
function quotedAs(value: Value, text: string): string {
  const quote = value.kind === 'string' ? value.quote : 'double';
  return quote === 'single' ? `'${text}'` : quote === 'bare' ? text : `"${text}"`;
}

const valueText = (value: { readonly kind: string; readonly value?: unknown }): string =>
  String(value.value ?? '');
