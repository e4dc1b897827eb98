import type { ItemFiles } from '../../generated/types/target.ts';
import type { ContentDraft } from '../draft.ts';
import type { Kind } from '../kind.ts';
import { itemPath } from '../paths.ts';
import { renderContent } from '../write/content.ts';
import { activationsOf } from './activations.ts';
import { planItems } from './plan.ts';

/** A file for each item of a collection. */
export const items: Kind<ItemFiles, ContentDraft> = {
  name: 'items',
  is: file => file.kind === 'items',
  plan: planItems,
  folderOf: ({ dir = '' }) => dir,
  pathOf: itemPath,
  activationsOf,
  makes: draft => draft.kind === 'content',
  render: renderContent,
  linter: async () => (await import('./lint.ts')).linter,
};
