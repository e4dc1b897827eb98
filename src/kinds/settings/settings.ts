import type { SettingsFile } from '../../generated/types/target.ts';
import type { EntriesDraft } from '../draft.ts';
import type { Kind } from '../kind.ts';
import { renderEdits } from '../write/edits.ts';
import { planSettings } from './plan.ts';

/** Options of the configuration in a settings file. */
export const settings: Kind<SettingsFile, EntriesDraft> = {
  name: 'settings',
  fromOptions: true,
  is: file => file.kind === 'settings',
  plan: planSettings,
  makes: draft => draft.kind === 'entries',
  render: renderEdits,
  linter: async () => (await import('./lint.ts')).linter,
};
