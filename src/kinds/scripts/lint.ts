import type { ScriptFiles } from '../../generated/types/target.ts';
import { lintHookFacts } from '../lint/hooks.ts';
import type { Linter } from '../lint/lint.ts';

/** Checks entries of the kind `scripts`. */
export const linter: Linter<ScriptFiles> = {
  placeholders: ['event'],
  apart: { placeholder: 'event', each: 'event', unless: 'template' },
  shares: 'nothing',
  lint: (file, at, lint) => {
    lintHookFacts(lint, at, file.hooks);
    if (file.template !== undefined && file.template.split('{hooks}').length !== 2)
      lint.fault([...at, 'template'], 'the template has no `{hooks}`, or more than one', 'Name it once.');
  },
};
