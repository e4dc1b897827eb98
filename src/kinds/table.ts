import type { FileSpec } from '../generated/types/target.ts';
import { planDocument } from './document/plan.ts';
import { renderDocuments } from './document/text.ts';
import type { Draft } from './draft.ts';
import { planEntries, planSettings } from './entries/plan.ts';
import { activationsOf, planItems } from './items/plan.ts';
import type { FileOf, Kind, NonEmpty, RenderContext } from './kind.ts';
import type { OutputBase, OutputFile } from './output.ts';
import { itemPath } from './places.ts';
import { planScripts } from './scripts/plan.ts';
import { renderContent, renderEdits } from './write/unite.ts';

/** The kinds of entries in `files`; the types require one for each kind in the schema. */
const table: { readonly [K in FileSpec['kind']]: Kind<FileOf<K>> } = {
  document: { plan: planDocument },
  items: { plan: planItems, folderOf: ({ dir = '' }) => dir, pathOf: itemPath, activationsOf },
  entries: { plan: planEntries },
  settings: { plan: planSettings, fromOptions: true },
  scripts: { plan: planScripts },
};

const kinds: Readonly<Record<FileSpec['kind'], Kind>> = table;

export const kindNames: readonly string[] = Object.keys(table);

/** The kind of an entry of `files`. */
export const kindOf = (file: FileSpec): Kind => kinds[file.kind];

type Render<D extends Draft> = (
  drafts: NonEmpty<D>,
  base: OutputBase,
  rendering: RenderContext,
) => OutputFile;

const renderers: { readonly [K in Draft['kind']]: Render<Extract<Draft, { readonly kind: K }>> } = {
  document: renderDocuments,
  content: renderContent,
  entries: renderEdits,
};

/** Merges the drafts of all targets for the path in `base` to one file. All drafts are of the same form. */
export const renderDrafts: Render<Draft> = (drafts, base, rendering) =>
  (renderers[drafts[0].kind] as Render<Draft>)(drafts, base, rendering);
