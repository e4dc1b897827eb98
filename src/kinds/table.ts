import type { FileSpec } from '../generated/types/target.ts';
import { planDocument } from './document/plan.ts';
import { renderDocuments } from './document/render.ts';
import type { ContentDraft, DocumentDraft, Draft, EntriesDraft } from './draft.ts';
import { planEntries, planSettings } from './entries/plan.ts';
import { activationsOf, planItems } from './items/plan.ts';
import type { FileOf, Kind } from './kind.ts';
import { itemPath } from './places.ts';
import { planScripts } from './scripts/plan.ts';
import { renderContent, renderEdits } from './write/unite.ts';

const content: Pick<Kind<FileSpec, ContentDraft>, 'makes' | 'render'> = {
  makes: draft => draft.kind === 'content',
  render: renderContent,
};

/** Keys of a structured file that belongs to the user. */
const edits: Pick<Kind<FileSpec, EntriesDraft>, 'makes' | 'render'> = {
  makes: draft => draft.kind === 'entries',
  render: renderEdits,
};

const document: Kind<FileOf<'document'>, DocumentDraft> = {
  plan: planDocument,
  makes: draft => draft.kind === 'document',
  render: renderDocuments,
};
const items: Kind<FileOf<'items'>, ContentDraft> = {
  ...content,
  plan: planItems,
  folderOf: ({ dir = '' }) => dir,
  pathOf: itemPath,
  activationsOf,
};
const entries: Kind<FileOf<'entries'>, EntriesDraft> = { ...edits, plan: planEntries };
const settings: Kind<FileOf<'settings'>, EntriesDraft> = { ...edits, fromOptions: true, plan: planSettings };
const scripts: Kind<FileOf<'scripts'>, ContentDraft> = { ...content, plan: planScripts };

/** The kinds of entries of `files`, one line for each that the schema has. */
const table: { readonly [K in FileSpec['kind']]: Kind<FileOf<K>> } = {
  document,
  items,
  entries,
  settings,
  scripts,
};

const kinds: Readonly<Record<FileSpec['kind'], Kind>> = table;

/** Names of the kinds in specs. */
export const kindNames: readonly string[] = Object.keys(table);

/** The kind of an entry of `files`. */
export const kindOf = (file: FileSpec): Kind => kinds[file.kind];

/** The kind that makes one file of all these drafts; `undefined` when they have different forms. */
export const kindOfDrafts = (drafts: readonly Draft[]): Kind | undefined =>
  Object.values(kinds).find(kind => drafts.every(kind.makes));
