import type { SettingsFile } from '../../generated/types/target.ts';
import { type Linter, lintShape } from '../lint/lint.ts';

/** Checks entries of the kind `settings`. */
export const linter: Linter<SettingsFile> = {
  placeholders: [],
  shares: 'file',
  lint: (file, at, lint) => lintShape(lint, [...at, 'entry'], file.entry, undefined),
};
