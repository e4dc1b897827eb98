import type { ItemFiles } from '../../generated/types/target.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import type { DataPath } from '../../text/yaml.ts';
import { lintHookFacts } from '../lint/hooks.ts';
import { fieldsAt, type Lint, type Linter, lintRows, lintShape } from '../lint/lint.ts';

/** Checks entries of the kind `items`. */
export const linter: Linter<ItemFiles> = {
  placeholders: ['name', 'event'],
  apart: { placeholder: 'name', each: 'item', unless: 'headed' },
  shares: 'folder',
  lint: (file, at, lint) => {
    const fields = fieldsAt(file);
    lintRows(lint, [...at, 'frontmatter'], file.frontmatter ?? [], fields);
    lintBody(lint, [...at, 'body'], file.body, fields ?? []);
    if (file.hooks) lintHookFacts(lint, at, file.hooks);
    lintShape(lint, [...at, 'entry'], file.entry, fields);
  },
};

function lintBody(lint: Lint, at: DataPath, body: string | undefined, fields: readonly string[]): void {
  if (body === undefined || body.includes('{{') || body === 'content') return;
  const template = builtinTemplate(`body:${body}`);
  if (!template && !fields.includes(body)) {
    lint.fault(
      at,
      `there is no body "${body}"`,
      'Name a field of the item or a template of conventions/bodies/, or write one with `{{content}}`.',
    );
  }
}
