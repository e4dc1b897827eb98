import type { ScriptFiles } from '../../generated/types/target.ts';
import type { ContentDraft } from '../draft.ts';
import type { Kind } from '../kind.ts';
import { renderContent } from '../write/content.ts';
import { planScripts } from './plan.ts';

/** A program for each event of hooks. */
export const scripts: Kind<ScriptFiles, ContentDraft> = {
  name: 'scripts',
  is: file => file.kind === 'scripts',
  plan: planScripts,
  makes: draft => draft.kind === 'content',
  render: renderContent,
  linter: async () => (await import('./lint.ts')).linter,
};
