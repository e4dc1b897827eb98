import type { DocumentFile } from '../../generated/types/target.ts';
import type { DocumentDraft } from '../draft.ts';
import type { Kind } from '../kind.ts';
import { planDocument } from './plan.ts';
import { renderDocuments } from './render.ts';

/** A prose document made of sections. */
export const document: Kind<DocumentFile, DocumentDraft> = {
  name: 'document',
  is: file => file.kind === 'document',
  plan: planDocument,
  makes: draft => draft.kind === 'document',
  render: renderDocuments,
  linter: async () => (await import('./lint.ts')).linter,
};
