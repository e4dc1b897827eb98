import type { FileSpec } from '../generated/types/target.ts';
import { planDocument, renderDocuments } from './document/plan.ts';
import type { Draft } from './draft.ts';
import { planEntries, planSettings } from './entries/plan.ts';
import { planItems } from './items/plan.ts';
import type { FileOf, NonEmpty, PlaceContext, RenderContext } from './kind.ts';
import type { OutputBase, OutputFile } from './output.ts';
import type { Place } from './places.ts';
import { planScripts } from './scripts/plan.ts';
import { renderContent, renderEdits } from './write/unite.ts';

type Plan<E extends FileSpec> = (place: Place<E>, planning: PlaceContext) => readonly Draft[];

const planners: { readonly [K in FileSpec['kind']]: Plan<FileOf<K>> } = {
  document: planDocument,
  items: planItems,
  entries: planEntries,
  settings: planSettings,
  scripts: planScripts,
};

export const kindNames: readonly string[] = Object.keys(planners);

/** Creates the drafts of a target for a place; what does not fit is added to `planning.omissions`. */
export const planPlace: Plan<FileSpec> = (place, planning) =>
  (planners[place.file.kind] as Plan<FileSpec>)(place, planning);

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
