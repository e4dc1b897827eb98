import type { EntriesFile } from '../../generated/types/target.ts';
import type { EntriesDraft } from '../draft.ts';
import type { Kind } from '../kind.ts';
import { renderEdits } from '../write/edits.ts';
import { planEntries } from './plan.ts';

/** Items as entries of a structured file that belongs to the user. */
export const entries: Kind<EntriesFile, EntriesDraft> = {
  name: 'entries',
  is: file => file.kind === 'entries',
  plan: planEntries,
  makes: draft => draft.kind === 'entries',
  render: renderEdits,
  linter: async () => (await import('./lint.ts')).linter,
};
