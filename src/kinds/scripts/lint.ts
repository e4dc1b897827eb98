import type { ScriptFiles } from '../../generated/types/target.ts';
import { lintHookFacts } from '../lint/hooks.ts';
import type { Linter } from '../lint/lint.ts';

/** Checks entries of the kind `scripts`. */
export const linter: Linter<ScriptFiles> = {
  placeholders: ['event'],
  apart: { placeholder: 'event', each: 'event' },
  shares: 'nothing',
  lint: (file, at, lint) => lintHookFacts(lint, at, file.hooks),
};
